// Queries: an expression evaluated at one instant, or at the steps of a range, over the series of a source.
import { badData } from "./errors.ts";
import { Budget, type QueryLimits } from "./evaluate/budget.ts";
import { type Context, planSelections, type Selection } from "./evaluate/context.ts";
import { evaluate, evaluateRange } from "./evaluate/evaluate.ts";
import { planWindows } from "./evaluate/ranges/over-time.ts";
import { findWindows } from "./evaluate/ranges/window.ts";
import { type Column, type Samples, type Steps, samplesOf, type Value } from "./evaluate/values.ts";
import { type Labels, sortByLabels } from "./labels.ts";
import { nameOfType, typeOf } from "./language/check.ts";
import {
  type Expression,
  type RangeSelector,
  type Subquery,
  unwrap,
  type VectorSelector,
} from "./language/expression.ts";

/** Gives the series that a selection matches, in order of their labels, with their samples in order of time. */
export type Select = (
  selection: Selection,
  budget: Budget,
  signal: AbortSignal,
) => Promise<readonly Samples[]>;

export interface QueryDeps {
  readonly select: Select;
  /** Other caps than those of `queryCaps`. */
  readonly limits?: QueryLimits;
  /** Age of the oldest sample that still is the value of a series. */
  readonly lookbackMs: number;
  readonly signal: AbortSignal;
}

/** Steps of a query; its end need not be one. */
export interface QuerySteps extends Steps {
  /** ms since the epoch, for `@ end()` */
  readonly endAt: number;
}

/** Samples of a series in a result; an instant vector has one each. */
export interface ResultSeries {
  readonly labels: Labels;
  /** ms since the epoch */
  readonly times: Float64Array;
  readonly values: Float64Array;
}

export type QueryResult =
  | { readonly type: "scalar"; readonly at: number; readonly value: number }
  | { readonly type: "string"; readonly at: number; readonly value: string }
  | { readonly type: "vector" | "matrix"; readonly series: readonly ResultSeries[] };

/**
 * Evaluates at one instant, ms since the epoch. A range selector answers its samples as a matrix.
 * @throws PromqlError; TorusError as of `select`, `canceled`, `deadline`
 */
export async function queryInstant(
  expression: Expression,
  at: number,
  deps: QueryDeps,
): Promise<QueryResult> {
  const context = await startContext(expression, { startAt: at, endAt: at, stepMs: 1, count: 1 }, deps);
  const inner = unwrap(expression);
  if (inner.type === "range" || inner.type === "subquery")
    return { type: "matrix", series: sortByLabels(await readRange(inner, context)) };
  const value = await evaluate(expression, context);
  if (value.type === "scalar") return { type: "scalar", at, value: value.values[0]! };
  if (value.type === "string") return { type: "string", at, value: value.value };
  return { type: "vector", series: await toSeries(value.columns, context) };
}

/**
 * Evaluates at each step of a range. Scalars become a series without labels.
 * @throws PromqlError; TorusError as of `select`, `canceled`, `deadline`
 */
export async function queryRange(
  expression: Expression,
  steps: QuerySteps,
  deps: QueryDeps,
): Promise<QueryResult> {
  const type = typeOf(expression);
  if (type !== "scalar" && type !== "vector")
    throw badData(
      `invalid expression type "${nameOfType(type)}" for range query, must be Scalar or instant Vector`,
    );
  const context = await startContext(expression, steps, deps);
  const value = await evaluate(expression, context);
  const series = await toSeries(columnsOf(value), context);
  return { type: "matrix", series: sortByLabels(series) };
}

async function startContext(
  expression: Expression,
  { endAt, ...steps }: QuerySteps,
  deps: QueryDeps,
): Promise<Context> {
  const { select, limits, lookbackMs, signal } = deps;
  const budget = new Budget(limits, signal);
  const ends = { startAt: steps.startAt, endAt };
  const selections = planSelections(expression, { steps, ...ends, lookbackMs });
  const selected = new Map<VectorSelector, readonly Samples[]>();
  for (const [selector, selection] of selections)
    selected.set(selector, await select(selection, budget, signal));
  const samplesOf = (selector: VectorSelector) => selected.get(selector) ?? [];
  return { steps, ...ends, lookbackMs, samplesOf, budget };
}

/** Samples of a range selector or a subquery, in the window of the only step. */
async function readRange(range: RangeSelector | Subquery, context: Context): Promise<ResultSeries[]> {
  const series = await evaluateRange(range, context);
  const plan = planWindows(range, context);
  return series.flatMap(({ labels, times, values }) => {
    const windows = findWindows(times, context.steps, plan);
    const [from, to] = [windows.from[0]!, windows.to[0]!];
    return from < to ? [{ labels, times: times.subarray(from, to), values: values.subarray(from, to) }] : [];
  });
}

function columnsOf(value: Value): readonly Column[] {
  if (value.type === "vector") return value.columns;
  const values = value.type === "scalar" ? value.values : new Float64Array(0);
  return [{ labels: new Map(), values, present: new Uint8Array(values.length).fill(1) }];
}

async function toSeries(columns: readonly Column[], { steps, budget }: Context): Promise<ResultSeries[]> {
  const series: ResultSeries[] = [];
  for (const column of columns) {
    const samples = samplesOf(column, steps);
    if (samples.times.length > 0) series.push(samples);
    await budget.pace();
  }
  return series;
}
