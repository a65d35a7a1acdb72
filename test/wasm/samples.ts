// Samples for every op of the table: inputs, application and expected result.
import type { Graph, Value } from "../../wasm/onnx/graph.ts";
import * as ops from "../../wasm/onnx/ops.ts";
import { type TestTensor, tensor } from "./support.ts";

export interface Sample {
  readonly inputs: readonly TestTensor[];
  readonly apply: (inputs: readonly Value[], graph: Graph) => Value;
  readonly expected: (inputs: readonly (readonly number[])[]) => readonly number[];
  /** Inputs (by index) that gradients flow to; default all. */
  readonly differentiable?: readonly number[];
}

const a23 = tensor([2, 3], [0.5, -1.2, 2, -0.3, 0.8, 1.5]);
const b23 = tensor([2, 3], [1.1, 0.4, -0.7, 2.2, -1.6, 0.9]);
const positive23 = tensor([2, 3], [0.5, 1.2, 2, 0.3, 0.8, 1.5]);
const row3 = tensor([3], [0.7, -0.2, 1.3]);
const a34 = tensor([3, 4], [1, 2, -1, 0.5, 0.3, -0.8, 1.2, 2, -1.5, 0.4, 0.6, -0.9]);

type Indices = readonly number[];

function unary(
  input: TestTensor,
  apply: (x: Value) => Value,
  f: (x: number) => number,
  differentiable?: Indices,
): Sample {
  return {
    inputs: [input],
    apply: ([x]) => apply(x!),
    expected: ([x]) => x!.map(f),
    ...(differentiable && { differentiable }),
  };
}

interface PairOptions {
  readonly differentiable?: Indices;
  /** The second input, a row or a column that is broadcast where it is smaller. */
  readonly b?: TestTensor;
}

function pairwise(
  apply: (a: Value, b: Value) => Value,
  f: (a: number, b: number) => number,
  { b = b23, ...rest }: PairOptions = {},
): Sample {
  const indexOf = (i: number) => (b.data.length === 2 ? Math.floor(i / 3) : i % b.data.length);
  return {
    inputs: [a23, b],
    apply: ([x, y]) => apply(x!, y!),
    expected: ([x, y]) => x!.map((value, i) => f(value, y![indexOf(i)]!)),
    ...rest,
  };
}

/** Plain matrix product of row-major [m,k] and [k,n]. */
export function multiply(
  a: readonly number[],
  b: readonly number[],
  [m, k, n]: readonly [number, number, number],
): number[] {
  return Array.from({ length: m * n }, (_, at) => {
    const [i, j] = [Math.floor(at / n), at % n];
    let total = 0;
    for (let p = 0; p < k; p++) total += a[i * k + p]! * b[p * n + j]!;
    return total;
  });
}

export function transposed(a: readonly number[], rows: number, columns: number): number[] {
  return Array.from({ length: a.length }, (_, at) => a[(at % rows) * columns + Math.floor(at / rows)]!);
}

const product = (a: readonly number[], b: readonly number[]) => multiply(a, b, [2, 3, 4]);
const gemmSample = (transA: boolean, transB: boolean): Sample => ({
  inputs: [
    transA ? tensor([3, 2], transposed(a23.data, 2, 3)) : a23,
    transB ? tensor([4, 3], transposed(a34.data, 3, 4)) : a34,
  ],
  apply: ([a, b]) => ops.gemm(a!, b!, { transA, transB }),
  expected: () => product(a23.data, a34.data),
});

export const samples: Readonly<Record<ops.OpName, readonly Sample[]>> = {
  add: [pairwise(ops.add, (a, b) => a + b), pairwise(ops.add, (a, b) => a + b, { b: row3 })],
  sub: [pairwise(ops.sub, (a, b) => a - b), pairwise(ops.sub, (a, b) => a - b, { b: row3 })],
  mul: [
    pairwise(ops.mul, (a, b) => a * b),
    pairwise(ops.mul, (a, b) => a * b, { b: tensor([2, 1], [0.4, -2]) }),
  ],
  div: [pairwise(ops.div, (a, b) => a / b), pairwise(ops.div, (a, b) => a / b, { b: row3 })],
  min: [
    unary(
      a23,
      (x) => ops.min(x, 0.6),
      (x) => Math.min(x, 0.6),
      [],
    ),
  ],
  max: [
    unary(
      a23,
      (x) => ops.max(x, 0.6),
      (x) => Math.max(x, 0.6),
      [],
    ),
  ],
  pow: [
    unary(
      positive23,
      (x) => ops.pow(x, -1.7),
      (x) => x ** -1.7,
      [],
    ),
  ],
  less: [
    pairwise(
      (a, b) => ops.cast(ops.less(a, b), "float"),
      (a, b) => (a < b ? 1 : 0),
      { differentiable: [] },
    ),
  ],
  isNan: [
    unary(
      tensor([3], [1, Number.NaN, -0]),
      (x) => ops.cast(ops.isNan(x), "float"),
      (x) => (Number.isNaN(x) ? 1 : 0),
      [],
    ),
  ],
  where: [
    pairwise(
      (a, b) => ops.where(ops.less(a, b), a, -1),
      (a, b) => (a < b ? a : -1),
      { differentiable: [] },
    ),
  ],
  cast: [
    unary(
      a23,
      (x) => ops.cast(ops.mul(ops.cast(x, "double"), 3), "float"),
      (x) => 3 * x,
      [],
    ),
  ],
  relu: [unary(a23, ops.relu, (x) => Math.max(0, x))],
  sign: [unary(a23, ops.sign, Math.sign, [])],
  abs: [unary(a23, ops.abs, Math.abs, [])],
  halfSquare: [unary(a23, ops.halfSquare, (x) => x ** 2 / 2)],
  averagePool: [
    {
      inputs: [tensor([1, 2, 3], a23.data)],
      apply: ([x]) => ops.averagePool(x!),
      expected: ([x]) => [x!.slice(0, 3), x!.slice(3)].map((row) => row.reduce((a, b) => a + b, 0) / 3),
      differentiable: [],
    },
  ],
  tanh: [unary(a23, ops.tanh, Math.tanh)],
  exp: [unary(a23, ops.exp, Math.exp)],
  log: [unary(positive23, ops.log, Math.log)],
  sqrt: [unary(positive23, ops.sqrt, Math.sqrt)],
  sigmoid: [unary(a23, ops.sigmoid, (x) => 1 / (1 + Math.exp(-x)))],
  softplus: [
    unary(
      a23,
      (u) => ops.softplus(u, 0.25),
      (x) => Math.log1p(Math.exp(x)) + 0.25,
    ),
    unary(a23, ops.softplus, (x) => Math.log1p(Math.exp(x))),
    unary(
      tensor([6], [-30, -8, -0.01, 0.01, 8, 30]),
      ops.softplus,
      (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))),
    ),
  ],
  gemm: [
    gemmSample(false, false),
    gemmSample(true, false),
    gemmSample(false, true),
    gemmSample(true, true),
    {
      inputs: [a23, a34, tensor([4], [0.1, 0.2, -0.3, 0.4])],
      apply: ([a, b, bias]) => ops.gemm(a!, b!, { bias: bias! }),
      expected: ([a, b, bias]) => product(a!, b!).map((v, i) => v + bias![i % 4]!),
    },
    {
      inputs: [a23, a34, tensor([2, 1], [0.5, -0.7])],
      apply: ([a, b, bias]) => ops.gemm(a!, b!, { bias: bias!, beta: 3 }),
      expected: ([a, b, bias]) => product(a!, b!).map((v, i) => v + 3 * bias![i >> 2]!),
    },
  ],
  concat: [
    { inputs: [a23, b23], apply: (inputs) => ops.concat(inputs, 0), expected: ([a, b]) => [...a!, ...b!] },
    {
      inputs: [a23, b23],
      apply: (inputs) => ops.concat(inputs, 1),
      expected: ([a, b]) => [...a!.slice(0, 3), ...b!.slice(0, 3), ...a!.slice(3), ...b!.slice(3)],
    },
  ],
  split: [
    {
      inputs: [a34],
      apply: ([a]) => ops.split(a!, 1, [1, 3])[1]!,
      expected: ([a]) => a!.filter((_, i) => i % 4 > 0),
    },
  ],
  reshape: [{ inputs: [a23], apply: ([a]) => ops.reshape(a!, [3, 2]), expected: ([a]) => a! }],
  sum: [
    {
      inputs: [a23],
      apply: ([a]) => ops.sum(a!, [0, 1]),
      expected: ([a]) => [a!.reduce((x, y) => x + y, 0)],
    },
    {
      inputs: [a23],
      apply: ([a]) => ops.sum(a!, [1]),
      expected: ([a]) => [a![0]! + a![1]! + a![2]!, a![3]! + a![4]! + a![5]!],
    },
  ],
  gather: [
    {
      inputs: [a34],
      apply: ([a], graph) => ops.gather(a!, graph.constant([3, 0], [2], "int64"), 1),
      expected: ([a]) => [a![3]!, a![0]!, a![7]!, a![4]!, a![11]!, a![8]!],
      differentiable: [],
    },
  ],
  transpose: [
    {
      inputs: [a23],
      apply: ([a]) => ops.transpose(a!, [1, 0]),
      expected: ([a]) => transposed(a!, 2, 3),
      differentiable: [],
    },
  ],
  gaussianNll: [
    {
      inputs: [a23, b23, positive23, tensor([2, 3], [1, 0, 1, 1, 1, 0])],
      apply: ([x, mean, deviation, weight]) => ops.gaussianNll(x!, mean!, deviation!, weight!),
      expected: ([x, mean, deviation, weight]) =>
        x!.map(
          (v, i) => weight![i]! * (Math.log(deviation![i]!) + 0.5 * ((v - mean![i]!) / deviation![i]!) ** 2),
        ),
      differentiable: [0, 1, 2],
    },
  ],
};
