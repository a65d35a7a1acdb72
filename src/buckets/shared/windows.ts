// Windowed reads of raw points: the length of each window follows the density, so that answers stay small.
import type { Range } from "../../core/series/grid.ts";
import type { Client } from "../../net/fetch.ts";
import type { Samples } from "./samples.ts";

interface WindowOptions {
  readonly range: Range;
  /** Maximum number of points per answer. */
  readonly limit: number;
  readonly client: Pick<Client, "refuse">;
}

const FIRST_WINDOW_MS = 600_000;

/**
 * Reads the range window by window. `fetch` returns the points of a window sorted by time, or the first `limit + 1` of
 * more. Of an answer beyond `limit` all points before its last instant are used, and the next window begins there.
 * @throws TorusError `bucket_rejected` where more than `limit` points share one instant; what `fetch` throws
 */
export async function* streamWindows(
  { range, limit, client }: WindowOptions,
  fetch: (window: Range) => Promise<Samples>,
): AsyncGenerator<Samples> {
  let windowMs = FIRST_WINDOW_MS;
  for (let fromAt = range.fromAt; fromAt < range.toAt; ) {
    const toAt = Math.min(fromAt + windowMs, range.toAt);
    const samples = await fetch({ fromAt, toAt });
    const count = samples.times.length;
    if (count <= limit) {
      yield samples;
      fromAt = toAt;
      windowMs = Math.max(1, Math.round(windowMs * Math.min(limit / (2 * count), 8)));
      continue;
    }
    const { head, lastAt } = splitAtLast(samples);
    if (head.times.length === 0)
      throw client.refuse(
        "bucket_rejected",
        `has more than ${limit} points at one instant; ask for fewer series, by tags`,
      );
    yield head;
    windowMs = Math.max(1, Math.floor(lastAt - fromAt));
    fromAt = lastAt;
  }
}

/** All points before the last instant. */
function splitAtLast({ times, values, series, groups }: Samples): { head: Samples; lastAt: number } {
  const lastAt = times.at(-1)!;
  const end = times.indexOf(lastAt);
  const head = { times: times.subarray(0, end), values: values.subarray(0, end) };
  const names = {
    ...(series && { series: series.slice(0, end) }),
    ...(groups && { groups: groups.slice(0, end) }),
  };
  return { head: { ...head, ...names }, lastAt };
}

/** A point with the keys of its series and of its group, each of which all points have or none. */
export type SeriesPoint = readonly [at: number, value: number, series?: string, group?: string | undefined];

/** Points as samples, sorted by time; points of the same instant keep their order. */
export function toSamples(points: readonly SeriesPoint[]): Samples {
  const isSorted = points.every(([at], i) => i === 0 || points[i - 1]![0] <= at);
  const sorted = isSorted ? points : points.toSorted((a, b) => a[0] - b[0]);
  return {
    times: Float64Array.from(sorted, ([at]) => at),
    values: Float64Array.from(sorted, ([, value]) => value),
    ...(sorted[0]?.[2] !== undefined && { series: sorted.map(([, , series]) => series!) }),
    ...(sorted[0]?.[3] !== undefined && { groups: sorted.map(([, , , group]) => group!) }),
  };
}
