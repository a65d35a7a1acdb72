// Metrics that need the points themselves: all matching series, window by window, an interval at a time.
import { countIntervals, floorTo, type Range } from "../core/series/grid.ts";
import type { ReadQuery } from "../core/series/query.ts";
import { type IntervalPoints, type Metric, reduceTogether } from "../metrics/index.ts";
import { SeriesCursors } from "./cursors.ts";
import { IntervalSorter, type Placed } from "./interval-sorter.ts";
import type { Scope } from "./scan.ts";
import { type Division, scanInChunks } from "./window.ts";

/** Points, and intervals, that are put in order at a time: few enough for the caches of a processor. */
const STEP = 2 ** 15;
/** Points, and intervals, between two chances for other work to run. */
const TURN = 8192;

/** The columns of metrics of numbers that do not look back, in their order. */
export async function reduceFields(
  { range, ...division }: Pick<ReadQuery, "range"> & Division,
  metrics: readonly Metric[],
  scope: Scope,
): Promise<readonly Float64Array[]> {
  const { intervalMs } = division;
  const { pace } = scope;
  const length = countIntervals(range, intervalMs);
  const columns = metrics.map(({ empty }) => new Float64Array(length).fill(empty));
  const placer = new IntervalSorter({ intervalMs, byTime: metrics.some(({ ordered }) => ordered), pace });
  const lanes = new SeriesCursors();
  const [reduce, row] = [reduceTogether(metrics), new Float64Array(metrics.length)];
  let seen = 0;
  for await (const window of scanInChunks(scope, division, lanes)) {
    for (const step of divideWindow(window, intervalMs, lanes.points)) {
      const placed = await placer.place(step, lanes.takeBefore(step.toAt));
      const firstSlot = Math.floor((step.fromAt - range.fromAt) / intervalMs);
      for (let interval = 0; interval < placed.length; interval++) {
        if (++seen > TURN) {
          seen = 0;
          await pace();
        }
        const points = pointsOf(placed, interval);
        if (points.values.length === 0) continue;
        reduce(points, row);
        for (let i = 0; i < row.length; i++) columns[i]![firstSlot + interval] = row[i]!;
        seen += points.values.length * metrics.length;
      }
    }
  }
  return columns;
}

/** Ranges of whole intervals, with `STEP` points each if they are spread evenly. */
function* divideWindow({ fromAt, toAt }: Range, intervalMs: number, points: number): Generator<Range> {
  const startAt = floorTo(fromAt, intervalMs);
  const perInterval = (points * intervalMs) / (toAt - startAt);
  const stepMs = Math.max(1, Math.floor(STEP / Math.max(perInterval, 1))) * intervalMs;
  for (let at = startAt; at < toAt; at += stepMs)
    yield { fromAt: Math.max(at, fromAt), toAt: Math.min(at + stepMs, toAt) };
}

function pointsOf({ times, values, endOf }: Placed, interval: number): IntervalPoints {
  const [from, to] = [endOf(interval - 1), endOf(interval)];
  return {
    // A view takes time to make, and there are two per interval.
    times: times.length === 0 ? times : times.subarray(from, to),
    values: values.subarray(from, to),
    previous: undefined,
  };
}
