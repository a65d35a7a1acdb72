// Extent of the observed points of a grid, and trimming to it; pure.
import type { Feature } from "../../core/model/feature.ts";
import { type Grid, sliceGrid } from "../../core/series/grid.ts";

/** Range of interval indices, `to` exclusive. */
export interface Extent {
  readonly from: number;
  readonly to: number;
}

/** Whether an interval holds a point; the `count` of an empty one is 0, not missing. */
function isObserved(feature: Feature, value: number): boolean {
  return isCount(feature) ? value > 0 : !Number.isNaN(value);
}

function isCount({ metric, query }: Feature): boolean {
  return !query && metric?.toLowerCase() === "count";
}

/** Number of intervals in which a feature was observed, before its `default` is filled in. */
export function countObserved(grid: Grid, feature: Feature): number {
  let observed = 0;
  for (const value of grid.columns[feature.name]!) if (isObserved(feature, value)) observed++;
  return observed;
}

/** As `countObserved`, of the feature with the most. */
export function countMostObserved(grid: Grid, features: readonly Feature[]): number {
  return Math.max(...features.map((feature) => countObserved(grid, feature)));
}

/** From the first to the last interval in which any of the features was observed; undefined where none was. */
export function findExtent(grid: Grid, features: readonly Feature[]): Extent | undefined {
  let from = grid.length;
  let to = 0;
  for (const feature of features) {
    const column = grid.columns[feature.name]!;
    const isPresent = (value: number) => isObserved(feature, value);
    const first = column.findIndex(isPresent);
    if (first < 0) continue;
    from = Math.min(from, first);
    to = Math.max(to, column.findLastIndex(isPresent) + 1);
  }
  return from < to ? { from, to } : undefined;
}

/** The grid without the empty intervals at both ends, columns shared; undefined where nothing was observed. */
export function trimToExtent(grid: Grid, features: readonly Feature[]): Grid | undefined {
  const extent = findExtent(grid, features);
  if (!extent) return undefined;
  return extent.to - extent.from === grid.length ? grid : sliceGrid(grid, extent.from, extent.to);
}

/**
 * The part of a training grid on which a feature is trained. A feature with a value for empty intervals is trained on
 * the whole grid, as these are observations.
 */
export function trimForFeature(grid: Grid, feature: Feature): Grid | undefined {
  const isFilled = typeof feature.default === "number" || isCount(feature);
  return isFilled ? grid : trimToExtent(grid, [feature]);
}
