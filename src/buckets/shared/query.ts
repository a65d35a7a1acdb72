// Feature queries in the language of a store: fills in the range, places the rows in a column of the grid.
import { invalid, TorusError, throwIfAborted } from "../../core/errors.ts";
import { type Columns, sliceRange, toGrid } from "../../core/series/columns.ts";
import { countIntervals, type Grid, type Range } from "../../core/series/grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";

/** Intervals per request. */
const INTERVALS_PER_PART = 10_000;

/** The values of `{from}`, `{to}` (exclusive) and `{interval}` in one language. */
export interface Terms {
  readonly from: string;
  readonly to: string;
  readonly interval: string;
}

/** A row of an answer: its time in ms since the epoch, and its value, null or NaN where there is none. */
export type QueryRow = readonly [at: number, value: number | null];

/** A query with its terms filled in. */
interface FilledQuery {
  /** Name of the feature, for messages. */
  readonly name: string;
  readonly text: string;
  /** Maximum number of rows: one per interval. The store may stop after one more. */
  readonly limit: number;
}

/** The query language of a store. */
export interface QueryLanguage {
  toTerms(range: Range, intervalMs: number): Terms;
  /** Runs a query. @throws TorusError `bucket_*`, `invalid` for a query with other columns */
  run(query: FilledQuery): Promise<readonly QueryRow[]>;
  /** Creates an error that names the store. */
  refuse(reason: string): TorusError;
}

/** Checks that a query contains `{from}` and `{to}`. @throws TorusError `invalid` naming the missing ones */
export function checkTerms(query: string, path: string): void {
  const missing = ["{from}", "{to}"].filter((term) => !query.includes(term));
  if (missing.length > 0)
    throw invalid(
      path,
      `needs ${missing.join(" and ")}: the query runs for one range at a time, from {from} to {to} (exclusive) ` +
        "in intervals of {interval}",
    );
}

/** @throws TorusError `not_supported` for a feature query, which answers one series */
export function assertNoQueries({ features }: ReadQuery): void {
  const feature = features.find(({ query }) => query !== undefined);
  if (feature)
    throw new TorusError(
      "not_supported",
      `the query of ${feature.name} cannot be read by group, because it answers one series: give the feature a metric ` +
        "and a field, or make one model per series",
    );
}

interface QueryReading {
  readonly language: QueryLanguage;
  /** Reads the features without a query. */
  readOthers(query: ReadQuery): Promise<Grid>;
}

/** Reads a grid whose features may have a query of their own. */
export async function readQueries(
  query: ReadQuery,
  { language, readOthers }: QueryReading,
  signal: AbortSignal,
): Promise<Grid> {
  throwIfAborted(signal);
  const others = query.features.filter((feature) => feature.query === undefined);
  if (others.length === query.features.length) return readOthers(query);
  const columns: Columns = new Map();
  if (others.length > 0) {
    const grid = await readOthers({ ...query, features: others });
    for (const [name, column] of Object.entries(grid.columns)) columns.set(name, column);
  }
  for (const feature of query.features)
    if (feature.query !== undefined)
      columns.set(feature.name, await readOne(query, feature, { language, signal }));
  return toGrid(query, columns);
}

async function readOne(
  { range, intervalMs }: ReadQuery,
  { name, query }: FeatureQuery,
  { language, signal }: { readonly language: QueryLanguage; readonly signal: AbortSignal },
): Promise<Float64Array> {
  const column = new Float64Array(countIntervals(range, intervalMs)).fill(Number.NaN);
  for (const part of sliceRange(range, INTERVALS_PER_PART * intervalMs)) {
    throwIfAborted(signal);
    const first = countIntervals({ fromAt: range.fromAt, toAt: part.fromAt }, intervalMs);
    const limit = countIntervals(part, intervalMs);
    const text = fillTerms(query!, language.toTerms(part, intervalMs));
    const rows = await language.run({ name, text, limit });
    placeRows(rows, { part, intervalMs, column: column.subarray(first, first + limit) }, (reason) =>
      language.refuse(`the query of ${name} ${reason}`),
    );
  }
  return column;
}

/** Fills in the terms of a query. */
export function fillTerms(query: string, terms: Terms): string {
  return query.replace(/\{(from|to|interval)\}/g, (_, term: keyof Terms) => terms[term]);
}

/** Places rows by the interval of their time. */
function placeRows(
  rows: readonly QueryRow[],
  { part, intervalMs, column }: { part: Range; intervalMs: number; column: Float64Array },
  refuse: (reason: string) => TorusError,
): void {
  const taken = new Uint8Array(column.length);
  for (const [at, value] of rows) {
    if (!(at >= part.fromAt && at < part.toAt))
      throw refuse("answers a time outside of the range; let it select from {from} to {to}");
    const slot = Math.floor((at - part.fromAt) / intervalMs);
    if (taken[slot]) throw refuse("answers an interval twice; let it group by {interval}");
    taken[slot] = 1;
    if (value !== null && Number.isFinite(value)) column[slot] = value;
  }
}
