// Gradient table: the gradients of the inputs of each op, as expressions in the gradient of its result.
import type { Node, Shape, Value } from "../onnx/graph.ts";
import {
  add,
  concat,
  div,
  gemm,
  mul,
  type OpName,
  reshape,
  sigmoid,
  sign,
  split,
  sub,
  sum,
} from "../onnx/ops.ts";

/**
 * @param node the forward node
 * @param gradients of its results; undefined where a result is not used
 * @returns gradients of its inputs, in order; undefined where none flows
 */
type GradientRule = (node: Node, gradients: readonly (Value | undefined)[]) => readonly (Value | undefined)[];

type SingleRule = (inputs: readonly Value[], gradient: Value, node: Node) => readonly (Value | undefined)[];

const single =
  (rule: SingleRule): GradientRule =>
  (node, [gradient]) =>
    rule(node.inputs, gradient!, node);

export const rules: Partial<Record<OpName, GradientRule>> = {
  add: single(([a, b], g) => [sumTo(g, a!.shape), sumTo(g, b!.shape)]),
  sub: single(([a, b], g) => [sumTo(g, a!.shape), sumTo(mul(g, -1), b!.shape)]),
  mul: single(([a, b], g) => [sumTo(mul(g, b!), a!.shape), sumTo(mul(g, a!), b!.shape)]),
  div: single(([a, b], g, node) => {
    const da = div(g, b!);
    return [sumTo(da, a!.shape), sumTo(mul(mul(da, node.outputs[0]!), -1), b!.shape)];
  }),
  // Sign(relu(u)) is 1 where u > 0, and cheaper than Greater and Cast.
  relu: single((_, g, node) => [mul(g, sign(node.outputs[0]!))]),
  tanh: single((_, g, node) => [mul(g, sub(1, mul(node.outputs[0]!, node.outputs[0]!)))]),
  exp: single((_, g, node) => [mul(g, node.outputs[0]!)]),
  log: single(([a], g) => [div(g, a!)]),
  sqrt: single((_, g, node) => [div(mul(g, 0.5), node.outputs[0]!)]),
  sigmoid: single((_, g, node) => [mul(g, mul(node.outputs[0]!, sub(1, node.outputs[0]!)))]),
  softplus: single(([u], g) => [mul(g, sigmoid(u!))]),
  halfSquare: single(([z], g) => [mul(g, z!)]),
  gaussianNll: single(([x, mean, deviation, weight], g) => {
    // One division and one residual serve both gradients.
    const scaled = div(mul(g, weight!), deviation!);
    const e = div(sub(mean!, x!), deviation!);
    const dMean = mul(scaled, e);
    return [
      sumTo(mul(dMean, -1), x!.shape),
      sumTo(dMean, mean!.shape),
      sumTo(sub(scaled, mul(dMean, e)), deviation!.shape),
      undefined,
    ];
  }),
  gemm: single(([a, b, bias], small, node) => {
    const g = spread(small, node.outputs[0]!);
    const transA = Boolean(node.attributes.transA);
    const transB = Boolean(node.attributes.transB);
    const da = transA ? gemm(b!, g, { transA: transB, transB: true }) : gemm(g, b!, { transB: !transB });
    const db = transB ? gemm(g, a!, { transA: true, transB: transA }) : gemm(a!, g, { transA: !transA });
    if (!bias) return [da, db];
    const { float: beta } = (node.attributes.beta ?? { float: 1 }) as { readonly float: number };
    return [da, db, mul(sumTo(g, bias.shape), beta)];
  }),
  sum: single((_, g) => [g, undefined]),
  reshape: single(([data], g, node) => [reshape(spread(g, node.outputs[0]!), data!.shape), undefined]),
  concat: single((inputs, g, node) => splitLike(inputs, spread(g, node.outputs[0]!), node)),
  split: (node, gradients) => {
    const parts = node.outputs.map((output, i) =>
      gradients[i] ? spread(gradients[i], output) : zerosLike(output),
    );
    return [concat(parts, Number(node.attributes.axis)), undefined];
  },
};

function splitLike(inputs: readonly Value[], gradient: Value, node: Node): readonly Value[] {
  const axis = Number(node.attributes.axis);
  const sizes = inputs.map((value) => value.shape[axis] as number);
  return split(gradient, axis, sizes);
}

/**
 * Reverses broadcasting: sums a gradient over the broadcast axes. A gradient that is constant along an axis may stay
 * of size 1 there until an op needs every entry. Over one axis of a matrix the sum is a Gemm with a row of ones, which
 * has the faster kernel.
 */
function sumTo(gradient: Value, shape: Shape): Value {
  const lead = gradient.shape.length - shape.length;
  const axes = gradient.shape
    .map((_, i) => i)
    .filter((i) => i < lead || (shape[i - lead] === 1 && gradient.shape[i] !== 1));
  if (axes.length === 0) return gradient;
  const count = gradient.shape[axes[0]!];
  if (gradient.shape.length === 2 && axes.length === 1 && typeof count === "number") {
    const ones = gradient.node.graph.constant(new Array(count).fill(1), [1, count]);
    return reshape(gemm(ones, gradient, { transB: axes[0] === 1 }), shape);
  }
  return reshape(sum(gradient, axes), shape);
}

function sameShape(a: Shape, b: Shape): boolean {
  return a.length === b.length && a.every((dim, i) => dim === b[i]);
}

/** Broadcasts a gradient to the shape of its value. */
function spread(gradient: Value, value: Value): Value {
  return sameShape(gradient.shape, value.shape) ? gradient : add(gradient, zerosLike(value));
}

function zerosLike({ shape, node }: Value): Value {
  const dims = shape as readonly number[];
  return node.graph.constant(new Array(dims.reduce((a, b) => a * b, 1)).fill(0), dims);
}
