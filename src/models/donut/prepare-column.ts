// Training column of a feature: defaults filled in, anomalies, outliers and trend left out; pure.
import type { Feature } from "../../core/model/feature.ts";
import { markOutliers } from "../detectors/outliers.ts";
import type { Timeline } from "../detectors/timeline.ts";
import { fitTrend, flatten, type Trend, trendOf } from "../detectors/trend.ts";
import type { TrainInput } from "../kind.ts";
import { toModelColumn } from "../series.ts";
import { countMarks, leaveOut, markIntervals } from "../stats/marks.ts";

export interface PreparedColumn {
  /** Without labelled or detected anomalies; NaN = missing. */
  readonly observed: Float64Array;
  /** Without unlabelled outliers and trend, too: the column to train on. */
  readonly column: Float64Array;
  /** Absent without a significant trend. */
  readonly trend?: Trend | undefined;
  /** Number of unlabelled outliers. */
  readonly outliers: number;
  /** 1 at the intervals of the feature's false alarms. */
  readonly normal: Uint8Array;
}

/** Prepares the column of one feature. */
export function prepareColumn(
  { grid, excluded = [], tolerated = [] }: Pick<TrainInput, "grid" | "excluded" | "tolerated">,
  feature: Feature,
  timeline: Timeline,
): PreparedColumn {
  const filled = toModelColumn(grid.columns[feature.name]!, feature.default);
  const observed = leaveOut(filled, markIntervals(grid, excluded));
  const falseAlarms = tolerated.filter(({ features }) => features.includes(feature.name));
  const normal = markIntervals(grid, falseAlarms);
  const trend = fitTrend(observed, timeline);
  const flat = trend ? flatten(trend, observed, trendOf(trend, timeline, observed.length)) : observed;
  const gross = markOutliers(flat, timeline, normal);
  return { observed, column: leaveOut(flat, gross), trend, outliers: countMarks(gross), normal };
}
