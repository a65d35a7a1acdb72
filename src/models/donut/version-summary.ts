// Summary of a version, as `state` shows it; pure.

import { summariseBaselines } from "../baseline/summary.ts";
import { summariseDetectors } from "../detectors/summary.ts";
import { summariseForecasts } from "../forecasters/summary.ts";
import type { TrainedModel, TrainInput } from "../kind.ts";
import { countMostObserved } from "../stats/extent.ts";
import { countMarks, markIntervals } from "../stats/marks.ts";
import { isNetworkAbsent } from "./absent-network.ts";
import { summariseConditions } from "./condition.ts";
import type { FeatureNetwork } from "./parameters.ts";

/** Range that a version was trained on, and its settings. */
export type VersionRange = Pick<TrainInput, "settings" | "grid" | "excluded">;

/** @param prepared per feature, its number of unlabelled outliers */
export function summariseVersion(
  features: readonly FeatureNetwork[],
  prepared: readonly { readonly outliers: number }[],
  { settings, grid, excluded = [] }: VersionRange,
): TrainedModel["summary"] {
  const networks = features.filter((feature) => !isNetworkAbsent(feature));
  const loss = networks.reduce((sum, feature) => sum + feature.loss, 0) / networks.length;
  return {
    ...(networks.length > 0 && { loss }),
    span: Math.max(...features.map((feature) => feature.shape.window)),
    points: countMostObserved(grid, settings.features),
    conditions: summariseConditions(features),
    ...summariseBaselines(features, { holidays: settings.holidays !== undefined }),
    ...summariseDetectors(features, grid),
    excluded: countMarks(markIntervals(grid, excluded)),
    outliers: prepared.reduce((sum, { outliers }) => sum + outliers, 0),
    ...summariseForecasts(features, { intervalMs: grid.intervalMs, points: grid.length }),
  };
}
