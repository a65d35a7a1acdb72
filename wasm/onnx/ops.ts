// Op table: each op with its shape rule and its ONNX operator, or its expansion into simpler ops.
import { type Attributes, apply, applyAll, type Dim, type Op, type Shape, type Value } from "./graph.ts";
import { type DataType, dataTypeCodes } from "./model.ts";
import {
  broadcast,
  concatShape,
  gatherShape,
  gemmShape,
  poolShape,
  sameAsFirst,
  splitShape,
  sumShape,
  transposeShape,
} from "./shapes.ts";

const elementwise = (name: string, onnx: string): Op => ({ name, onnx, shapes: broadcast });
const toBool: NonNullable<Op["type"]> = () => "bool";
const unary = (name: string, onnx: string): Op => ({ name, onnx, shapes: sameAsFirst });

export const table = {
  add: elementwise("add", "Add"),
  sub: elementwise("sub", "Sub"),
  mul: elementwise("mul", "Mul"),
  div: elementwise("div", "Div"),
  min: elementwise("min", "Min"),
  max: elementwise("max", "Max"),
  pow: elementwise("pow", "Pow"),
  less: { ...elementwise("less", "Less"), type: toBool },
  isNan: { name: "isNan", onnx: "IsNaN", shapes: sameAsFirst, type: toBool },
  where: { ...elementwise("where", "Where"), type: ([, a]) => a!.type },
  cast: { name: "cast", onnx: "Cast", shapes: sameAsFirst, type: (_, { _type }) => _type as DataType },
  sign: unary("sign", "Sign"),
  abs: unary("abs", "Abs"),
  tanh: unary("tanh", "Tanh"),
  exp: unary("exp", "Exp"),
  log: unary("log", "Log"),
  sqrt: unary("sqrt", "Sqrt"),
  gemm: { name: "gemm", onnx: "Gemm", shapes: gemmShape },
  concat: { name: "concat", onnx: "Concat", shapes: concatShape },
  split: { name: "split", onnx: "Split", shapes: splitShape },
  reshape: {
    name: "reshape",
    onnx: "Reshape",
    shapes: (_, { _shape }) => [JSON.parse(_shape as string) as Shape],
  },
  sum: { name: "sum", onnx: "ReduceSum", shapes: sumShape },
  averagePool: { name: "averagePool", onnx: "GlobalAveragePool", shapes: poolShape },
  gather: { name: "gather", onnx: "Gather", shapes: gatherShape },
  transpose: { name: "transpose", onnx: "Transpose", shapes: transposeShape },
  /** As Max: the kernel of ONNX Runtime's own Relu branches at every entry. */
  relu: { name: "relu", shapes: sameAsFirst, expand: ([u]) => max(u!, 0) },
  /** By tanh, the fastest of the transcendental kernels, shared with softplus. */
  sigmoid: { name: "sigmoid", shapes: sameAsFirst, expand: ([u]) => expandSigmoid(u!) },
  /** log(1 + e^u) + shift; the shift is added within the polynomial, without a pass of its own. */
  softplus: {
    name: "softplus",
    shapes: sameAsFirst,
    expand: ([u], { _shift }) => expandSoftplus(u!, Number(_shift)),
  },
  /** z² / 2, whose gradient is z itself. */
  halfSquare: { name: "halfSquare", shapes: sameAsFirst, expand: ([z]) => mul(mul(z!, z!), 0.5) },
  /** Inputs x, mean, deviation, weight: weight * (log deviation + ((x - mean) / deviation)^2 / 2), elementwise. */
  gaussianNll: { name: "gaussianNll", shapes: broadcast, expand: (inputs) => expandGaussianNll(inputs) },
} satisfies Record<string, Op>;

export type OpName = keyof typeof table;

export const add = (a: Value, b: Value | number): Value => apply(table.add, [a, valueLike(b, a)]);
export const sub = (a: Value | number, b: Value): Value => apply(table.sub, [valueLike(a, b), b]);
export const div = (a: Value | number, b: Value): Value => apply(table.div, [valueLike(a, b), b]);
export const min = (a: Value, b: number): Value => apply(table.min, [a, valueLike(b, a)]);
export const max = (a: Value, b: number): Value => apply(table.max, [a, valueLike(b, a)]);
export const pow = (a: Value, b: number): Value => apply(table.pow, [a, valueLike(b, a)]);
export const less = (a: Value, b: Value | number): Value => apply(table.less, [a, valueLike(b, a)]);
export const isNan = (a: Value): Value => apply(table.isNan, [a]);
export const relu = (a: Value): Value => apply(table.relu, [a]);
export const sign = (a: Value): Value => apply(table.sign, [a]);
export const abs = (a: Value): Value => apply(table.abs, [a]);
export const tanh = (a: Value): Value => apply(table.tanh, [a]);
export const exp = (a: Value): Value => apply(table.exp, [a]);
export const log = (a: Value): Value => apply(table.log, [a]);
export const sqrt = (a: Value): Value => apply(table.sqrt, [a]);
export const sigmoid = (a: Value): Value => apply(table.sigmoid, [a]);
export const softplus = (a: Value, shift = 0): Value => apply(table.softplus, [a], { _shift: shift });
export const halfSquare = (a: Value): Value => apply(table.halfSquare, [a]);

/** Folds products of constants and products with 1. */
export function mul(a: Value, b: Value | number): Value {
  const other = valueLike(b, a);
  const [x, y] = [scalarOf(a), scalarOf(other)];
  const [rankA, rankB] = [a.shape.length, other.shape.length];
  if (x !== undefined && y !== undefined) {
    const { shape } = rankA < rankB ? other : a;
    return a.node.graph.constant([x * y], shape as readonly number[], a.type);
  }
  if (x === 1 && rankA <= rankB) return other;
  if (y === 1 && rankB <= rankA) return a;
  return apply(table.mul, [a, other]);
}

/** `a` where the condition holds, `b` elsewhere; at least one of them is a value. */
export function where(condition: Value, a: Value | number, b: Value | number): Value {
  const beside = typeof a === "number" ? (b as Value) : a;
  return apply(table.where, [condition, valueLike(a, beside), valueLike(b, beside)]);
}

export function cast(a: Value, type: DataType): Value {
  return a.type === type ? a : apply(table.cast, [a], { to: dataTypeCodes[type], _type: type });
}

interface GemmOptions {
  /** Added to the product, broadcast where it is smaller. */
  readonly bias?: Value;
  /** Factor of the bias; default 1. */
  readonly beta?: number;
  readonly transA?: boolean;
  readonly transB?: boolean;
}

/** [M,K] x [K,N] (+ beta · bias), either factor optionally transposed, which is nearly free in Gemm. */
export function gemm(a: Value, b: Value, { bias, beta = 1, transA, transB }: GemmOptions = {}): Value {
  const attributes: Attributes = {
    ...(beta !== 1 && { beta: { float: beta } }),
    ...(transA && { transA: 1 }),
    ...(transB && { transB: 1 }),
  };
  return apply(table.gemm, bias ? [a, b, bias] : [a, b], attributes);
}

export function concat(parts: readonly Value[], axis: number): Value {
  return parts.length === 1 ? parts[0]! : apply(table.concat, parts, { axis });
}

/** Splits along `axis` into parts of the given sizes. */
export function split(data: Value, axis: number, sizes: readonly number[]): readonly Value[] {
  return applyAll(table.split, [data, integers(data, sizes)], { axis, _sizes: sizes });
}

/** A view of another shape, of which at most one dimension may be dynamic. Nested reshapes are folded. */
export function reshape(data: Value, shape: Shape): Value {
  const { op, inputs } = data.node;
  if (op === table.reshape) return reshape(inputs[0]!, shape);
  if (data.shape.length === shape.length && data.shape.every((dim, i) => dim === shape[i])) return data;
  const target = shape.map((dim: Dim) => (typeof dim === "number" ? dim : -1));
  return apply(table.reshape, [data, integers(data, target)], { _shape: JSON.stringify(shape) });
}

/** Sums over `axes`, kept as dimensions of 1. */
export function sum(data: Value, axes: readonly number[]): Value {
  return apply(table.sum, [data, integers(data, axes)], { _axes: axes });
}

/** Means over the last axis of [N,C,length], kept as a dimension of 1. */
export const averagePool = (data: Value): Value => apply(table.averagePool, [data]);

/** Entries of `data` along `axis`; a scalar index removes the axis. */
export function gather(data: Value, indices: Value, axis = 0): Value {
  return apply(table.gather, [data, indices], { axis });
}

export function transpose(data: Value, perm: readonly number[]): Value {
  return apply(table.transpose, [data], { perm });
}

export function gaussianNll(x: Value, mean: Value, deviation: Value, weight: Value): Value {
  return apply(table.gaussianNll, [x, mean, deviation, weight]);
}

function valueLike(value: Value | number, beside: Value): Value {
  return typeof value === "number" ? beside.node.graph.constant([value], [], beside.type) : value;
}

/** The number of a constant with one element; undefined for other values. */
export function scalarOf({ node, shape }: Value): number | undefined {
  return node.op === "constant" && shape.every((dim) => dim === 1) ? node.tensor?.values[0] : undefined;
}

function integers(beside: Value, values: readonly number[]): Value {
  return beside.node.graph.constant(values, [values.length], "int64");
}

/** y = tanh(u/2)/2: sigmoid(u) is 1/2 + y, and shares it with softplus. */
function halfTanh(u: Value): Value {
  return mul(tanh(mul(u, 0.5)), 0.5);
}

function expandSigmoid(u: Value): Value {
  return add(halfTanh(u), 0.5);
}

/** softplus(u) = relu(u) - log sigmoid(|u|), with sigmoid(|u|) = 1/2 + |y|; the kernel of ONNX Runtime's own is slow. */
function expandSoftplus(u: Value, shift: number): Value {
  const y = abs(halfTanh(u));
  if (entriesOf(u) < MIN_POLYNOMIAL_ENTRIES) return sub(add(relu(u), shift), log(add(y, 0.5)));
  return sub(add(relu(u), Math.LN2 + shift), logOfOneAndTwice(y));
}

/** In smaller tensors the overhead of the additional ops outweighs the faster kernel. */
const MIN_POLYNOMIAL_ENTRIES = 4096;

function entriesOf({ shape }: Value): number {
  return shape.reduce<number>(
    (size, dim) => size * (typeof dim === "number" ? dim : MIN_POLYNOMIAL_ENTRIES),
    1,
  );
}

/** log(1 + 2y) = 2 artanh(q), q = y/(1+y), y in [0, 1/2], as an odd polynomial: to 2.7e-7. The Log kernel is scalar. */
function logOfOneAndTwice(y: Value): Value {
  const q = div(y, add(y, 1));
  const v = mul(q, q);
  const inner = add(mul(v, add(mul(v, add(mul(v, 0.350226126), 0.394344293)), 0.666846267)), 1.99999847);
  return mul(q, inner);
}

function expandGaussianNll([x, mean, deviation, weight]: readonly Value[]): Value {
  const e = div(sub(mean!, x!), deviation!);
  return mul(add(log(deviation!), mul(mul(e, e), 0.5)), weight!);
}
