// Signatures of the PromQL functions: argument types and result type.
import type { ValueType } from "./expression.ts";

interface Signature {
  readonly args: readonly ValueType[];
  /** Arguments at the end that may be left out; -1: the last one may be repeated, or left out. */
  readonly optional?: number;
  readonly returns: ValueType;
}

const unaries = [
  ...["abs", "ceil", "exp", "floor", "ln", "log10", "log2", "sgn", "sqrt", "deg", "rad"],
  ...["acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "sin", "sinh", "tan", "tanh"],
  ...["sort", "sort_desc", "timestamp", "absent"],
];
const overTime = [
  ...["rate", "irate", "increase", "delta", "idelta", "deriv", "changes", "resets"],
  ...["avg", "min", "max", "sum", "count", "last", "stddev", "stdvar", "present", "absent"].map(
    (name) => `${name}_over_time`,
  ),
];
const ofDates = [
  ...["minute", "hour", "day_of_week", "day_of_month", "day_of_year", "days_in_month", "month", "year"],
];

const of = (returns: ValueType, args: readonly ValueType[], optional = 0): Signature => ({
  args,
  optional,
  returns,
});

export const signatures: ReadonlyMap<string, Signature> = new Map<string, Signature>([
  ...unaries.map((name): [string, Signature] => [name, of("vector", ["vector"])]),
  ...overTime.map((name): [string, Signature] => [name, of("vector", ["matrix"])]),
  ...ofDates.map((name): [string, Signature] => [name, of("vector", ["vector"], 1)]),
  ["quantile_over_time", of("vector", ["scalar", "matrix"])],
  ["predict_linear", of("vector", ["matrix", "scalar"])],
  ["holt_winters", of("vector", ["matrix", "scalar", "scalar"])],
  ["double_exponential_smoothing", of("vector", ["matrix", "scalar", "scalar"])],
  ["histogram_quantile", of("vector", ["scalar", "vector"])],
  ["histogram_fraction", of("vector", ["scalar", "scalar", "vector"])],
  ["round", of("vector", ["vector", "scalar"], 1)],
  ["clamp", of("vector", ["vector", "scalar", "scalar"])],
  ["clamp_min", of("vector", ["vector", "scalar"])],
  ["clamp_max", of("vector", ["vector", "scalar"])],
  ["label_replace", of("vector", ["vector", "string", "string", "string", "string"])],
  ["label_join", of("vector", ["vector", "string", "string", "string"], -1)],
  ["vector", of("vector", ["scalar"])],
  ["scalar", of("scalar", ["vector"])],
  ["time", of("scalar", [])],
  ["pi", of("scalar", [])],
]);
