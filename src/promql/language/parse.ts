// Parser of PromQL: the tree of Prometheus's own grammar becomes a typed expression; the rest is refused by name.
import type { SyntaxNode } from "@lezer/common";
import { badData } from "../errors.ts";
import { readChain } from "./chain.ts";
import { checkAggregation, checkCall } from "./check.ts";
import { type AggregateOp, aggregateOps, type Expression } from "./expression.ts";
import { legible } from "./legible.ts";
import { parseNumber, parseString } from "./literals.ts";
import { childrenOf, labelsOf, readSelector, refuse, type Source, textOf } from "./nodes.ts";
import { signatures } from "./signatures.ts";

const MAX_LENGTH = 20_000;
/** Deepest nesting, a chain of operators included. */
const MAX_DEPTH = 200;

/** Parses and checks a query. @throws PromqlError `bad_data` naming the place, or what is not supported */
export function parseQuery(text: string): Expression {
  if (text.trim() === "") throw badData("no expression found in input");
  if (text.length > MAX_LENGTH)
    throw badData(`a query has at most ${MAX_LENGTH} characters, this one ${text.length}`);
  const tree = load().parser.parse(legible(text));
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
  const readOperand = (operand: SyntaxNode, deep: number) => readOne(operand, source, deep);
  return readChain(node, depth, { source, readOperand, checkDepth });
}

function checkDepth(depth: number): void {
  if (depth > MAX_DEPTH) throw tooDeep();
}

function readOne(node: SyntaxNode, source: Source, depth: number): Expression {
  const read = (child: SyntaxNode) => readExpression(child, source, depth + 1);
  switch (node.name) {
    case "NumberDurationLiteral":
      return { type: "number", value: parseNumber(textOf(node, source).replace(/^[+-]/, ""), node.from) };
    case "StringLiteral":
      return { type: "string", value: parseString(textOf(node, source), node.from) };
    case "VectorSelector":
      return readSelector(node, source);
    case "ParenExpr":
      return { type: "paren", of: read(childrenOf(node)[0]!) };
    case "FunctionCall":
      return readCall(node, source, read);
    case "AggregateExpr":
      return readAggregation(node, source, read);
    default:
      throw refuse(node, source);
  }
}

type Read = (child: SyntaxNode) => Expression;

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
  if (/^histogram_/.test(name) && !signatures.has(name))
    throw badData(
      `function ${name} is not supported: it is of native histograms, which are not stored; docs/promql.md lists those that are`,
      node.from,
    );
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
