// What an ensemble is made of: its detectors, what a trained version knows of them, what detection remembers; pure.
import { Type } from "@sinclair/typebox";
import { TailSchema } from "../stats/tail.ts";
import { positiveShare, type Stored, share, strict } from "../stored-schema.ts";
import type { DriftMemory } from "./drift.ts";
import { LinearFitSchema } from "./linear.ts";
import { type RankCounts, RankCountsSchema } from "./rank.ts";
import { type SeasonalProfile, SeasonalProfileSchema } from "./seasonal.ts";

export const detectorNames = ["network", "linear", "seasonal"] as const;
export type DetectorName = (typeof detectorNames)[number];

/** One detector at the end of the training. */
export const DetectorFitSchema = Type.Object(
  {
    /** Share in the combination; the shares of a feature's detectors add up to 1. */
    weight: share,
    /** Tail of the detector's statistic over the training range. */
    tail: TailSchema,
    ranks: RankCountsSchema,
  },
  strict,
);
export type DetectorFit = Stored<typeof DetectorFitSchema>;

/** The trained ensemble of a feature, stored with its version. */
export const EnsembleSchema = Type.Object(
  {
    detectors: Type.Object(
      { network: DetectorFitSchema, linear: DetectorFitSchema, seasonal: DetectorFitSchema },
      strict,
    ),
    seasonal: SeasonalProfileSchema,
    /** Agreement of the detectors, 0..1: a mean of calibrated rarities is rarer than its value where they disagree. */
    agreement: positiveShare,
    linear: LinearFitSchema,
  },
  strict,
);
export type Ensemble = Stored<typeof EnsembleSchema>;

/** Points of an anomaly by surprise, per detector, and how many. */
export interface Alarm {
  readonly points: number;
  readonly counts: Readonly<Record<DetectorName, RankCounts>>;
}

/** How far detection has come: carried from one evaluation to the next, so that live and in one go are the same. */
export interface Memory {
  readonly seasonal: SeasonalProfile;
  readonly ranks: Readonly<Record<DetectorName, RankCounts>>;
  /** Points scored so far. */
  readonly scored: number;
  /** What a burst is compared with: [number of the point, rarity], each rarer than all after it. */
  readonly peaks: readonly (readonly [number, number])[];
  /** [start of the interval in ms, value] of what the linear companion is shown in place of gaps and anomalies. */
  readonly imputed: readonly (readonly [number, number])[];
  /** The anomaly in progress: what has been seen of it is not what it is measured by. Absent outside of one. */
  readonly pending?: Alarm;
  /** The last anomalies, not believed to be normal yet. */
  readonly alarms?: readonly Alarm[];
  /** Absent in memories from before it was kept. */
  readonly drift?: DriftMemory;
}

export type PerDetector<T> = Record<DetectorName, T>;

/** One value for each detector. */
export function perDetector<T>(make: (name: DetectorName) => T): PerDetector<T> {
  return { network: make("network"), linear: make("linear"), seasonal: make("seasonal") };
}
