// Raw samples of a feature's series, window by window, for metrics that Prometheus does not compute.
import type { Range } from "../../core/series/grid.ts";
import type { RawQuery } from "../shared/pushdown.ts";
import type { Samples } from "../shared/samples.ts";
import { findGroup, type Series } from "./answer.ts";
import { selectSeries } from "./selector.ts";
import type { Reader } from "./store.ts";

/** Samples one request should bring. */
const SAMPLES_PER_REQUEST = 100_000;
const FIRST_WINDOW_MS = 60_000;
const SHORTEST_WINDOW_MS = 1000;
/** Most that a window may grow by: an empty one says little about the next. */
const MAX_GROWTH = 8;

/** Streams samples of a window at a time: those of all series merged, or series after series. */
export async function* streamSamples(
  reader: Reader,
  { feature, range, withSeries, isMerged, groupBy }: RawQuery,
): AsyncGenerator<Samples> {
  for await (const window of streamWindows(reader, selectSeries(feature), range)) {
    const named = window.map((series) => toSamples(series, { withSeries, groupBy }));
    if (isMerged) yield merge(named);
    else yield* named;
  }
}

/**
 * The length of each window follows the density of the samples in the one before it. Samples are counted before they
 * are fetched, since an answer cannot be limited: `streamWindows` of `shared` needs a limit.
 */
async function* streamWindows(
  { store, signal }: Reader,
  selector: string,
  range: Range,
): AsyncGenerator<Series[]> {
  let windowMs = FIRST_WINDOW_MS;
  for (let { fromAt } = range; fromAt < range.toAt; ) {
    const endAt = Math.min(fromAt + windowMs, range.toAt);
    const samples = `${selector}[${endAt - fromAt}ms]`;
    const [total] = await store.query(`sum(count_over_time(${samples}))`, endAt - 1, signal);
    const count = total?.values[0] ?? 0;
    const growth = Math.min(SAMPLES_PER_REQUEST / Math.max(count, 1), MAX_GROWTH);
    windowMs = Math.max(Math.round((endAt - fromAt) * growth), SHORTEST_WINDOW_MS);
    if (count > 2 * SAMPLES_PER_REQUEST && windowMs < endAt - fromAt) continue;
    if (count > 0) {
      const answer = await store.query(samples, endAt - 1, signal);
      const startAt = fromAt;
      yield answer.map((series) => cut(series, startAt));
    }
    fromAt = endAt;
  }
}

/** Drops samples before the window, which some servers include, and those that are not numbers. */
function cut({ labels, times, values }: Series, fromAt: number): Series {
  const kept = [...times.keys()].filter((i) => times[i]! >= fromAt && Number.isFinite(values[i]));
  if (kept.length === times.length) return { labels, times, values };
  return {
    labels,
    times: Float64Array.from(kept, (i) => times[i]!),
    values: Float64Array.from(kept, (i) => values[i]!),
  };
}

function toSamples(
  series: Series,
  { withSeries, groupBy }: Pick<RawQuery, "withSeries" | "groupBy">,
): Samples {
  const { labels, times, values } = series;
  const repeat = (key: string) => new Array<string>(times.length).fill(key);
  return {
    ...{ times, values },
    ...(withSeries && { series: repeat(labels) }),
    ...(groupBy.length > 0 && { groups: repeat(findGroup(series, groupBy)) }),
  };
}

/** The samples of all series, sorted by time. */
function merge(window: readonly Samples[]): Samples {
  const [first] = window;
  if (window.length === 1) return first!;
  const times = window.flatMap((samples) => [...samples.times]);
  const values = window.flatMap((samples) => [...samples.values]);
  const order = [...times.keys()].sort((a, b) => times[a]! - times[b]!);
  const sortKeys = (keysOf: (samples: Samples) => readonly string[] | undefined) => {
    const keys = window.flatMap((samples) => keysOf(samples) ?? []);
    return order.map((i) => keys[i]!);
  };
  return {
    times: Float64Array.from(order, (i) => times[i]!),
    values: Float64Array.from(order, (i) => values[i]!),
    ...(first?.series && { series: sortKeys(({ series }) => series) }),
    ...(first?.groups && { groups: sortKeys(({ groups }) => groups) }),
  };
}
