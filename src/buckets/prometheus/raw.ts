// The raw samples of a feature's series, window by window in order of time, for what Prometheus does not compute.
import type { Columns } from "../../core/series/columns.ts";
import type { ReadQuery } from "../../core/series/query.ts";
import { findReadStart } from "../../metrics/index.ts";
import { createSharedColumns } from "../shared/per-series.ts";
import type { Series } from "./answer.ts";
import { selectSeries } from "./selector.ts";
import type { Reader } from "./store.ts";

/** Samples one request should bring. */
const SAMPLES_PER_REQUEST = 100_000;
const FIRST_WINDOW_MS = 60_000;
const SHORTEST_WINDOW_MS = 1000;

/** Reads features of the same series. */
export async function readRaw(reader: Reader, query: ReadQuery, columns: Columns): Promise<void> {
  const shared = createSharedColumns(query);
  for await (const window of streamWindows(reader, query)) {
    if (shared.withPooled) await shared.addPooled(merge(window), reader.pace);
    if (shared.withSeries)
      for (const { labels, ...samples } of window) await shared.addSeries(labels, samples, reader.pace);
  }
  shared.finish(columns);
}

/**
 * Each window follows the density of the samples in the one before it. They are counted before they are fetched: where
 * nothing was for a long time, a window that has grown may end among more samples than an answer can hold.
 */
async function* streamWindows({ store, signal }: Reader, query: ReadQuery): AsyncGenerator<Series[]> {
  const { toAt } = query.range;
  const selector = selectSeries(query.features[0]!);
  let windowMs = FIRST_WINDOW_MS;
  for (let fromAt = findReadStart(query); fromAt < toAt; ) {
    const endAt = Math.min(fromAt + windowMs, toAt);
    const samples = `${selector}[${endAt - fromAt}ms]`;
    const [total] = await store.query(`sum(count_over_time(${samples}))`, endAt - 1, signal);
    const count = total?.values[0] ?? 0;
    const wanted = Math.round((endAt - fromAt) * Math.min(SAMPLES_PER_REQUEST / Math.max(count, 1), 8));
    windowMs = Math.max(wanted, SHORTEST_WINDOW_MS);
    if (count > 2 * SAMPLES_PER_REQUEST && windowMs < endAt - fromAt) continue;
    if (count > 0) {
      const answer = await store.query(samples, endAt - 1, signal);
      yield answer.map((series) => cut(series, fromAt));
    }
    fromAt = endAt;
  }
}

/** Without the samples before the window, which some servers count in, and those that are no numbers. */
function cut({ labels, times, values }: Series, fromAt: number): Series {
  const kept = [...times.keys()].filter((i) => times[i]! >= fromAt && Number.isFinite(values[i]));
  if (kept.length === times.length) return { labels, times, values };
  return {
    labels,
    times: Float64Array.from(kept, (i) => times[i]!),
    values: Float64Array.from(kept, (i) => values[i]!),
  };
}

/** The samples of all series, sorted by time. */
function merge(window: readonly Series[]): Omit<Series, "labels"> {
  if (window.length === 1) return window[0]!;
  const times = window.flatMap((series) => [...series.times]);
  const values = window.flatMap((series) => [...series.values]);
  const order = [...times.keys()].sort((a, b) => times[a]! - times[b]!);
  return {
    times: Float64Array.from(order, (i) => times[i]!),
    values: Float64Array.from(order, (i) => values[i]!),
  };
}
