// Parser of PromQL: the tree of Prometheus's own grammar becomes a typed expression; the rest is refused by name.
import type { SyntaxNode } from "@lezer/common";
import { badData } from "../errors.ts";
import { checkAggregation, checkBinary, checkCall, checkUnary } from "./check.ts";
import { type AggregateOp, aggregateOps, type Binary, type Expression, type Matching } from "./expression.ts";
import { formatNumber, parseNumber, parseString } from "./literals.ts";
import { childrenOf, durationOf, readSelector, readStringOf, refuse, type Source, textOf } from "./nodes.ts";
import { setAt, setOffset } from "./place.ts";

const MAX_LENGTH = 20_000;
/** Deepest nesting, a chain of operators included. */
const MAX_DEPTH = 200;

/** Parses and checks a query. @throws PromqlError `bad_data` naming the place, or what is not supported */
export function parseQuery(text: string): Expression {
  if (text.trim() === "") throw badData("no expression found in input");
  if (text.length > MAX_LENGTH)
    throw badData(`a query has at most ${MAX_LENGTH} characters, this one ${text.length}`);
  const tree = load().parser.parse(text);
  const source: Source = { text };
  checkSyntax(tree.topNode, text);
  return readExpression(childrenOf(tree.topNode)[0]!, source, 0);
}

/** Loaded at the first query: its tables take some ms. */
function load() {
  return require("@prometheus-io/lezer-promql") as typeof import("@prometheus-io/lezer-promql");
}

/** Without recursion: nothing is known yet about the depth. @throws PromqlError `bad_data` */
function checkSyntax(top: SyntaxNode, text: string): void {
  const cursor = top.cursor();
  let depth = 0;
  for (;;) {
    if (cursor.type.isError) throw explainError(text, cursor.from);
    if (cursor.firstChild()) {
      if (++depth > 4 * MAX_DEPTH) throw tooDeep();
      continue;
    }
    while (!cursor.nextSibling()) {
      if (!cursor.parent()) return;
      depth--;
    }
  }
}

/** An identifier before a bracket is a function that the grammar does not know. */
function explainError(text: string, at: number) {
  const [, called] = /([a-zA-Z_]\w*)\s*$/.exec(text.slice(Math.max(0, at - 100), at)) ?? [];
  if (called && text[at] === "(") return badData(`unknown function with name "${called}"`, at);
  const found = text.slice(at, at + 20);
  return badData(found === "" ? "unexpected end of input" : `unexpected ${JSON.stringify(found)}`, at);
}

function tooDeep() {
  return badData(`the query is nested deeper than ${MAX_DEPTH} levels: part it into several`);
}

function readExpression(node: SyntaxNode, source: Source, depth: number): Expression {
  if (depth > MAX_DEPTH) throw tooDeep();
  const read = (child: SyntaxNode) => readExpression(child, source, depth + 1);
  const children = childrenOf(node);
  switch (node.name) {
    case "NumberDurationLiteral":
      return { type: "number", value: parseNumber(textOf(node, source), node.from) };
    case "StringLiteral":
      return { type: "string", value: parseString(textOf(node, source), node.from) };
    case "VectorSelector":
      return readSelector(node, source);
    case "MatrixSelector":
      return readRange(node, source, read);
    case "SubqueryExpr":
      return readSubquery(node, source, read);
    case "OffsetExpr":
      return setOffset(read(children[0]!), durationOf(children.at(-1)!, source), node.from);
    case "StepInvariantExpr":
      return setAt(read(children[0]!), instantOf(children.at(-1)!, source), node.from);
    case "ParenExpr":
      return { type: "paren", of: read(children[0]!) };
    case "UnaryExpr":
      return readUnary(node, source, read);
    case "FunctionCall":
      return readCall(node, source, read);
    case "AggregateExpr":
      return readAggregation(node, source, read);
    case "BinaryExpr":
      return readBinary(node, source, read);
    default:
      throw refuse(node, source);
  }
}

type Read = (child: SyntaxNode) => Expression;

function readRange(node: SyntaxNode, source: Source, read: Read): Expression {
  const [of, duration] = childrenOf(node);
  const selector = read(of!);
  if (selector.type !== "vector") throw badData("ranges only allowed for vector selectors", node.from);
  if (selector.at !== undefined) throw badData("no @ modifiers allowed before range", node.from);
  if (selector.offsetMs !== 0) throw badData("no offset modifiers allowed before range", node.from);
  return { type: "range", selector, rangeMs: spanOf(duration!, source) };
}

function readSubquery(node: SyntaxNode, source: Source, read: Read): Expression {
  const [of, range, step] = childrenOf(node);
  const inner = read(of!);
  checkUnary(inner);
  const rangeMs = spanOf(range!, source);
  return { type: "subquery", of: inner, rangeMs, offsetMs: 0, ...(step && { stepMs: spanOf(step, source) }) };
}

/** A duration that must not be zero. */
function spanOf(node: SyntaxNode, source: Source): number {
  const ms = durationOf(node, source);
  if (ms <= 0) throw badData("duration must be greater than 0", node.from);
  return ms;
}

/** Of `@`: seconds since the epoch, as ms, or an end of the range. */
function instantOf(node: SyntaxNode, source: Source): number | "start" | "end" {
  if (node.name === "AtModifierPreprocessors") return node.firstChild!.name === "AtStart" ? "start" : "end";
  const seconds = parseNumber(textOf(node, source), node.from);
  if (!Number.isFinite(seconds) || Math.abs(seconds) > 9e12)
    throw badData(`timestamp out of bounds for @ modifier: ${formatNumber(seconds)}`, node.from);
  return Math.round(seconds * 1000);
}

function readUnary(node: SyntaxNode, source: Source, read: Read): Expression {
  const [operator, of] = childrenOf(node);
  const inner = read(of!);
  checkUnary(inner);
  const op = textOf(operator!, source) === "-" ? "-" : "+";
  if (inner.type === "number") return { type: "number", value: op === "-" ? -inner.value : inner.value };
  return { type: "unary", op, of: inner };
}

function readCall(node: SyntaxNode, source: Source, read: Read): Expression {
  const [identifier, body] = childrenOf(node);
  const name = textOf(identifier!, source);
  // By its name first: arguments of an unknown function may be unknown, too.
  checkKnown(name, node);
  const call = { type: "call" as const, name, args: childrenOf(body!).map(read) };
  checkCall(call);
  return call;
}

function checkKnown(name: string, node: SyntaxNode): void {
  if (/^histogram_/.test(name))
    throw badData(`function ${name} is not supported: there are no histograms here`, node.from);
}

function readAggregation(node: SyntaxNode, source: Source, read: Read): Expression {
  const children = childrenOf(node);
  const find = (name: string) => children.find((child) => child.name === name);
  const op = textOf(find("AggregateOp")!, source).toLowerCase();
  if (!isAggregate(op)) throw badData(`aggregation ${op} is not supported`, node.from);
  const args = childrenOf(find("FunctionCallBody")!).map(read);
  if (args.length === 0 || args.length > 2)
    throw badData(
      `wrong number of arguments for aggregate expression provided, got ${args.length}`,
      node.from,
    );
  const modifier = find("AggregateModifier");
  const aggregation = {
    type: "aggregation" as const,
    op,
    of: args.at(-1)!,
    ...(args.length > 1 && { param: args[0]! }),
    grouping: modifier ? labelsOf(modifier.lastChild!, source) : [],
    isWithout: modifier?.firstChild?.name === "Without",
  };
  checkAggregation(aggregation);
  return aggregation;
}

function isAggregate(op: string): op is AggregateOp {
  return aggregateOps.some((each) => each === op);
}

function labelsOf(node: SyntaxNode, source: Source): string[] {
  return childrenOf(node).map((child) =>
    child.name === "LabelName" ? textOf(child, source) : readStringOf(child, source),
  );
}

const operators: Readonly<Record<string, Binary["op"]>> = {
  ...{ Add: "+", Sub: "-", Mul: "*", Div: "/", Mod: "%", Pow: "^", Atan2: "atan2" },
  ...{ Eql: "==", Neq: "!=", Lss: "<", Lte: "<=", Gtr: ">", Gte: ">=" },
  ...{ And: "and", Or: "or", Unless: "unless" },
};

function readBinary(node: SyntaxNode, source: Source, read: Read): Expression {
  const [left, operator, ...rest] = childrenOf(node);
  const op = operators[operator!.name];
  if (!op) throw refuse(operator!, source);
  const modifiers = rest.slice(0, -1);
  const find = (name: string) => modifiers.find((modifier) => modifier.name === name);
  const fill = find("FillModifier");
  if (fill) throw refuse(fill, source);
  const base = read(left!);
  // The grammar takes the sign of a number as part of it, but a power binds stronger than a sign.
  const isNegative = op === "^" && base.type === "number" && /^[+-]/.test(textOf(left!, source));
  const binary = {
    type: "binary" as const,
    op,
    left: isNegative ? { ...base, value: Math.abs(base.value) } : base,
    right: read(rest.at(-1)!),
    isBool: find("BoolModifier") !== undefined,
    matching: readMatching(find("MatchingModifierClause"), source),
  };
  checkBinary(binary);
  const isMinus = isNegative && textOf(left!, source).startsWith("-");
  return isMinus ? { type: "unary", op: "-", of: binary } : binary;
}

function readMatching(node: SyntaxNode | undefined, source: Source): Matching {
  if (!node) return { isOn: false, labels: [], include: [], isExplicit: false };
  const [how, labels, group, include] = childrenOf(node);
  return {
    isOn: how!.name === "On",
    labels: labelsOf(labels!, source),
    ...(group && { many: group.name === "GroupLeft" ? ("left" as const) : ("right" as const) }),
    include: include ? labelsOf(include, source) : [],
    isExplicit: true,
  };
}
