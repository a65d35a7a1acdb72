// Types of the ensemble: its detectors, their trained parameters, and the memory of detection.
import { type TOptional, type TSchema, Type } from "@sinclair/typebox";
import { TailSchema } from "../stats/tail.ts";
import { positive, positiveShare, type Stored, share, strict } from "../stored-schema.ts";
import { CalibrationSchema } from "./calibration.ts";
import type { DriftMemory } from "./drift.ts";
import { type DetectorName, detectorNames } from "./kinds/index.ts";
import { LinearFitSchema } from "./linear.ts";
import { HISTORY_LENGTH } from "./neighbours/quanta.ts";
import type { Ending } from "./ranks/ending.ts";
import type { LevelRun } from "./ranks/level-run.ts";
import type { Pulse } from "./ranks/pulse.ts";
import { type FlatCounts, type RankCounts, RankCountsSchema } from "./ranks/rank.ts";
import type { Recovery } from "./ranks/recovery.ts";
import { RepeatsFitSchema } from "./repeats.ts";
import { ClockFitSchema } from "./seasons/clock.ts";
import { FloorFitSchema } from "./seasons/floor.ts";
import { HourlyFitSchema } from "./seasons/hourly.ts";
import { type SeasonalProfile, SeasonalProfileSchema } from "./seasons/seasonal.ts";
import { WeeklyFitSchema } from "./seasons/weekly.ts";
import { UsualOutliersSchema } from "./usual-outliers.ts";

export { type DetectorName, detectorNames };

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

/** One optional property for each detector. */
export function byDetector<S extends TSchema>(schema: S) {
  const entries = detectorNames.map((name) => [name, Type.Optional(schema)]);
  return Type.Object(Object.fromEntries(entries) as Record<DetectorName, TOptional<S>>, strict);
}

/** Characters of an encoded history. */
const MAX_HISTORY_TEXT = Math.ceil((2 * HISTORY_LENGTH) / 3) * 4;
const HistorySchema = Type.Object(
  {
    /** See `encodeHistory`. */
    values: Type.String({
      pattern: "^[A-Za-z0-9+/]*={0,2}$",
      maxLength: MAX_HISTORY_TEXT,
      rule: "must be base64 of at most 4100 values",
    }),
    /** End of the last interval, ms since the epoch. */
    endAt: Type.Number(),
    /** [values since, quanta] of values that exceed those stored and bound the range; absent where there are none. */
    clipped: Type.Optional(Type.Array(Type.Tuple([Type.Integer({ minimum: 0 }), Type.Number()]))),
  },
  strict,
);
export type History = Stored<typeof HistorySchema>;

/** The trained ensemble of a feature, stored with its version. */
export const EnsembleSchema = Type.Object(
  {
    /** Absent: too few points for the detector, or a version of an older release. */
    detectors: byDetector(DetectorFitSchema),
    /** Long windows, ranked for the range score alone: of versions without `neighbours100`, or too short for it. */
    range: Type.Optional(DetectorFitSchema),
    seasonal: SeasonalProfileSchema,
    /** Of trainings long enough; else `agreement`, which versions of older releases have, too. */
    calibration: Type.Optional(CalibrationSchema),
    /** Agreement of the detectors, 0..1: a mean of calibrated rarities is rarer than its value where they disagree. */
    agreement: positiveShare,
    /** Absent without days in the step, and in versions of older releases. */
    clock: Type.Optional(ClockFitSchema),
    /** Absent where nothing recurs by the week, and in versions of older releases. */
    weekly: Type.Optional(WeeklyFitSchema),
    /** Absent where the hours vary alike, and in versions of older releases. */
    hourly: Type.Optional(HourlyFitSchema),
    /** Absent where few points have the least value, and in versions of older releases. */
    floor: Type.Optional(FloorFitSchema),
    /** Absent in versions of older releases. */
    repeats: Type.Optional(RepeatsFitSchema),
    linear: LinearFitSchema,
    /** See `findQuantum`; absent in versions of older releases, too. */
    quantum: Type.Optional(positive),
    /** See `findBound`; absent in versions of older releases, too. */
    bound: Type.Optional(positive),
    /** Absent where outliers are few, and in versions of older releases. */
    outliers: Type.Optional(UsualOutliersSchema),
    /** The end of the training range; absent in versions of older releases. */
    history: Type.Optional(HistorySchema),
  },
  strict,
);
export type Ensemble = Stored<typeof EnsembleSchema>;

/** One value for each detector in use. */
export type PerDetector<T> = Partial<Record<DetectorName, T>>;

/** Histograms of the surprises of an anomaly, per detector. */
export interface Alarm {
  readonly points: number;
  /** None of its points was raised: all are on the side that does not count. */
  readonly hidden?: true;
  /** Starts of its first and last interval, ms since the epoch; absent in memories of older releases. */
  readonly fromAt?: number;
  readonly toAt?: number;
  /** Absent in memories of older releases. */
  readonly ending?: Ending;
  /** Absent in memories of older releases. */
  readonly recovery?: Recovery;
  /** Absent where none came before it. */
  readonly pulse?: Pulse;
  /** Absent once the level has changed, and of a series without two. */
  readonly run?: LevelRun;
  readonly counts: Readonly<PerDetector<RankCounts>>;
  /** As `counts`, of the windows after it that hold it; absent in memories of older releases, and until there is one. */
  readonly held?: Readonly<PerDetector<RankCounts>>;
}

/** Greatest surprises of the detectors that raise alone, decades; those of the last day apart. */
export interface LateMemory {
  readonly known: Readonly<PerDetector<number>>;
  /** Oldest first. */
  readonly parts: readonly {
    /** Start of the first interval, ms since the epoch. */
    readonly fromAt: number;
    readonly tops: Readonly<PerDetector<number>>;
  }[];
}

/** State of detection, carried from one evaluation to the next: slices give the same scores as one evaluation. */
export interface Memory {
  readonly seasonal: SeasonalProfile;
  /** Pairs in memories of older releases. */
  readonly ranks: Readonly<PerDetector<FlatCounts | RankCounts>>;
  /** Of the long windows; unchanged by evaluations without range scores. */
  readonly rangeRanks?: FlatCounts | RankCounts;
  /** Power mean of the rarities of stretches, see `RangeRank`; absent in memories of older releases. */
  readonly rangeFading?: number;
  /** Points scored so far. */
  readonly scored: number;
  /** Recent peaks: [number of the point, rarity], each rarer than all after it. */
  readonly peaks: readonly (readonly [number, number])[];
  /** [start of the interval in ms, value] imputed for the linear detector; 1 where the point was missing. */
  readonly imputed: readonly (readonly [at: number, value: number, isMissing?: 1])[];
  /** The anomaly in progress, not part of the ranks. Absent outside of one. */
  readonly pending?: Alarm;
  /** Recent anomalies withheld from the ranks. */
  readonly alarms?: readonly Alarm[];
  /** Absent in memories of older releases. */
  readonly late?: LateMemory;
  /** Absent in memories of older releases. */
  readonly drift?: DriftMemory;
  /** Values that later windows are compared with; absent in memories of older releases. */
  readonly history?: History;
}

/** The detectors of an ensemble. */
export function namesOf({ detectors }: Pick<Ensemble, "detectors">): DetectorName[] {
  return detectorNames.filter((name) => detectors[name] !== undefined);
}

/** One value for each of some detectors. */
export function perDetector<T>(
  names: readonly DetectorName[],
  make: (name: DetectorName) => T,
): PerDetector<T> {
  const made: PerDetector<T> = {};
  for (const name of names) made[name] = make(name);
  return made;
}
