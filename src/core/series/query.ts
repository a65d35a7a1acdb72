// Points, and read queries: one column of a grid per feature.
import type { Range } from "./grid.ts";

/** Value of a field. Metrics use numbers only; `count` counts any value that is not null. */
export type FieldValue = number | string | boolean | null;

export interface Point {
  /** ms since the epoch. */
  readonly at: number;
  readonly fields: Readonly<Record<string, FieldValue>>;
  readonly tags: Readonly<Record<string, string>>;
  /**
   * Of a sample that is not finite: its value is kept, or it is a stale marker, which ends its series. Absent: a number
   * that is not finite is the result of an undefined computation, and left out.
   */
  readonly special?: "value" | "stale";
}

/** One column to read: a metric over a field of a measurement, of points with all `tags`. */
export interface FeatureQuery {
  /** Column name in the grid. */
  readonly name: string;
  readonly metric: string;
  readonly field: string;
  /** Absent: the default of the bucket, or any measurement. */
  readonly measurement?: string;
  readonly tags: readonly { readonly tag: string; readonly value: string }[];
  /** In the language of the kind (see `checkQuery`), in place of metric, field, measurement and tags; one value per interval. */
  readonly query?: string;
}

/** `range` is aligned on `intervalMs` (see grid.ts); `toAt` is exclusive. */
export interface ReadQuery {
  readonly range: Range;
  readonly intervalMs: number;
  readonly features: readonly FeatureQuery[];
}

/** A read of one grid per series, a combination of the values of some tags. */
export interface GroupedQuery extends ReadQuery {
  /** Names of tags, 1 to 8. */
  readonly groupBy: readonly string[];
  /** Maximum number of series of the answer, at least 1. */
  readonly maxSeries: number;
}
