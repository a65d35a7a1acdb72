// The raw points of a field, page by page in order of time, for the metrics that InfluxDB does not compute.
import type { Samples } from "../aggregate.ts";
import type { FeatureQuery } from "../kind.ts";
import { type Rows, readRows } from "./answer.ts";
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

/**
 * Reads window by window, because the server prepares the whole range of a statement whatever its limit; a window
 * follows the density of the points. A full page may end in the middle of an instant that several series share, so its
 * last instant is left to the next page; where the page holds nothing else, the next one skips what it held.
 */
export async function* streamPoints(
  { store, source, signal }: Reader,
  feature: FeatureQuery,
  { fromAt, toAt, intervalMs }: { fromAt: number; toAt: number; intervalMs: number },
): AsyncGenerator<Samples> {
  const end = toNanoseconds(toAt);
  let from = toNanoseconds(fromAt);
  let windowNs = toNanoseconds(intervalMs) * BigInt(ROWS_PER_STATEMENT);
  let offset = 0;
  while (from < end) {
    const next = from + windowNs;
    const isLast = next >= end;
    const to = isLast ? end : next;
    const statement = selectPoints(feature, source, { from, to, limit: ROWS_PER_STATEMENT, offset });
    const [rows] = readRows(store.client, await store.query(statement, signal), 1) as [Rows];
    if (rows.length < ROWS_PER_STATEMENT) {
      yield toSamples(rows);
      [from, offset] = [to, 0];
      if (rows.length < ROWS_PER_STATEMENT / 2) windowNs *= 2n;
      continue;
    }
    const lastMicros = rows.at(-1)![0];
    const complete = rows.findIndex(([micros]) => micros === lastMicros);
    yield toSamples(complete === 0 ? rows : rows.slice(0, complete));
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

function toSamples(rows: Rows): Samples {
  return {
    times: Float64Array.from(rows, ([micros]) => micros / 1000),
    values: Float64Array.from(rows, ([, value]) => value ?? Number.NaN),
  };
}
