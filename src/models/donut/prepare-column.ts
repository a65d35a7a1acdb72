// What a training makes of a feature's column: empty intervals filled, anomalies left out, false alarms kept in sight; pure.
import type { Feature } from "../../core/model/feature.ts";
import { markOutliers } from "../detectors/outliers.ts";
import type { Timeline } from "../detectors/timeline.ts";
import type { TrainInput } from "../kind.ts";
import { toModelColumn } from "../series.ts";
import { countMarks, leaveOut, markIntervals } from "../stats/marks.ts";

export interface PreparedColumn {
  /** Without the anomalies that were found; NaN = missing. */
  readonly observed: Float64Array;
  /** Without gross ones that nobody has flagged, too: what is learnt. */
  readonly column: Float64Array;
  /** How many of these there are. */
  readonly outliers: number;
  /** 1 at the intervals of the feature's false alarms. */
  readonly normal: Uint8Array;
}

/** The column of one feature, one value per interval of the grid, as a training needs it. */
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
