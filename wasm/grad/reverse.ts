// Reverse-mode differentiation: one walk from the loss back to the parameters, adding nodes to the same graph.
import { assertBroadcastable, type Node, type Value } from "../onnx/graph.ts";
import { add, gemm, type OpName, scalarOf, table } from "../onnx/ops.ts";
import { rules } from "./rules.ts";

/**
 * Gradients of `loss`, a single element, with respect to each of `targets`.
 * @throws Error naming the op that has no gradient rule
 */
export function gradientsOf(loss: Value, targets: readonly Value[]): readonly Value[] {
  const onPath = nodesBetween(loss, targets);
  const gradients = new Map<Value, Value>([[loss, loss.node.graph.constant([1], loss.shape as number[])]]);
  for (const node of [...onPath].sort((a, b) => b.id - a.id)) {
    if (typeof node.op === "string") continue;
    const incoming = node.outputs.map((output) => gradients.get(output));
    if (incoming.every((gradient) => gradient === undefined)) continue;
    const rule = rules[node.op.name as OpName];
    if (!rule) throw new Error(`op ${node.op.name} has no gradient rule`);
    for (const [i, gradient] of rule(node, incoming).entries())
      accumulate(gradients, node.inputs[i]!, onPath, gradient);
  }
  return targets.map((target) => gradients.get(target) ?? fail(target));
}

function accumulate(
  gradients: Map<Value, Value>,
  input: Value,
  onPath: ReadonlySet<Node>,
  gradient?: Value,
): void {
  if (!gradient || !onPath.has(input.node)) return;
  assertBroadcastable(`gradient of ${describe(input.node)}`, gradient.shape, input.shape);
  const before = gradients.get(input);
  gradients.set(input, before ? plus(before, gradient) : gradient);
}

/** The sum of two gradients. A product plus a scaled value, as in L2 regularisation, is a single Gemm. */
function plus(a: Value, b: Value): Value {
  return addScaled(a, b) ?? addScaled(b, a) ?? add(a, b);
}

function addScaled(product: Value, scaled: Value): Value | undefined {
  const { op, inputs, attributes } = product.node;
  const [factor, bias] = scaled.node.inputs;
  if (op !== table.gemm || inputs.length > 2 || scaled.node.op !== table.mul) return undefined;
  const beta = scalarOf(factor!);
  if (beta === undefined) return undefined;
  const { transA, transB } = attributes;
  return gemm(inputs[0]!, inputs[1]!, {
    bias: bias!,
    beta,
    transA: Boolean(transA),
    transB: Boolean(transB),
  });
}

/** Nodes on a path from a target to the loss: only these need a gradient. */
function nodesBetween(loss: Value, targets: readonly Value[]): ReadonlySet<Node> {
  const reaches = new Map<Node, boolean>(targets.map((target) => [target.node, true]));
  const visit = (node: Node): boolean => {
    const known = reaches.get(node);
    if (known !== undefined) return known;
    const any = node.inputs.map((input) => visit(input.node)).some(Boolean);
    reaches.set(node, any);
    return any;
  };
  visit(loss.node);
  return new Set([...reaches].filter(([, reached]) => reached).map(([node]) => node));
}

function describe(node: Node): string {
  return typeof node.op === "string" ? node.op : node.op.name;
}

function fail(target: Value): never {
  throw new Error(`the loss does not depend on ${describe(target.node)} ${target.node.id}`);
}
