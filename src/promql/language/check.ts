// Types of expressions: each function, operator and aggregation has operands it is defined for.
import { badData } from "../errors.ts";
import {
  type Aggregation,
  type Binary,
  type Call,
  comparisons,
  type Expression,
  setOps,
  type ValueType,
} from "./expression.ts";
import { signatures } from "./signatures.ts";

const names: Readonly<Record<ValueType, string>> = {
  scalar: "scalar",
  string: "string",
  vector: "instant vector",
  matrix: "range vector",
};

const types = {
  number: "scalar",
  string: "string",
  vector: "vector",
  range: "matrix",
  subquery: "matrix",
} as const;

/** Type of a checked expression. */
export function typeOf(expression: Expression): ValueType {
  switch (expression.type) {
    case "call":
      return signatures.get(expression.name)!.returns;
    case "aggregation":
      return "vector";
    case "binary":
      return typeOf(expression.left) === "scalar" && typeOf(expression.right) === "scalar"
        ? "scalar"
        : "vector";
    case "unary":
    case "paren":
      return typeOf(expression.of);
    default:
      return types[expression.type];
  }
}

/** The type as people read it. */
export function nameOfType(type: ValueType): string {
  return names[type];
}

function assertType(expression: Expression, expected: ValueType, place: string): void {
  const type = typeOf(expression);
  if (type !== expected) throw badData(`expected type ${names[expected]} in ${place}, got ${names[type]}`);
}

/** @throws PromqlError `bad_data` for an unknown function, or arguments it does not take */
export function checkCall({ name, args }: Call): void {
  const signature = signatures.get(name);
  if (!signature) throw badData(`function ${name} is not supported; docs/promql.md lists those that are`);
  const { args: expected, optional = 0 } = signature;
  const least = optional < 0 ? expected.length - 1 : expected.length - optional;
  if (args.length < least)
    throw badData(`expected at least ${least} argument(s) in call to ${name}, got ${args.length}`);
  if (optional >= 0 && args.length > expected.length)
    throw badData(`expected at most ${expected.length} argument(s) in call to ${name}, got ${args.length}`);
  for (const [i, arg] of args.entries())
    assertType(arg, expected[i] ?? expected.at(-1)!, `call to function ${name}`);
}

/** @throws PromqlError `bad_data` */
export function checkAggregation({ op, of, param }: Aggregation): void {
  assertType(of, "vector", "aggregation expression");
  const wanted = op === "count_values" ? "string" : "scalar";
  const takesParam = ["topk", "bottomk", "quantile", "count_values"].includes(op);
  if (takesParam && !param)
    throw badData(`wrong number of arguments for aggregate expression provided, expected 2, got 1`);
  if (!takesParam && param)
    throw badData(`wrong number of arguments for aggregate expression provided, expected 1, got 2`);
  if (param) assertType(param, wanted, "aggregation parameter");
}

/** @throws PromqlError `bad_data` */
export function checkBinary({ op, left, right, isBool, matching }: Binary): void {
  const sides = [typeOf(left), typeOf(right)];
  for (const side of sides)
    if (side !== "scalar" && side !== "vector")
      throw badData("binary expression must contain only scalar and instant vector types");
  const isComparison = comparisons.some((each) => each === op);
  const isSet = setOps.some((each) => each === op);
  if (isBool && !isComparison) throw badData("bool modifier can only be used on comparison operators");
  const scalars = sides.filter((side) => side === "scalar").length;
  if (isComparison && !isBool && scalars === 2)
    throw badData("comparisons between scalars must use BOOL modifier");
  if (isSet && scalars > 0) throw badData(`set operator "${op}" not allowed in binary scalar expression`);
  if (matching.labels.length > 0 && scalars > 0)
    throw badData("vector matching only allowed between instant vectors");
  if (isSet && matching.many) throw badData(`no grouping allowed for "${op}" operation`);
  const twice = matching.isOn && matching.include.find((label) => matching.labels.includes(label));
  if (twice) throw badData(`label "${twice}" must not occur in ON and GROUP clause at once`);
}

/** @throws PromqlError `bad_data` */
export function checkUnary(of: Expression): void {
  const type = typeOf(of);
  if (type !== "scalar" && type !== "vector")
    throw badData(
      `unary expression only allowed on expressions of type scalar or instant vector, got "${names[type]}"`,
    );
}
