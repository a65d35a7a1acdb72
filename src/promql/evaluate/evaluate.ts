// Evaluation of expressions over the steps of a query.
import { dropName, haveOneName, noLabels } from "../labels.ts";
import {
  type Aggregation,
  type Call,
  type Expression,
  type RangeSelector,
  type Subquery,
  setOps,
  unwrap,
} from "../language/expression.ts";
import { absenceOf, absenceOfSelector } from "./absence.ts";
import { aggregate } from "./aggregate.ts";
import { combineScalars, combineVectors, combineWithScalar } from "./binary.ts";
import { type Context, stepsWithin } from "./context.ts";
import { dateFunctions, elementFunctions } from "./elements.ts";
import { FoldedGroups, isFold } from "./fold.ts";
import { evaluateHistograms, isHistogramFunction } from "./histograms.ts";
import { joinLabels, replaceLabel } from "./label-functions.ts";
import {
  dropsNames,
  evaluateWindows,
  findRange,
  isWindowFunction,
  visitWindows,
  type WindowCall,
} from "./ranges/over-time.ts";
import { constant, ofScalar, timesOf, toScalar } from "./scalars.ts";
import { evaluateSelector, visitSelector } from "./select.ts";
import { combineSets } from "./sets.ts";
import { sortColumns } from "./sort.ts";
import {
  type Column,
  emptyColumn,
  isEmpty,
  joinColumns,
  type Samples,
  type Scalar,
  samplesOf,
  type Value,
  type Vector,
  vectorOf,
} from "./values.ts";

/** @throws PromqlError; TorusError `canceled` or `deadline` */
export async function evaluate(expression: Expression, context: Context): Promise<Value> {
  const value = await evaluateNode(expression, context);
  await context.budget.pace();
  return value;
}

async function evaluateNode(expression: Expression, context: Context): Promise<Value> {
  switch (expression.type) {
    case "number":
      return constant(expression.value, context);
    case "string":
      return { type: "string", value: expression.value };
    case "vector":
      return evaluateSelector(expression, context);
    case "paren":
      return evaluate(expression.of, context);
    case "unary":
      return negate(await evaluate(expression.of, context), expression.op === "-", context);
    case "call":
      return evaluateCall(expression, context);
    case "aggregation":
      return evaluateAggregation(expression, context);
    case "binary":
      return evaluateBinary(expression, context);
    case "range":
    case "subquery":
      throw new Error("a range vector is no value of a step");
  }
}

async function evaluateAggregation(aggregation: Aggregation, context: Context): Promise<Vector> {
  const folded = isFold(aggregation.op) && (await foldSelected(aggregation, context));
  if (folded) return folded;
  const param = aggregation.param && (await evaluate(aggregation.param, context));
  const vector = asVector(await evaluate(aggregation.of, context));
  return aggregate(aggregation, { vector, param }, context);
}

/** Of a selector, or of a function of ranges: series by series, none of which is kept. @returns undefined for others */
async function foldSelected(aggregation: Aggregation, context: Context): Promise<Vector | undefined> {
  const of = unwrap(aggregation.of);
  if (of.type === "vector") {
    const groups = new FoldedGroups(aggregation, context);
    await visitSelector(of, context, groups);
    return groups.finish();
  }
  if (of.type !== "call" || !isWindowFunction(of.name) || of.name === "absent_over_time") return undefined;
  const call = await readWindows(of, context);
  // Of series with several names some may be alike without them.
  if (!haveOneName(call.series))
    return aggregate(
      aggregation,
      { vector: await evaluateWindows(call, context), param: undefined },
      context,
    );
  const groups = new FoldedGroups(aggregation, context, dropsNames(call));
  await visitWindows(call, context, groups);
  return groups.finish();
}

async function evaluateBinary(
  { op, left, right, isBool, matching }: Extract<Expression, { type: "binary" }>,
  context: Context,
): Promise<Value> {
  const a = await evaluate(left, context);
  const b = await evaluate(right, context);
  const setOp = setOps.find((each) => each === op);
  if (setOp) return combineSets({ op: setOp, matching }, { left: asVector(a), right: asVector(b) }, context);
  const binary = { op: op as Exclude<typeof op, (typeof setOps)[number]>, isBool, matching };
  if (a.type === "scalar" && b.type === "scalar") return combineScalars(binary, [a, b], context);
  if (a.type === "scalar")
    return combineWithScalar(binary, { vector: asVector(b), scalar: a, isScalarLeft: true }, context);
  if (b.type === "scalar")
    return combineWithScalar(binary, { vector: asVector(a), scalar: b, isScalarLeft: false }, context);
  return combineVectors(binary, { left: asVector(a), right: asVector(b) }, context);
}

async function negate(value: Value, isNegative: boolean, { steps, budget }: Context): Promise<Value> {
  if (!isNegative || value.type === "string") return value;
  budget.takeValues(value.type === "scalar" ? 1 : value.columns.length, steps.count);
  if (value.type === "scalar") return { type: "scalar", values: value.values.map((each) => -each) };
  const columns: Column[] = [];
  for (const { labels, values, present } of value.columns) {
    columns.push({ labels: dropName(labels), values: values.map((each) => -each), present });
    await budget.pace();
  }
  return vectorOf(joinColumns(columns));
}

async function evaluateCall(call: Call, context: Context): Promise<Value> {
  const { name, args } = call;
  if (isWindowFunction(name)) return evaluateOverTime(call, context);
  const first = args[0] && unwrap(args[0]);
  if (name === "timestamp" && first?.type === "vector")
    return withoutNames(await evaluateSelector(first, context, true));
  if (name === "absent" && first?.type === "vector") return absenceOfSelector(first, context);
  const values: Value[] = [];
  for (const arg of args) values.push(await evaluate(arg, context));
  if (Object.hasOwn(elementFunctions, name)) return mapElements(name, values, context);
  if (isHistogramFunction(name)) {
    const params = values.slice(0, -1).map((value) => (value as Scalar).values);
    return evaluateHistograms(name, { vector: asVector(values.at(-1)!), params }, context);
  }
  switch (name) {
    case "time":
      return timesOf(context);
    case "pi":
      return constant(Math.PI, context);
    case "vector":
      return vectorOf([{ labels: noLabels, ...ofScalar(values[0] as Scalar) }]);
    case "scalar":
      return toScalar(asVector(values[0]!), context);
    case "timestamp":
      return ofSteps(asVector(values[0]!), context);
    case "absent":
      return absenceOf(asVector(values[0]!), undefined, context);
    case "label_replace":
      return replaceLabel(asVector(values[0]!), values.slice(1).map(textOf), context);
    case "label_join":
      return joinLabels(asVector(values[0]!), values.slice(1).map(textOf), context);
    default:
      return vectorOf(sortColumns(asVector(values[0]!).columns, { isDescending: name === "sort_desc" }));
  }
}

async function readWindows({ name, args }: Call, context: Context): Promise<WindowCall> {
  const range = findRange(args)!;
  const params: Float64Array[] = [];
  for (const arg of args)
    if (unwrap(arg) !== range) params.push(((await evaluate(arg, context)) as Scalar).values);
  return { name, range, series: await evaluateRange(range, context), params };
}

async function evaluateOverTime(of: Call, context: Context): Promise<Vector> {
  const call = await readWindows(of, context);
  const result = await evaluateWindows(call, context);
  if (call.name !== "absent_over_time") return result;
  const { range } = call;
  return absenceOf(result, range.type === "range" ? range.selector : undefined, context);
}

/** The samples of a range selector without stale markers, or of a subquery. */
export async function evaluateRange(
  range: RangeSelector | Subquery,
  context: Context,
): Promise<readonly Samples[]> {
  if (range.type === "subquery") return evaluateSubquery(range, context);
  return context.samplesOf(range.selector).map(withoutStale);
}

function withoutStale(samples: Samples): Samples {
  const { labels, times, values, stale } = samples;
  if (!stale) return samples;
  const isSample = (_: number, i: number) => stale[i] === 0;
  return { labels, times: times.filter(isSample), values: values.filter(isSample) };
}

/** The samples of a subquery at its own steps. */
async function evaluateSubquery(subquery: Subquery, context: Context): Promise<Samples[]> {
  const { budget } = context;
  const steps = stepsWithin(subquery, context.steps, context);
  budget.check("steps", steps.count);
  if (steps.count === 0) return [];
  const value = await evaluate(subquery.of, { ...context, steps });
  const columns =
    value.type === "scalar" ? [{ labels: noLabels, ...ofScalar(value) }] : asVector(value).columns;
  const series: Samples[] = [];
  for (const column of columns) {
    series.push(samplesOf(column, steps));
    await budget.pace();
  }
  return series;
}

async function mapElements(
  name: string,
  [first, ...rest]: readonly Value[],
  context: Context,
): Promise<Vector> {
  const { steps, budget } = context;
  const apply = elementFunctions[name]!;
  const params = rest.map((value) => (value as Scalar).values);
  const isNow = first === undefined && dateFunctions.has(name);
  const vector = isNow ? vectorOf([{ labels: noLabels, ...ofScalar(timesOf(context)) }]) : asVector(first!);
  budget.takeValues(vector.columns.length, steps.count);
  const columns: Column[] = [];
  for (const { labels, values, present } of vector.columns) {
    const column = emptyColumn(dropName(labels), steps.count);
    for (let step = 0; step < steps.count; step++) {
      if (present[step] === 0) continue;
      const value = apply(values[step]!, { params, step });
      if (value === undefined) continue;
      column.values[step] = value;
      column.present[step] = 1;
    }
    if (!isEmpty(column)) columns.push(column);
    await budget.pace();
  }
  return vectorOf(joinColumns(columns));
}

/** Of what is computed, the time of the step. */
function ofSteps({ columns }: Vector, context: Context): Vector {
  context.budget.takeValues(columns.length, 0);
  const { values } = timesOf(context);
  return withoutNames(vectorOf(columns.map((column) => ({ ...column, values }))));
}

function withoutNames({ columns }: Vector): Vector {
  return vectorOf(joinColumns(columns.map((column) => ({ ...column, labels: dropName(column.labels) }))));
}

function asVector(value: Value): Vector {
  if (value.type !== "vector") throw new Error(`a ${value.type} where a vector has to be`);
  return value;
}

function textOf(value: Value): string {
  return value.type === "string" ? value.value : "";
}
