// Detector kind: its statistic over a training and at a point, its weight, and the windows it compares.
import type { Grid } from "../../../core/series/grid.ts";
import type { LinearFit } from "../linear.ts";
import type { Neighbours } from "../neighbours/neighbours.ts";
import { clipLikeStored } from "../neighbours/quanta.ts";
import type { Nearest } from "../neighbours/windows.ts";
import type { RepeatsFit } from "../repeats.ts";
import type { ClockFit, ClockSample } from "../seasons/clock.ts";
import type { FloorFit } from "../seasons/floor.ts";
import type { HourlyFit } from "../seasons/hourly.ts";
import type { Seasonal, SeasonalProfile } from "../seasons/seasonal.ts";
import type { Weekly, WeeklySample } from "../seasons/weekly.ts";
import type { Timeline } from "../timeline.ts";

/** Output of the network per interval, in units of the data. */
export interface NetworkOutput {
  readonly expected: Float64Array;
  readonly deviation: Float64Array;
  /** Nats in standardised units; NaN = not scored. */
  readonly nll: Float64Array;
  /** Deviation of the standardisation. */
  readonly unit: number;
}

/** Statistics of a detector over a training range. */
export interface DetectorSample {
  /** Larger values are rarer; NaN = not scored. */
  readonly statistic: Float64Array;
  /** Expected value per interval, in units of the data; NaN of windows whose side does not count. */
  readonly expected: Float64Array;
  /** Least scale of the tail, in units of the statistic. */
  readonly minScale: number;
  /** Largest shape of the tail, see `fitTail`. */
  readonly maxShape?: number;
}

/** A training range, and what was fitted to it before the detectors. */
export interface Training {
  readonly timeline: Timeline;
  /** In units of the data; NaN = missing. */
  readonly column: Float64Array;
  /** As `column`, with its baseline. */
  readonly observed: Float64Array;
  /** As `column`, gaps filled with usual values. */
  readonly filled: Float64Array;
  /** Statistic and expectation of the network; NaN where it was not scored. */
  readonly nll: Float64Array;
  readonly expected: Float64Array;
  readonly linear: LinearFit;
  readonly seasonal: SeasonalProfile;
  readonly clock: ClockSample | undefined;
  readonly hourly: HourlyFit | undefined;
  readonly floor: FloorFit | undefined;
  readonly repeats: RepeatsFit;
  /** See `findBound`. */
  readonly bound: number | undefined;
  /** Absent where nothing recurs by the week, and until that is known. */
  readonly weekly?: WeeklySample | undefined;
  /** First interval that detectors are ranked on, and that windows are, which cost most. */
  readonly rankedFrom: number;
  readonly windowsFrom: number;
  /** Whether a deviation counts in one direction alone; where it counts in both, no side of an expectation is asked for. */
  readonly oneSided: boolean;
}

/** What is known at the intervals that are scored. */
export interface Live {
  readonly timeline: Timeline;
  readonly linear: LinearFit;
  /** Scale of the seasonal deviations in the training. */
  readonly seasonalScale: number;
  readonly network: NetworkOutput;
  readonly seasonal: Seasonal;
  readonly clock: ClockFit | undefined;
  readonly weekly: Weekly | undefined;
  readonly hourly: HourlyFit | undefined;
  readonly floor: FloorFit | undefined;
  /** Absent in versions of older releases. */
  readonly repeats: RepeatsFit | undefined;
  /** Windows of values as they are, and of values up to the bound of the training. */
  readonly neighbours: Neighbours;
  readonly bounded: Neighbours;
  /** Windows of the differences from one value to the next. */
  readonly changes: Neighbours;
  /** The series with its baseline, NaN = missing. */
  readonly observed: Float64Array;
  /** The series, missing points and anomalies replaced by what was expected. */
  readonly imputed: { readonly column: Float64Array };
  /** See `Training`. */
  readonly oneSided: boolean;
  /** Whether an anomaly is in progress. */
  readonly inAnomaly: () => boolean;
}

/** What one detector says of one point. */
export interface Judge {
  /** In units of the data; NaN of windows whose side does not count. */
  readonly expected: number;
  /** Of the observed value; absent without one. */
  readonly statistic?: number | undefined;
  /** Statistic of any value; of detectors whose expectation is drawn. */
  readonly statisticOf?: (value: number) => number;
  /** Distance of a value from the expectation; default: from `expected`. */
  readonly distanceOf?: (value: number) => number;
  /** Nearest earlier window of the observed value. */
  readonly nearest?: Nearest | undefined;
}

/** Windows that are compared with earlier ones. */
export interface Windows {
  /** Length, in points. */
  readonly span: number;
  /** Of values, or of the differences from one to the next. */
  readonly of: "values" | "changes";
}

export interface DetectorKind {
  /** What it finds odd, in words: of an anomaly it contributes most to. */
  readonly explanation: string;
  /** Weight in the combination, relative to the other detectors. */
  readonly weight: number;
  /**
   * How it raises alone, as others see nothing of what it sees: by its rank, where that is rarer than the threshold by
   * some decades; or by the tail of its own statistic, less so many decades, where ranks cannot tell its points apart.
   */
  readonly alone?: "by rank" | { readonly tailMargin: number };
  /** Whether it has no direction, and so counts where both do. */
  readonly bothSides?: boolean;
  /** Whether it expects a value from a past in which anomalies are imputed: it judges the value alone, and draws the band. */
  readonly expects: boolean;
  /** Whether the value that it expects is the last usual one on a side, which no band is drawn around. */
  readonly expectsBound?: boolean;
  /** Points after an anomaly in which its windows hold it. */
  readonly holds: number;
  /** Whether a value at the expectation may surprise, by the points before it. */
  readonly judgesShape: boolean;
  /** Its windows; absent without. */
  readonly windows?: Windows;
  /** The statistics of a training, in steps of some milliseconds; undefined where it is too short for the detector. */
  sample(training: Training): Generator<void, DetectorSample | undefined>;
  /** @param value NaN = missing @returns undefined where the detector cannot judge */
  judge(live: Live, i: number, value: number): Judge | undefined;
}

/** A sample of some milliseconds. */
export function atOnce(make: (training: Training) => DetectorSample | undefined): DetectorKind["sample"] {
  return function* (training) {
    yield;
    return make(training);
  };
}

/** Least number of scored points of a detector that raises alone: of fewer, what is odd of a whole stretch is not known. */
const MIN_SCORED = 200;

export function isScoredEnough(statistic: Float64Array): boolean {
  return statistic.filter(Number.isFinite).length >= MIN_SCORED;
}

/** A column of NaN. */
export function unscored({ length }: Pick<Grid, "length">): Float64Array {
  return new Float64Array(length).fill(Number.NaN);
}

/** Standardises by median and deviation of the training. */
export function toZ({ center, scale }: Pick<LinearFit, "center" | "scale">, value: number): number {
  return (value - center) / scale;
}

/** As `toZ`, clipped like the stored values that it is compared with. */
export function toStoredZ(linear: Pick<LinearFit, "center" | "scale">, value: number): number {
  return clipLikeStored(toZ(linear, value));
}
