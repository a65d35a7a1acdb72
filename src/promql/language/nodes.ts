// Nodes of the grammar's tree: text, children, selectors, durations.
import type { SyntaxNode } from "@lezer/common";
import { badData, type PromqlError } from "../errors.ts";
import { labelName, NAME } from "../labels.ts";
import type { VectorSelector } from "./expression.ts";
import { parseDuration, parseString } from "./literals.ts";
import { checkMatchers, type Matcher, makeMatcher, matchOps } from "./matcher.ts";

/** The query that a tree was made from. */
export interface Source {
  readonly text: string;
}

export function textOf({ from, to }: SyntaxNode, { text }: Source): string {
  return text.slice(from, to);
}

/** Without comments. */
export function childrenOf(node: SyntaxNode): SyntaxNode[] {
  const children: SyntaxNode[] = [];
  for (let child = node.firstChild; child; child = child.nextSibling)
    if (child.name !== "LineComment") children.push(child);
  return children;
}

/** The error for a part of the language that is not evaluated here. */
export function refuse(node: SyntaxNode, source: Source): PromqlError {
  return badData(
    `${textOf(node, source).slice(0, 60)} is not supported; docs/promql.md lists what is`,
    node.from,
  );
}

/** The string within a node, such as a quoted name of a label. */
export function readStringOf(node: SyntaxNode, source: Source): string {
  const literal = node.name === "StringLiteral" ? node : node.getChild("StringLiteral")!;
  return parseString(textOf(literal, source), literal.from);
}

/** Names of labels in parentheses, those that are quoted as series have them. */
export function labelsOf(node: SyntaxNode, source: Source): string[] {
  return childrenOf(node).map((child) =>
    child.name === "LabelName" ? textOf(child, source) : labelName(readStringOf(child, source)),
  );
}

/** ms; negative where it is signed. @throws PromqlError `bad_data` for arithmetic in durations */
export function durationOf(node: SyntaxNode, source: Source): number {
  const [first, second] = childrenOf(node);
  if (first?.name === "UnaryOp" && second) {
    const ms = durationOf(second, source);
    return textOf(first, source) === "-" ? -ms : ms;
  }
  if (second || first?.name !== "NumberDurationLiteralInDurationContext") throw refuse(node, source);
  return parseDuration(textOf(first, source), first.from);
}

/** @throws PromqlError `bad_data` */
export function readSelector(node: SyntaxNode, source: Source): VectorSelector {
  const matchers: Matcher[] = [];
  const name = node.getChild("Identifier");
  if (name) matchers.push(makeMatcher(NAME, "=", textOf(name, source)));
  const list = node.getChild("LabelMatchers");
  for (const child of list ? childrenOf(list) : []) matchers.push(readMatcher(child, source));
  const names = matchers.filter((matcher) => matcher.name === NAME && matcher.op === "=");
  if (name && names.length > 1) throw badData("metric name must not be set twice", node.from);
  checkMatchers(matchers, node.from);
  return { type: "vector", matchers, offsetMs: 0 };
}

function readMatcher(node: SyntaxNode, source: Source): Matcher {
  if (node.name === "QuotedLabelName") return makeMatcher(NAME, "=", readStringOf(node, source));
  const [label, operator, value] = childrenOf(node);
  const name = label!.name === "LabelName" ? textOf(label!, source) : readStringOf(label!, source);
  const text = textOf(operator!, source);
  const op = matchOps.find((each) => each === text)!;
  return makeMatcher(name, op, readStringOf(value!, source));
}
