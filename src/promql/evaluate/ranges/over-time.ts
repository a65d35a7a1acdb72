// Functions of range vectors, window by window.
import { executionError } from "../../errors.ts";
import { haveOneName } from "../../labels.ts";
import { type Expression, type RangeSelector, type Subquery, unwrap } from "../../language/expression.ts";
import { formatNumber } from "../../language/literals.ts";
import { onceByTimes } from "../by-times.ts";
import { ColumnList, type ColumnSink } from "../columns.ts";
import { type Context, fixedInstant } from "../context.ts";
import { fitLine, type Line, maxOf, meanOf, minOf, quantileOf, sumOf, varianceOf } from "../statistics.ts";
import {
  type Column,
  instantOf,
  joinColumns,
  type Samples,
  type Steps,
  type Vector,
  vectorOf,
} from "../values.ts";
import { differences } from "./differences.ts";
import { extrapolateSome, fallsSomewhere, isExtrapolation, spansOf } from "./extrapolate.ts";
import {
  findWindows,
  samplesIn,
  type Window,
  type WindowFunction,
  type WindowPlan,
  type Windows,
} from "./window.ts";

/** Samples that windows may hold between two calls of the yielder. */
const SAMPLES_PER_YIELD = 50_000;

const windowFunctions: Readonly<Record<string, WindowFunction>> = {
  ...differences,
  deriv: (window) => lineOf(window, window.times[window.from]!)?.slope,
  predict_linear: (window, seconds = 0) => {
    const line = lineOf(window, window.stepAt);
    return line && line.slope * seconds + line.intercept;
  },
  avg_over_time: ({ values, from, to }) => meanOf(values, from, to),
  sum_over_time: ({ values, from, to }) => sumOf(values, from, to),
  min_over_time: ({ values, from, to }) => minOf(values, from, to),
  max_over_time: ({ values, from, to }) => maxOf(values, from, to),
  count_over_time: ({ from, to }) => to - from,
  last_over_time: ({ values, to }) => values[to - 1]!,
  present_over_time: () => 1,
  absent_over_time: () => 1,
  stddev_over_time: (window) => Math.sqrt(varianceOf(samplesIn(window).values)),
  stdvar_over_time: (window) => varianceOf(samplesIn(window).values),
  quantile_over_time: (window, q = 0) => quantileOf(q, samplesIn(window).values),
  holt_winters: smoothed,
  double_exponential_smoothing: smoothed,
};

/** @returns undefined for a single sample */
function lineOf(window: Window, interceptAt: number): Line | undefined {
  const { times, values } = samplesIn(window);
  return values.length < 2 ? undefined : fitLine(times, values, interceptAt);
}

/** Level at the end of the window, by Holt's linear method. @throws PromqlError `execution` for a factor not within 0 to 1 */
function smoothed(window: Window, level = 0, trend = 0): number | undefined {
  checkFactor("smoothing", level);
  checkFactor("trend", trend);
  const { values } = samplesIn(window);
  if (values.length < 2) return undefined;
  let [before, now, slope] = [0, values[0]!, values[1]! - values[0]!];
  for (let i = 1; i < values.length; i++) {
    if (i > 1) slope = trend * (now - before) + (1 - trend) * slope;
    [before, now] = [now, level * values[i]! + (1 - level) * (now + slope)];
  }
  return now;
}

function checkFactor(name: string, value: number): void {
  if (value <= 0 || value >= 1)
    throw executionError(`invalid ${name} factor. Expected: 0 < factor < 1, got: ${formatNumber(value)}`);
}

export function isWindowFunction(name: string): boolean {
  return isExtrapolation(name) || Object.hasOwn(windowFunctions, name);
}

export interface WindowCall {
  readonly name: string;
  readonly range: RangeSelector | Subquery;
  /** Samples of the range. */
  readonly series: readonly Samples[];
  /** Scalar arguments, a value per step. */
  readonly params: readonly Float64Array[];
}

/** Whether results lose the names of their series: `last_over_time` keeps them, as it keeps values. */
export function dropsNames({ name }: Pick<WindowCall, "name">): boolean {
  return name !== "last_over_time";
}

/** Samples of one call in its windows. */
export async function evaluateWindows(call: WindowCall, context: Context): Promise<Vector> {
  const list = new ColumnList(context.steps.count, dropsNames(call));
  await visitWindows(call, context, list);
  return vectorOf(haveOneName(call.series) ? list.columns : joinColumns(list.columns));
}

/** Gives the results of the series one after the other, with the labels of the series. */
export async function visitWindows(call: WindowCall, context: Context, sink: ColumnSink): Promise<void> {
  const { steps, budget } = context;
  budget.takeValues(call.series.length, steps.count);
  const plan = planWindows(call.range, context);
  const isExtrapolated = isExtrapolation(call.name);
  const placesOf = onceByTimes((times) => {
    const windows = findWindows(times, steps, plan);
    return { windows, spans: isExtrapolated ? spansOf(times, windows) : undefined };
  }, steps.count);
  for (const { labels, times, values } of call.series) {
    const column = sink.start(labels);
    const { windows, spans } = placesOf(times);
    const fill = { name: call.name, params: call.params, times, values, steps, windows, column };
    const falls = isExtrapolated && fallsSomewhere(values);
    for (let step = 0; step < steps.count; ) {
      step = spans
        ? extrapolateSome({ ...fill, falls, rangeMs: plan.rangeMs, spans }, step, SAMPLES_PER_YIELD)
        : fillSome(fill, step);
      const paused = budget.pace();
      if (paused) await paused;
    }
    sink.add(column);
  }
}

/** Where the windows of a range lie. */
export function planWindows(range: RangeSelector | Subquery, context: Context): WindowPlan {
  const place = range.type === "range" ? range.selector : range;
  return { rangeMs: range.rangeMs, offsetMs: place.offsetMs, fixed: fixedInstant(place, context) };
}

interface Fill extends Omit<WindowCall, "series" | "range">, Pick<Window, "times" | "values"> {
  readonly steps: Steps;
  readonly windows: Windows;
  readonly column: Column;
}

/** Fills steps from one on, until their windows have held `SAMPLES_PER_YIELD`. @returns the next step */
function fillSome({ name, params, times, values, steps, windows, column }: Fill, first: number): number {
  const compute = windowFunctions[name]!;
  // One for all, as there are as many as samples in the result.
  const window = { times, values, from: 0, to: 0, startAt: 0, endAt: 0, stepAt: 0 };
  let [step, left] = [first, SAMPLES_PER_YIELD];
  for (; step < steps.count && left > 0; step++) {
    window.from = windows.from[step]!;
    window.to = windows.to[step]!;
    if (window.from === window.to) continue;
    window.startAt = windows.startsAt[step]!;
    window.endAt = windows.endsAt[step]!;
    window.stepAt = instantOf(steps, step);
    const value =
      params.length === 0 ? compute(window) : compute(window, ...params.map((values) => values[step]!));
    left -= window.to - window.from;
    if (value === undefined) continue;
    column.values[step] = value;
    column.present[step] = 1;
  }
  return step;
}

/** The range among the arguments of a call. */
export function findRange(args: readonly Expression[]): RangeSelector | Subquery | undefined {
  for (const arg of args) {
    const inner = unwrap(arg);
    if (inner.type === "range" || inner.type === "subquery") return inner;
  }
  return undefined;
}
