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
  let known: { readonly times: Float64Array; readonly places: Int32Array } | undefined;
  for (const samples of series) {
    const { times } = samples;
    if (known?.times !== times) known = { times, places: placesIn(times, selector, context) };
    const column = columnAt(samples, known.places, isTimes);
    if (!isEmpty(column)) columns.push(column);
    await budget.pace();
  }
  return vectorOf(columns);
}

/** Place of the sample of each step; -1: none. The left edge of the look-back is included, as in Prometheus 2. */
function placesIn(
  times: Float64Array,
  selector: VectorSelector,
  { steps, lookbackMs, ...ends }: Context,
): Int32Array {
  const fixed = fixedInstant(selector, ends);
  const places = new Int32Array(steps.count);
  let next = 0;
  for (let step = 0; step < steps.count; step++) {
    const at = (fixed ?? instantOf(steps, step)) - selector.offsetMs;
    while (next < times.length && times[next]! <= at) next++;
    places[step] = next === 0 || times[next - 1]! < at - lookbackMs ? -1 : next - 1;
  }
  return places;
}

function columnAt({ labels, times, values, stale }: Samples, places: Int32Array, isTimes: boolean): Column {
  const column = emptyColumn(labels, places.length);
  for (let step = 0; step < places.length; step++) {
    const place = places[step]!;
    if (place < 0 || stale?.[place] === 1) continue;
    column.values[step] = isTimes ? times[place]! / 1000 : values[place]!;
    column.present[step] = 1;
  }
  return column;
}
