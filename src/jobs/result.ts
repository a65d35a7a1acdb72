// Predictions as the API shows them: equally long arrays named by feature, no NaN anywhere.
import { type Grid, timestampsOf, toNullable } from "../core/grid.ts";
import type { PointStat } from "../models/detect.ts";
import type { Prediction } from "../models/kind.ts";

export interface PredictionView {
  /** Seconds since the epoch, ascending. */
  readonly timestamps: readonly number[];
  readonly observed: Readonly<Record<string, readonly (number | null)[]>>;
  /** `<f>`, `lower_<f>`, `upper_<f>`. */
  readonly predicted: Readonly<Record<string, readonly number[]>>;
  readonly stats?: readonly PointStat[];
}

/** @param observed the grid of what was there, as long as the prediction */
export function viewPrediction(prediction: Prediction, observed: Grid): PredictionView {
  const predicted: Record<string, readonly number[]> = {};
  for (const name of Object.keys(prediction.predicted)) {
    predicted[name] = Array.from(prediction.predicted[name]!);
    predicted[`lower_${name}`] = Array.from(prediction.lower[name]!);
    predicted[`upper_${name}`] = Array.from(prediction.upper[name]!);
  }
  const columns = Object.entries(observed.columns).map(
    ([name, column]) => [name, toNullable(column)] as const,
  );
  return { timestamps: timestampsOf(prediction.grid), observed: Object.fromEntries(columns), predicted };
}
