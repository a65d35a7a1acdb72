// Metrics that need every point (percentiles, mode, integral): chunks are sorted into intervals, then reduced.
import { countIntervals, floorTo, type Range } from "../core/series/grid.ts";
import type { ReadQuery } from "../core/series/query.ts";
import { type IntervalPoints, type Metric, reduceTogether } from "../metrics/index.ts";
import { type ChunkOptions, scanInChunks } from "./chunks.ts";
import { SeriesCursors } from "./cursors.ts";
import { IntervalSorter, type SortedPoints } from "./interval-sorter.ts";
import type { Scope } from "./scan.ts";

/** Points, and intervals, sorted at a time: few enough for the CPU caches. */
const POINTS_PER_SORT = 2 ** 15;
/** Points, and intervals, between two calls of the yielder. */
const POINTS_PER_YIELD = 8192;

/** Computes stateless metrics of numbers. @returns a column per metric, in their order */
export async function reduceFields(
  { range, ...division }: Pick<ReadQuery, "range"> & ChunkOptions,
  metrics: readonly Metric[],
  scope: Scope,
): Promise<readonly Float64Array[]> {
  const { intervalMs } = division;
  const { yieldNow } = scope;
  const length = countIntervals(range, intervalMs);
  const columns = metrics.map(({ empty }) => new Float64Array(length).fill(empty));
  const sorter = new IntervalSorter({ intervalMs, byTime: metrics.some(({ ordered }) => ordered), yieldNow });
  const cursors = new SeriesCursors();
  const [reduce, row] = [reduceTogether(metrics), new Float64Array(metrics.length)];
  let seen = 0;
  for await (const chunk of scanInChunks(scope, division, cursors)) {
    for (const step of divideChunk(chunk, intervalMs, cursors.points)) {
      const sorted = await sorter.sort(step, cursors.takeBefore(step.toAt));
      const firstSlot = Math.floor((step.fromAt - range.fromAt) / intervalMs);
      for (let interval = 0; interval < sorted.length; interval++) {
        if (++seen > POINTS_PER_YIELD) {
          seen = 0;
          await yieldNow();
        }
        const points = pointsOf(sorted, interval);
        if (points.values.length === 0) continue;
        reduce(points, row);
        for (let i = 0; i < row.length; i++) columns[i]![firstSlot + interval] = row[i]!;
        seen += points.values.length * metrics.length;
      }
    }
  }
  return columns;
}

/** Ranges of whole intervals, with about `POINTS_PER_SORT` points each if their density is uniform. */
function* divideChunk({ fromAt, toAt }: Range, intervalMs: number, points: number): Generator<Range> {
  const startAt = floorTo(fromAt, intervalMs);
  const perInterval = (points * intervalMs) / (toAt - startAt);
  const stepMs = Math.max(1, Math.floor(POINTS_PER_SORT / Math.max(perInterval, 1))) * intervalMs;
  for (let at = startAt; at < toAt; at += stepMs)
    yield { fromAt: Math.max(at, fromAt), toAt: Math.min(at + stepMs, toAt) };
}

function pointsOf({ times, values, endOf }: SortedPoints, interval: number): IntervalPoints {
  const [from, to] = [endOf(interval - 1), endOf(interval)];
  return {
    // Creating a view is costly, and there are two per interval.
    times: times.length === 0 ? times : times.subarray(from, to),
    values: values.subarray(from, to),
    previous: undefined,
  };
}
