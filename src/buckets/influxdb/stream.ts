// Raw points of a field, page by page in order of time, for metrics that InfluxDB does not compute.
import { groupKeyOf } from "../../core/series/grouped-grid.ts";
import type { RawQuery } from "../shared/pushdown.ts";
import type { Samples } from "../shared/samples.ts";
import { readTaggedRows, type TaggedRow, type TaggedRows } from "./answer.ts";
import { type Source, selectPoints, toNanoseconds } from "./statement.ts";
import type { Store } from "./store.ts";

/** InfluxDB 1.x marks a complete series of more rows as partial, so that truncation would go unnoticed. */
export const ROWS_PER_STATEMENT = 10_000;

export interface Reader {
  readonly store: Store;
  readonly source: Source;
  readonly signal: AbortSignal;
}

/**
 * Reads window by window, because the server prepares the whole range of a statement whatever its limit; the length of
 * a window follows the density of the points. A full page may end in the middle of an instant that several series
 * share: its last instant is left to the next page or, where the page holds nothing else, the next page skips the rows
 * already read. Windows are counted in ns, as InfluxDB stores instants, and so do not use `streamWindows`.
 */
export async function* streamSamples(
  { store, source, signal }: Reader,
  { feature, range, withSeries, groupBy }: RawQuery,
  intervalMs: number,
): AsyncGenerator<Samples> {
  const end = toNanoseconds(range.toAt);
  let from = toNanoseconds(range.fromAt);
  let windowNs = toNanoseconds(intervalMs) * BigInt(ROWS_PER_STATEMENT);
  let offset = 0;
  while (from < end) {
    const next = from + windowNs;
    const to = next >= end ? end : next;
    const page = { from, to, limit: ROWS_PER_STATEMENT, offset, withTags: withSeries || groupBy.length > 0 };
    const answer = await store.query(selectPoints(feature, source, page), signal);
    const { tags, rows } = readTaggedRows(store.client, answer);
    if (rows.length < ROWS_PER_STATEMENT) {
      yield toSamples({ tags, rows }, { withSeries, groupBy });
      [from, offset] = [to, 0];
      if (rows.length < ROWS_PER_STATEMENT / 2) windowNs *= 2n;
      continue;
    }
    const lastMicros = rows.at(-1)![0];
    const complete = rows.findIndex(([micros]) => micros === lastMicros);
    yield toSamples({ tags, rows: complete === 0 ? rows : rows.slice(0, complete) }, { withSeries, groupBy });
    if (complete === 0) {
      offset += rows.length;
    } else {
      const last = startOfMicrosecond(lastMicros);
      [from, offset, windowNs] = [last, 0, last - from];
    }
  }
}

/** In ns. InfluxDB truncates towards zero, so that up to the epoch a microsecond begins 999 ns earlier. */
function startOfMicrosecond(micros: number): bigint {
  return BigInt(micros) * 1000n - (micros > 0 ? 0n : 999n);
}

/** Rows in µs as samples in ms; NaN where a row has no number. */
function toSamples(
  { tags, rows }: TaggedRows,
  { withSeries, groupBy }: Pick<RawQuery, "withSeries" | "groupBy">,
): Samples {
  // The tags follow the time and the value; a tag that no point of the page has is missing.
  const places = groupBy.map((tag) => tags.indexOf(tag)).map((place) => (place < 0 ? -1 : place + 2));
  return {
    times: Float64Array.from(rows, ([micros]) => micros / 1000),
    values: Float64Array.from(rows, ([, value]) => value ?? Number.NaN),
    ...(withSeries && { series: rows.map((row) => keySeries(tags, row)) }),
    ...(places.length > 0 && { groups: rows.map((row) => groupKeyOf(places.map((place) => row[place]))) }),
  };
}

/** Only tags with a value count: a later page may know more tags of the same series. */
function keySeries(tags: readonly string[], [, , ...values]: TaggedRow): string {
  return JSON.stringify(tags.flatMap((tag, i) => (values[i] ? [tag, values[i]] : [])));
}
