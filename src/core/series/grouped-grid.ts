// Grouped grids: one grid per series, a combination of the values of some tags; "" where points lack the tag.
import { TorusError } from "../errors.ts";
import { emptyGrid, type Grid } from "./grid.ts";
import type { GroupedQuery } from "./query.ts";

export interface SeriesGrid {
  /** A value per tag of `groupBy`, in that order. */
  readonly tags: Readonly<Record<string, string>>;
  readonly grid: Grid;
}

/** The series with at least one point of a feature in the range, sorted by the values of their tags. */
export interface GroupedGrid {
  readonly series: readonly SeriesGrid[];
  /** There are more than `maxSeries`: `series` has the first ones. */
  readonly truncated: boolean;
}

/** Key of a combination of tag values, in the order of `groupBy`; a tag without a value is "". */
export function groupKeyOf(values: readonly unknown[]): string {
  return JSON.stringify(values.map((value) => (value === null || value === undefined ? "" : String(value))));
}

/** Key of the group of a series, by its tags. */
export function groupKeyOfTags(groupBy: readonly string[], tags: Readonly<Record<string, unknown>>): string {
  return groupKeyOf(groupBy.map((tag) => tags[tag]));
}

/** The values that `groupKeyOf` was given, as texts. */
export function groupValuesOf(key: string): string[] {
  return JSON.parse(key);
}

/** The key of no tags: all points are one group. */
export const NO_GROUP = groupKeyOf([]);

/** Compares combinations value by value. */
export function compareGroups(a: readonly string[], b: readonly string[]): number {
  for (let i = 0; i < a.length; i++) {
    const order = compareTexts(a[i]!, b[i]!);
    if (order !== 0) return order;
  }
  return 0;
}

/** By code points, which is the order of UTF-8 in stores; `<` compares UTF-16, where emoji precede U+E000. */
function compareTexts(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    const [x, y] = [a.charCodeAt(i), b.charCodeAt(i)];
    if (x !== y) return rank(x) - rank(y);
  }
  return a.length - b.length;
}

/** Moves surrogates (D800 to DFFF) behind all other code units. */
function rank(unit: number): number {
  if (unit < 0xd800) return unit;
  return unit < 0xe000 ? unit + 0x2000 : unit - 0x800;
}

/**
 * Combines the answers of several reads of one query, each with some of its features.
 * @param emptyOf value of an interval without points
 */
export function mergeGroupedGrids(
  { range, intervalMs, features, groupBy, maxSeries }: GroupedQuery,
  parts: readonly GroupedGrid[],
  emptyOf: (metric: string) => number,
): GroupedGrid {
  const grids = new Map<string, Record<string, Float64Array>>();
  for (const { series } of parts)
    for (const { tags, grid } of series) {
      const key = groupKeyOf(groupBy.map((tag) => tags[tag]));
      grids.set(key, { ...grids.get(key), ...grid.columns });
    }
  const sorted = [...grids].map(([key, columns]) => ({ values: groupValuesOf(key), columns }));
  sorted.sort((a, b) => compareGroups(a.values, b.values));
  const names = features.map(({ name }) => name);
  const series = sorted.slice(0, maxSeries).map(({ values, columns }) => {
    const grid = emptyGrid(range, intervalMs, names);
    for (const { name, metric, query } of features) {
      const known = columns[name];
      if (known) grid.columns[name]!.set(known);
      else if (query === undefined) grid.columns[name]!.fill(emptyOf(metric));
    }
    return { tags: Object.fromEntries(groupBy.map((tag, i) => [tag, values[i]!])), grid };
  });
  return { series, truncated: sorted.length > maxSeries || parts.some(({ truncated }) => truncated) };
}

/** The error for a bucket whose kind does not read by group. */
export function cannotGroup(bucket: string): TorusError {
  return new TorusError(
    "not_supported",
    `bucket ${bucket} cannot read by group: make one model per series with match_all, or use a bucket of another kind`,
  );
}
