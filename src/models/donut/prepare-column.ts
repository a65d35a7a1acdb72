// Training column of a feature: defaults filled in, anomalies and outliers left out; pure.
import type { Feature } from "../../core/model/feature.ts";
import { markOutliers } from "../detectors/outliers.ts";
import type { Timeline } from "../detectors/timeline.ts";
import type { TrainInput } from "../kind.ts";
import { toModelColumn } from "../series.ts";
import { countMarks, leaveOut, markIntervals } from "../stats/marks.ts";

export interface PreparedColumn {
  /** Without labelled or detected anomalies; NaN = missing. */
  readonly observed: Float64Array;
  /** Without unlabelled outliers, too: the column to train on. */
  readonly column: Float64Array;
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
  const gross = markOutliers(observed, timeline, normal);
  return { observed: observed, column: leaveOut(observed, gross), outliers: countMarks(gross), normal };
}
