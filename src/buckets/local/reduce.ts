// Metrics that need the points themselves: all matching series, window by window, an interval at a time.
import { countIntervals } from "../../core/grid.ts";
import type { Metric, Sample } from "../../metrics/index.ts";
import type { ReadQuery } from "../kind.ts";
import { type Placed, Placer } from "./place.ts";
import type { Scope } from "./scan.ts";
import { type Division, fillWindows } from "./window.ts";

/** Points, and intervals, between two chances for other work to run. */
const STEP_POINTS = 8192;

/** The columns of metrics of numbers, in their order. */
export async function reduceFields(
  { range, ...division }: Pick<ReadQuery, "range"> & Division,
  metrics: readonly Metric[],
  scope: Scope,
): Promise<readonly Float64Array[]> {
  const { intervalMs } = division;
  const length = countIntervals(range, intervalMs);
  const columns = metrics.map(({ empty }) => new Float64Array(length).fill(empty));
  const { pace } = scope;
  const placer = new Placer({ intervalMs, byTime: metrics.some(({ ordered }) => ordered), pace });
  let previous: Sample | undefined;
  for await (const window of fillWindows(scope, division, placer)) {
    const placed = await placer.place();
    const firstSlot = Math.floor((window.fromAt - range.fromAt) / intervalMs);
    let seen = 0;
    for (let interval = 0; interval < placed.length; interval++) {
      if (++seen > STEP_POINTS) {
        seen = 0;
        await pace();
      }
      const points = pointsOf(placed, interval);
      if (points.values.length === 0) continue;
      const slot = firstSlot + interval;
      // An interval before the first one exists only to be looked back at.
      for (let i = 0; slot >= 0 && i < metrics.length; i++)
        columns[i]![slot] = metrics[i]!.reduce({ ...points, previous });
      previous = lastOf(points);
      seen += points.values.length * metrics.length;
    }
  }
  return columns;
}

function pointsOf({ times, values, endOf }: Placed, interval: number) {
  const [from, to] = [endOf(interval - 1), endOf(interval)];
  return { times: times.subarray(from, to), values: values.subarray(from, to) };
}

/** Undefined where points are not in order of time: then no metric looks back. */
function lastOf({ times, values }: { times: Float64Array; values: Float64Array }): Sample | undefined {
  const end = times.length - 1;
  return end < 0 ? undefined : { at: times[end]!, value: values[end]! };
}
