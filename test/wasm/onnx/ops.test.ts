// Every op of the table against a plain TypeScript computation.
import { expect, test } from "bun:test";
import { Graph } from "../../../wasm/onnx/graph.ts";
import {
  add,
  concat,
  gemm,
  mul,
  type OpName,
  reshape,
  sigmoid,
  softplus,
  table,
} from "../../../wasm/onnx/ops.ts";
import { samples } from "../samples.ts";
import { evaluate, tensor } from "../support.ts";

for (const [name, list] of Object.entries(samples)) {
  for (const [i, sample] of list.entries()) {
    test(`${name} (sample ${i})`, async () => {
      const { y } = await evaluate(sample.inputs, (inputs, graph) => ({ y: sample.apply(inputs, graph) }));
      const expected = sample.expected(sample.inputs.map(({ data }) => data));
      expect(y).toHaveLength(expected.length);
      for (const [k, value] of expected.entries()) expect(y![k]!).toBeCloseTo(value, 5);
    });
  }
}

test("softplus and sigmoid of few entries and of many are the same to a millionth", async () => {
  const u = Array.from({ length: 6000 }, (_, i) => -30 + i / 100);
  for (const count of [u.length, 600]) {
    const data = u.filter((_, i) => i % (u.length / count) === 0);
    const { s, p } = await evaluate([tensor([count], data)], ([x]) => ({ s: sigmoid(x!), p: softplus(x!) }));
    const error = (actual: number[], expected: (x: number) => number) =>
      Math.max(...data.map((x, i) => Math.abs(actual[i]! - expected(x)) / Math.max(1, expected(x))));
    expect(error(s!, (x) => 1 / (1 + Math.exp(-x)))).toBeLessThan(1e-6);
    expect(error(p!, (x) => Math.max(x, 0) + Math.log1p(Math.exp(-Math.abs(x))))).toBeLessThan(1e-6);
  }
});

test("numbers are multiplied at once, and by one nothing is", () => {
  const graph = new Graph();
  const x = graph.input("x", [2, 3]);
  const one = graph.constant([1], [1, 1]);
  expect(mul(one, x)).toBe(x);
  expect(mul(x, 1)).toBe(x);
  expect(mul(mul(one, 3), -2)).toBe(graph.constant([-6], [1, 1]));
  expect(mul(graph.input("row", [3]), one).shape).toEqual([1, 3]);
});

test("every op of the table has a sample", () => {
  expect(Object.keys(samples).sort()).toEqual(Object.keys(table).sort() as OpName[]);
});

test("an equal expression is built once", () => {
  const graph = new Graph();
  const [a, b] = [graph.input("a", [2]), graph.input("b", [2])];
  expect(add(a, b)).toBe(add(a, b));
  expect(add(a, b)).not.toBe(add(b, a));
});

test("a reshape of a reshape is one, and one to the shape there is none", () => {
  const x = new Graph().input("x", [2, 3]);
  const flat = reshape(x, [6]);
  expect(reshape(flat, [3, 2])).toBe(reshape(x, [3, 2]));
  expect(reshape(flat, [6])).toBe(flat);
  expect(reshape(flat, [2, 3])).toBe(x);
});

test("what a loop does not change stays outside of it", () => {
  const graph = new Graph();
  const [x, w] = [graph.input("x", [2, 2]), graph.input("w", [2, 2])];
  graph.loop(graph.input("trips", [], "int64"), [x], (_, [carried]) => {
    expect(mul(w, w).node.graph).toBe(graph);
    expect(mul(carried!, w).node.graph).not.toBe(graph);
    return [mul(carried!, w)];
  });
});

test("a loop repeats its body over the carried values", async () => {
  const { y } = await evaluate([tensor([2], [1, 3])], ([x], graph) => ({
    y: graph.loop(graph.constant([5], [], "int64"), [x!], (_, [carried]) => [mul(carried!, 2)])[0]!,
  }));
  expect(y).toEqual([32, 96]);
});

const mistakes: readonly [string, (graph: Graph) => unknown, RegExp][] = [
  ["shapes that do not broadcast", (g) => add(g.input("a", [2]), g.input("b", [3])), /cannot broadcast/],
  ["factors that do not fit", (g) => gemm(g.input("a", [2, 3]), g.input("b", [2, 3])), /cannot multiply/],
  [
    "a bias of the wrong length",
    (g) => gemm(g.input("a", [2, 3]), g.input("b", [3, 2]), { bias: g.input("c", [3]) }),
    /bias/,
  ],
  [
    "concatenation along a dynamic dimension",
    (g) => concat([g.input("a", ["n"]), g.input("b", ["n"])], 0),
    /dynamic dimension/,
  ],
];

for (const [name, build, message] of mistakes) {
  test(`refuses ${name}`, () => {
    expect(() => build(new Graph())).toThrow(message);
  });
}
