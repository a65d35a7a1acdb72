// Metrics that look back (`rate`, `derivative`) over several series: each series has a history of its own, and what
// they give is added up.
import { requireMetric } from "./aggregate.ts";
import { type Column, createColumn } from "./column.ts";
import type { FeatureQuery, ReadQuery } from "./kind.ts";

/** Features of the same points by how their metrics take them. */
export interface Parted {
  /** The points of all series together. */
  readonly pooled: readonly FeatureQuery[];
  /** Each series on its own. */
  readonly apart: readonly FeatureQuery[];
}

export function partFeatures(features: readonly FeatureQuery[]): Parted {
  const looksBack = ({ metric }: FeatureQuery) => requireMetric(metric).looksBack;
  return {
    pooled: features.filter((feature) => !looksBack(feature)),
    apart: features.filter(looksBack),
  };
}

export interface ApartColumns {
  /** The columns of a series, one per feature; its points must come in order of time. */
  of(series: string): readonly Column[];
  /** Ends all series. @returns the sums over them, one per feature */
  finish(): readonly Float64Array[];
}

/** Starts the columns of features that are computed series by series; a series is told by any text. */
export function createApartColumns(query: ReadQuery, apart: readonly FeatureQuery[]): ApartColumns {
  const metrics = apart.map(({ metric }) => requireMetric(metric));
  const totals = metrics.map((metric) => createColumn(query, metric).finish());
  const bySeries = new Map<string, Column[]>();
  return {
    of(series) {
      const known = bySeries.get(series);
      if (known) return known;
      const made = metrics.map((metric, i) => createColumn(query, metric, totals[i]));
      bySeries.set(series, made);
      return made;
    },
    finish() {
      for (const columns of bySeries.values()) for (const column of columns) column.finish();
      return totals;
    },
  };
}
