// Instant selectors: at each step the newest sample that is not older than the look-back; none after a stale marker.
import type { VectorSelector } from "../language/expression.ts";
import { onceByTimes } from "./by-times.ts";
import { ColumnList, type ColumnSink } from "./columns.ts";
import { type Context, fixedInstant } from "./context.ts";
import { type Column, instantOf, type Samples, type Vector, vectorOf } from "./values.ts";

/** @param isTimes the times of the samples in seconds instead of their values */
export async function evaluateSelector(
  selector: VectorSelector,
  context: Context,
  isTimes = false,
): Promise<Vector> {
  const list = new ColumnList(context.steps.count);
  await visitSelector(selector, context, list, isTimes);
  return vectorOf(list.columns);
}

/** Gives the series one after the other. */
export async function visitSelector(
  selector: VectorSelector,
  context: Context,
  sink: ColumnSink,
  isTimes = false,
): Promise<void> {
  const { steps, budget } = context;
  const series = context.samplesOf(selector);
  budget.takeValues(series.length, steps.count);
  const placesOf = createFinder(selector, context);
  for (const samples of series) {
    const column = sink.start(samples.labels);
    fillColumn(column, samples, placesOf(samples.times), isTimes);
    sink.add(column);
    await budget.pace();
  }
}

/** 1 at steps where a selector finds a sample of any series; looks at no more series once all have one. */
export async function coverSteps(selector: VectorSelector, context: Context): Promise<Uint8Array> {
  const { steps, budget } = context;
  budget.takeValues(1, steps.count);
  const covered = new Uint8Array(steps.count);
  const placesOf = createFinder(selector, context);
  for (const { times, stale } of context.samplesOf(selector)) {
    const places = placesOf(times);
    for (let step = 0; step < steps.count; step++)
      if (places[step]! >= 0 && stale?.[places[step]!] !== 1) covered[step] = 1;
    if (!covered.includes(0)) break;
    await budget.pace();
  }
  return covered;
}

function createFinder(selector: VectorSelector, context: Context): (times: Float64Array) => Int32Array {
  return onceByTimes((times) => placesIn(times, selector, context), context.steps.count);
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

function fillColumn(
  column: Column,
  { times, values, stale }: Samples,
  places: Int32Array,
  isTimes: boolean,
): void {
  for (let step = 0; step < places.length; step++) {
    const place = places[step]!;
    if (place < 0 || stale?.[place] === 1) continue;
    column.values[step] = isTimes ? times[place]! / 1000 : values[place]!;
    column.present[step] = 1;
  }
}
