// Types of the ensemble: its detectors, their trained parameters, and the memory of detection.
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
const DetectorFitSchema = Type.Object(
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

/** Histograms of the surprises of an anomaly, per detector. */
export interface Alarm {
  readonly points: number;
  readonly counts: Readonly<Record<DetectorName, RankCounts>>;
}

/** State of detection, carried from one evaluation to the next: slices give the same scores as one evaluation. */
export interface Memory {
  readonly seasonal: SeasonalProfile;
  readonly ranks: Readonly<Record<DetectorName, RankCounts>>;
  /** Points scored so far. */
  readonly scored: number;
  /** Recent peaks: [number of the point, rarity], each rarer than all after it. */
  readonly peaks: readonly (readonly [number, number])[];
  /** [start of the interval in ms, value] imputed for the linear detector. */
  readonly imputed: readonly (readonly [number, number])[];
  /** The anomaly in progress, not part of the ranks. Absent outside of one. */
  readonly pending?: Alarm;
  /** Recent anomalies withheld from the ranks. */
  readonly alarms?: readonly Alarm[];
  /** Absent in memories of older releases. */
  readonly drift?: DriftMemory;
}

export type PerDetector<T> = Record<DetectorName, T>;

/** One value for each detector. */
export function perDetector<T>(make: (name: DetectorName) => T): PerDetector<T> {
  return { network: make("network"), linear: make("linear"), seasonal: make("seasonal") };
}
