// Functions of range vectors, window by window.
import { executionError } from "../errors.ts";
import { dropName } from "../labels.ts";
import { type Expression, type RangeSelector, type Subquery, unwrap } from "../language/expression.ts";
import { formatNumber } from "../language/literals.ts";
import { type Context, fixedInstant } from "./context.ts";
import { rates } from "./rates.ts";
import { fitLine, type Line, maxOf, meanOf, minOf, quantileOf, sumOf, varianceOf } from "./statistics.ts";
import {
  type Column,
  emptyColumn,
  instantOf,
  isEmpty,
  joinColumns,
  type Samples,
  type Vector,
  vectorOf,
} from "./values.ts";
import { samplesIn, type Window, WindowCursor, type WindowFunction, type WindowPlan } from "./window.ts";

/** Samples that windows may hold between two calls of the yielder. */
const SAMPLES_PER_YIELD = 50_000;

const windowFunctions: Readonly<Record<string, WindowFunction>> = {
  ...rates,
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
  return Object.hasOwn(windowFunctions, name);
}

interface WindowCall {
  readonly name: string;
  readonly range: RangeSelector | Subquery;
  /** Samples of the range. */
  readonly series: readonly Samples[];
  /** Scalar arguments, a value per step. */
  readonly params: readonly Float64Array[];
}

/** Samples of one call in its windows. `last_over_time` keeps names, as it keeps values. */
export async function evaluateWindows(call: WindowCall, context: Context): Promise<Vector> {
  const { steps, budget } = context;
  budget.takeValues(call.series.length, steps.count);
  const plan = planWindows(call.range, context);
  const columns: Column[] = [];
  for (const samples of call.series) {
    const labels = call.name === "last_over_time" ? samples.labels : dropName(samples.labels);
    const column = emptyColumn(labels, steps.count);
    await fillColumn(column, { ...call, samples, plan }, context);
    if (!isEmpty(column)) columns.push(column);
    await budget.pace();
  }
  return vectorOf(joinColumns(columns));
}

/** Where the windows of a range lie. */
export function planWindows(range: RangeSelector | Subquery, context: Context): WindowPlan {
  const place = range.type === "range" ? range.selector : range;
  return { rangeMs: range.rangeMs, offsetMs: place.offsetMs, fixed: fixedInstant(place, context) };
}

async function fillColumn(
  { values, present }: Column,
  { name, params, samples, plan }: WindowCall & { readonly samples: Samples; readonly plan: WindowPlan },
  { steps, budget }: Context,
): Promise<void> {
  const compute = windowFunctions[name]!;
  const cursor = new WindowCursor(samples, plan);
  let visited = 0;
  for (let step = 0; step < steps.count; step++) {
    const window = cursor.at(instantOf(steps, step));
    if (!window) continue;
    const value =
      params.length === 0 ? compute(window) : compute(window, ...params.map((values) => values[step]!));
    if (value !== undefined) {
      values[step] = value;
      present[step] = 1;
    }
    visited += window.to - window.from;
    if (visited < SAMPLES_PER_YIELD) continue;
    await budget.pace();
    visited = 0;
  }
}

/** The range among the arguments of a call. */
export function findRange(args: readonly Expression[]): RangeSelector | Subquery | undefined {
  for (const arg of args) {
    const inner = unwrap(arg);
    if (inner.type === "range" || inner.type === "subquery") return inner;
  }
  return undefined;
}
