// Expressions as JSON, in the shapes of Prometheus's `parse_query`.
import { NAME } from "../labels.ts";
import { typeOf } from "./check.ts";
import { type Binary, type Expression, type Place, setOps, type VectorSelector } from "./expression.ts";
import { formatNumber } from "./literals.ts";
import { signatures } from "./signatures.ts";

interface DescribedNode {
  readonly type: string;
  readonly [key: string]: unknown;
}

/** Spans and instants in ms. */
export function describeExpression(expression: Expression): DescribedNode {
  switch (expression.type) {
    case "number":
      return { type: "numberLiteral", val: formatNumber(expression.value) };
    case "string":
      return { type: "stringLiteral", val: expression.value };
    case "vector":
      return { type: "vectorSelector", ...describeSelector(expression) };
    case "range":
      return { type: "matrixSelector", range: expression.rangeMs, ...describeSelector(expression.selector) };
    case "subquery": {
      const { of, rangeMs: range, stepMs: step = 0 } = expression;
      return { type: "subquery", expr: describeExpression(of), range, step, ...describePlace(expression) };
    }
    case "call":
      return describeCall(expression.name, expression.args);
    case "aggregation": {
      const { op, of, param, grouping, isWithout: without } = expression;
      const described = { expr: describeExpression(of), param: param ? describeExpression(param) : null };
      return { type: "aggregation", op, ...described, grouping, without };
    }
    case "binary":
      return describeBinary(expression);
    case "unary":
      return { type: "unaryExpr", op: expression.op, expr: describeExpression(expression.of) };
    case "paren":
      return { type: "parenExpr", expr: describeExpression(expression.of) };
  }
}

function describeSelector(selector: VectorSelector) {
  const name = selector.matchers.find((matcher) => matcher.name === NAME && matcher.op === "=")?.value ?? "";
  const matchers = selector.matchers.map(({ name, op, value }) => ({ type: op, name, value }));
  return { name, matchers, ...describePlace(selector) };
}

function describePlace({ offsetMs: offset, at }: Place) {
  return {
    offset,
    timestamp: typeof at === "number" ? at : null,
    startOrEnd: typeof at === "string" ? at : null,
  };
}

function describeCall(name: string, args: readonly Expression[]): DescribedNode {
  const { args: argTypes, optional: variadic = 0, returns: returnType } = signatures.get(name)!;
  return { type: "call", func: { name, argTypes, variadic, returnType }, args: args.map(describeExpression) };
}

function describeBinary(expression: Binary): DescribedNode {
  const { op, left, right, isBool: bool, matching } = expression;
  const { isOn: on, labels, include, many } = matching;
  const isOfVectors = typeOf(left) === "vector" && typeOf(right) === "vector";
  const isSet = setOps.some((each) => each === op);
  const cards = { left: "many-to-one", right: "one-to-many" } as const;
  const card = many ? cards[many] : isSet ? "many-to-many" : "one-to-one";
  return {
    type: "binaryExpr",
    op,
    lhs: describeExpression(left),
    rhs: describeExpression(right),
    matching: isOfVectors ? { card, labels, on, include } : null,
    bool,
  };
}
