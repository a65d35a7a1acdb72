// Training column of a feature: defaults filled in, anomalies, outliers and baseline left out; pure.
import type { Feature } from "../../core/model/feature.ts";
import { finish } from "../../runtime/steps.ts";
import { type Baseline, baselineOf, fitBaseline } from "../baseline/baseline.ts";
import { calendarEffects } from "../baseline/calendar.ts";
import { markOutliers } from "../detectors/outliers.ts";
import type { Timeline } from "../detectors/timeline.ts";
import type { TrainInput } from "../kind.ts";
import { toModelColumn } from "../series.ts";
import { countMarks, leaveOut, markIntervals } from "../stats/marks.ts";

export interface PreparedColumn {
  /** Without labelled or detected anomalies; NaN = missing. */
  readonly observed: Float64Array;
  /** Without unlabelled outliers and baseline, too: the column to train on. */
  readonly column: Float64Array;
  readonly baseline: Baseline;
  /** Number of unlabelled outliers. */
  readonly outliers: number;
  /** Their values without baseline; NaN elsewhere. */
  readonly leftOut: Float64Array;
  /** 1 at the intervals of the feature's false alarms. */
  readonly normal: Uint8Array;
}

type PrepareInput = Pick<TrainInput, "settings" | "grid" | "excluded" | "tolerated">;

/** Prepares the column of one feature. */
export function prepareColumn(input: PrepareInput, feature: Feature, timeline: Timeline): PreparedColumn {
  return finish(preparationSteps(input, feature, timeline));
}

/** As `prepareColumn`, in steps. */
export function* preparationSteps(
  { settings, grid, excluded = [], tolerated = [] }: PrepareInput,
  feature: Feature,
  timeline: Timeline,
): Generator<void, PreparedColumn> {
  const filled = toModelColumn(grid.columns[feature.name]!, feature.default);
  const observed = leaveOut(filled, markIntervals(grid, excluded));
  const falseAlarms = tolerated.filter(({ features }) => features.includes(feature.name));
  const normal = markIntervals(grid, falseAlarms);
  yield;
  const baseline = fitBaseline(observed, timeline, settings.seasonality?.weekday);
  yield;
  const flat = baselineOf(baseline, timeline, observed.length).flatten(observed);
  const effects = baseline.calendar && calendarEffects(baseline.calendar, timeline, observed.length);
  const gross = markOutliers(flat, timeline, { normal, effects });
  const kept = gross.map((mark) => 1 - mark);
  return {
    ...{ observed, baseline, normal },
    column: leaveOut(flat, gross),
    outliers: countMarks(gross),
    leftOut: leaveOut(flat, kept),
  };
}
