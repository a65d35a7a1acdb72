// The raw points of a field, page by page in order of time, for the metrics that InfluxDB does not compute.
import type { FeatureQuery } from "../../core/series/query.ts";
import type { Samples } from "../shared/samples.ts";
import { readTaggedRows, type TaggedRow, type TaggedRows } from "./answer.ts";
import { type Source, selectPoints, toNanoseconds } from "./statement.ts";
import type { Store } from "./store.ts";

/** InfluxDB 1.x marks a series of more rows as partial although it is complete, so that a real one could not be told. */
export const ROWS_PER_STATEMENT = 10_000;

/** What every part of one read needs. */
export interface Reader {
  readonly store: Store;
  readonly source: Source;
  readonly signal: AbortSignal;
  readonly pace: () => Promise<void> | undefined;
}

/** Of a whole read; ms. */
export interface Span {
  readonly fromAt: number;
  readonly toAt: number;
  readonly intervalMs: number;
  readonly withTags: boolean;
}

/**
 * Reads window by window, because the server prepares the whole range of a statement whatever its limit; a window
 * follows the density of the points. A full page may end in the middle of an instant that several series share, so its
 * last instant is left to the next page; where the page holds nothing else, the next one skips what it held.
 */
export async function* streamPoints(
  { store, source, signal }: Reader,
  feature: FeatureQuery,
  { fromAt, toAt, intervalMs, withTags }: Span,
): AsyncGenerator<TaggedRows> {
  const end = toNanoseconds(toAt);
  let from = toNanoseconds(fromAt);
  let windowNs = toNanoseconds(intervalMs) * BigInt(ROWS_PER_STATEMENT);
  let offset = 0;
  while (from < end) {
    const next = from + windowNs;
    const isLast = next >= end;
    const to = isLast ? end : next;
    const page = { from, to, limit: ROWS_PER_STATEMENT, offset, withTags };
    const answer = await store.query(selectPoints(feature, source, page), signal);
    const { tags, rows } = readTaggedRows(store.client, answer);
    if (rows.length < ROWS_PER_STATEMENT) {
      yield { tags, rows };
      [from, offset] = [to, 0];
      if (rows.length < ROWS_PER_STATEMENT / 2) windowNs *= 2n;
      continue;
    }
    const lastMicros = rows.at(-1)![0];
    const complete = rows.findIndex(([micros]) => micros === lastMicros);
    yield { tags, rows: complete === 0 ? rows : rows.slice(0, complete) };
    if (complete === 0) {
      offset += rows.length;
    } else {
      const last = startOfMicrosecond(lastMicros);
      [from, offset, windowNs] = [last, 0, last - from];
    }
  }
}

/** In ns. InfluxDB cuts towards zero, so that up to the epoch a microsecond begins 999 ns earlier. */
function startOfMicrosecond(micros: number): bigint {
  return BigInt(micros) * 1000n - (micros > 0 ? 0n : 999n);
}

/** Rows by their series, which is told by the tags that are set: a later page may know more of them. */
export function splitSeries({ tags, rows }: TaggedRows): Map<string, TaggedRow[]> {
  return Map.groupBy(rows, ([, , ...values]) =>
    JSON.stringify(tags.flatMap((tag, i) => (values[i] ? [tag, values[i]] : []))),
  );
}

/** Rows in µs as samples in ms, as many and in their order; NaN where a row has no number. */
export function toSamples(rows: readonly TaggedRow[]): Samples {
  return {
    times: Float64Array.from(rows, ([micros]) => micros / 1000),
    values: Float64Array.from(rows, ([, value]) => value ?? Number.NaN),
  };
}
