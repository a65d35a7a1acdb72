// Instant selectors: at each step the newest sample that is not older than the look-back; none after a stale marker.
import type { VectorSelector } from "../language/expression.ts";
import { type Context, fixedInstant } from "./context.ts";
import {
  type Column,
  emptyColumn,
  instantOf,
  isEmpty,
  type Samples,
  type Vector,
  vectorOf,
} from "./values.ts";

/** @param isTimes the times of the samples in seconds instead of their values */
export async function evaluateSelector(
  selector: VectorSelector,
  context: Context,
  isTimes = false,
): Promise<Vector> {
  const { steps, budget } = context;
  const series = context.samplesOf(selector);
  budget.takeValues(series.length, steps.count);
  const columns: Column[] = [];
  for (const samples of series) {
    const column = sampleAt(samples, selector, context, isTimes);
    if (!isEmpty(column)) columns.push(column);
    await budget.pace();
  }
  return vectorOf(columns);
}

/** The left edge of the look-back is included, as in Prometheus 2. */
function sampleAt(
  { labels, times, values, stale }: Samples,
  selector: VectorSelector,
  context: Context,
  isTimes: boolean,
): Column {
  const { steps, lookbackMs } = context;
  const fixed = fixedInstant(selector, context);
  const column = emptyColumn(labels, steps.count);
  let next = 0;
  for (let step = 0; step < steps.count; step++) {
    const at = (fixed ?? instantOf(steps, step)) - selector.offsetMs;
    while (next < times.length && times[next]! <= at) next++;
    if (next === 0 || times[next - 1]! < at - lookbackMs || stale?.[next - 1] === 1) continue;
    column.values[step] = isTimes ? times[next - 1]! / 1000 : values[next - 1]!;
    column.present[step] = 1;
  }
  return column;
}
