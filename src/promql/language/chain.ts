// Chains of operands and operators: the grammar, made for editors, ends an operand too late for `offset`, `@` and `[`.
// Precedence: https://prometheus.io/docs/prometheus/latest/querying/operators/#binary-operator-precedence
import type { SyntaxNode } from "@lezer/common";
import { badData } from "../errors.ts";
import { checkBinary, checkUnary, typeOf } from "./check.ts";
import type { Binary, Expression, Matching } from "./expression.ts";
import { formatNumber, parseNumber } from "./literals.ts";
import { childrenOf, durationOf, labelsOf, refuse, type Source, textOf } from "./nodes.ts";
import { setAt, setOffset } from "./place.ts";

/** A part of a chain, in the order of the text; of an operator with its modifiers. */
type Link =
  | { readonly type: "operand" | "suffix"; readonly node: SyntaxNode }
  | { readonly type: "sign"; readonly sign: string }
  | { readonly type: "operator"; readonly nodes: readonly SyntaxNode[] };

/** Operators by their nodes, weakest first. */
const operators = [
  { Or: "or" },
  { And: "and", Unless: "unless" },
  { Eql: "==", Neq: "!=", Lss: "<", Lte: "<=", Gtr: ">", Gte: ">=" },
  { Add: "+", Sub: "-" },
  { Mul: "*", Div: "/", Mod: "%", Atan2: "atan2" },
  { Pow: "^" },
] as const satisfies readonly Readonly<Record<string, Binary["op"]>>[];
const levels: ReadonlyMap<string, readonly [op: Binary["op"], level: number]> = new Map(
  operators.flatMap((group, level) =>
    Object.entries(group).map(([name, op]) => [name, [op, level] as const] as const),
  ),
);
/** Of `^`, which binds to the right, and stronger than a sign. */
const POWER = operators.length - 1;

interface ChainContext {
  readonly source: Source;
  readonly readOperand: (node: SyntaxNode, depth: number) => Expression;
  /** @throws PromqlError `bad_data` beyond the deepest nesting */
  readonly checkDepth: (depth: number) => void;
}

/** Reads an expression by the precedence of Prometheus. @throws PromqlError `bad_data` */
export function readChain(node: SyntaxNode, depth: number, context: ChainContext): Expression {
  const links: Link[] = [];
  addLinks(node, links, context.source);
  return new Chain(links, context).read(depth, 0);
}

function addLinks(node: SyntaxNode, links: Link[], source: Source): void {
  const add = (child: SyntaxNode) => addLinks(child, links, source);
  const children = childrenOf(node);
  switch (node.name) {
    case "BinaryExpr":
      add(children[0]!);
      links.push({ type: "operator", nodes: children.slice(1, -1) });
      add(children.at(-1)!);
      return;
    case "UnaryExpr":
      links.push({ type: "sign", sign: textOf(children[0]!, source) });
      add(children[1]!);
      return;
    case "MatrixSelector":
    case "SubqueryExpr":
    case "OffsetExpr":
    case "StepInvariantExpr":
      add(children[0]!);
      links.push({ type: "suffix", node });
      return;
    case "NumberDurationLiteral": {
      // The grammar takes the sign of a number as part of it.
      const sign = /^[+-]/.exec(textOf(node, source))?.[0];
      if (sign) links.push({ type: "sign", sign });
    }
  }
  links.push({ type: "operand", node });
}

class Chain {
  #next = 0;

  constructor(
    private readonly links: readonly Link[],
    private readonly context: ChainContext,
  ) {}

  /** @param least level of the operators that belong to it */
  read(depth: number, least: number): Expression {
    let left = this.#readSigned(depth);
    for (let deeper = depth + 1; ; deeper++) {
      const link = this.links[this.#next];
      if (link?.type !== "operator") return left;
      const [operator, ...modifiers] = link.nodes;
      const [op, level] = levels.get(operator!.name) ?? [];
      if (!op || level === undefined) throw refuse(operator!, this.context.source);
      if (level < least) return left;
      this.context.checkDepth(deeper);
      this.#next++;
      const right = this.read(deeper, level === POWER ? level : level + 1);
      left = combine({ op, left, right }, modifiers, this.context.source);
    }
  }

  #readSigned(depth: number): Expression {
    const { checkDepth, readOperand, source } = this.context;
    checkDepth(depth);
    const link = this.links[this.#next++]!;
    if (link.type === "sign") return signed(link.sign, this.read(depth + 1, POWER));
    let operand = readOperand((link as Extract<Link, { node: SyntaxNode }>).node, depth);
    for (;;) {
      const suffix = this.links[this.#next];
      if (suffix?.type !== "suffix") return operand;
      this.#next++;
      operand = addSuffix(operand, suffix.node, source);
    }
  }
}

function signed(sign: string, of: Expression): Expression {
  checkUnary(of);
  const op = sign === "-" ? "-" : "+";
  if (of.type === "number") return { type: "number", value: op === "-" ? -of.value : of.value };
  return { type: "unary", op, of };
}

function addSuffix(operand: Expression, node: SyntaxNode, source: Source): Expression {
  const [, second, third] = childrenOf(node);
  switch (node.name) {
    case "MatrixSelector":
      return rangeOf(operand, node, spanOf(second!, source));
    case "SubqueryExpr": {
      checkUnary(operand);
      const rangeMs = spanOf(second!, source);
      const step = third && { stepMs: spanOf(third, source) };
      return { type: "subquery", of: operand, rangeMs, offsetMs: 0, ...step };
    }
    case "OffsetExpr":
      return setOffset(operand, durationOf(third!, source), node.from);
    default:
      return setAt(operand, instantOf(third!, source), node.from);
  }
}

function rangeOf(selector: Expression, node: SyntaxNode, rangeMs: number): Expression {
  if (selector.type !== "vector") throw badData("ranges only allowed for vector selectors", node.from);
  if (selector.at !== undefined) throw badData("no @ modifiers allowed before range", node.from);
  if (selector.offsetMs !== 0) throw badData("no offset modifiers allowed before range", node.from);
  return { type: "range", selector, rangeMs };
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

function combine(
  sides: Pick<Binary, "op" | "left" | "right">,
  modifiers: readonly SyntaxNode[],
  source: Source,
): Binary {
  const find = (name: string) => modifiers.find((modifier) => modifier.name === name);
  const fill = find("FillModifier");
  if (fill) throw refuse(fill, source);
  const matching = readMatching(find("MatchingModifierClause"), source);
  const binary: Binary = {
    type: "binary",
    ...sides,
    isBool: find("BoolModifier") !== undefined,
    matching,
  };
  checkBinary(binary);
  const isOfVectors = typeOf(sides.left) === "vector" && typeOf(sides.right) === "vector";
  return isOfVectors ? binary : { ...binary, matching: noMatching };
}

const noMatching: Matching = { isOn: false, labels: [], include: [], isExplicit: false };

function readMatching(node: SyntaxNode | undefined, source: Source): Matching {
  if (!node) return noMatching;
  const [how, labels, group, include] = childrenOf(node);
  return {
    isOn: how!.name === "On",
    labels: labelsOf(labels!, source),
    ...(group && { many: group.name === "GroupLeft" ? ("left" as const) : ("right" as const) }),
    include: include ? labelsOf(include, source) : [],
    isExplicit: true,
  };
}
