// Gradient rules against finite differences; every op has a rule or is listed without one.
import { expect, test } from "bun:test";
import { gradientsOf } from "../../../wasm/grad/reverse.ts";
import { rules } from "../../../wasm/grad/rules.ts";
import { Graph, type Value } from "../../../wasm/onnx/graph.ts";
import { add, gemm, halfSquare, mul, reshape, sign, sum, table } from "../../../wasm/onnx/ops.ts";
import { type Sample, samples } from "../samples.ts";
import { evaluate } from "../support.ts";

const STEP = 1e-2;

/** Weighted sum of a result: every entry gets a gradient of its own. */
function toLoss(value: Value, graph: Graph): Value {
  const size = (value.shape as number[]).reduce((a, b) => a * b, 1);
  const weights = graph.constant(
    Array.from({ length: size }, (_, i) => 0.3 + 0.2 * i),
    [size],
  );
  return sum(mul(reshape(value, [size]), weights), [0]);
}

/** Central differences of the plain TypeScript result, in double precision. */
function differences(sample: Sample, input: number): number[] {
  const lossAt = (data: readonly number[]) => {
    const all = sample.inputs.map((tensor, i) => (i === input ? data : tensor.data));
    return sample.expected(all).reduce((total, value, i) => total + value * (0.3 + 0.2 * i), 0);
  };
  const { data } = sample.inputs[input]!;
  return data.map((value, i) => {
    const h = STEP * 1e-2;
    return (lossAt(data.with(i, value + h)) - lossAt(data.with(i, value - h))) / (2 * h);
  });
}

/** Gemm's samples compute from fixed factors: their differences come from the graph itself. */
async function graphDifferences(sample: Sample, input: number): Promise<number[]> {
  const { data } = sample.inputs[input]!;
  const lossAt = async (shifted: readonly number[]) => {
    const inputs = sample.inputs.map((tensor, i) => (i === input ? { ...tensor, data: shifted } : tensor));
    return (await evaluate(inputs, (values, graph) => ({ loss: toLoss(sample.apply(values, graph), graph) })))
      .loss![0]!;
  };
  const results: number[] = [];
  for (const [i, value] of data.entries()) {
    const [up, down] = [await lossAt(data.with(i, value + STEP)), await lossAt(data.with(i, value - STEP))];
    results.push((up - down) / (2 * STEP));
  }
  return results;
}

for (const [name, list] of Object.entries(samples)) {
  for (const [i, sample] of list.entries()) {
    const wanted = sample.differentiable ?? sample.inputs.map((_, k) => k);
    if (wanted.length === 0) continue;
    test(`gradient of ${name} (sample ${i})`, async () => {
      for (const k of wanted) {
        const { g } = await evaluate(sample.inputs, (inputs, graph) => {
          const [gradient] = gradientsOf(toLoss(sample.apply(inputs, graph), graph), [inputs[k]!]);
          return { g: add(gradient!, zeros(sample.inputs[k]!.dims, graph)) };
        });
        const expected = name === "gemm" ? await graphDifferences(sample, k) : differences(sample, k);
        for (const [at, value] of expected.entries()) expect(g![at]!).toBeCloseTo(value, 2);
      }
    });
  }
}

/** A gradient may come smaller than its value; adding zeros spreads it. */
function zeros(dims: readonly number[], graph: Graph): Value {
  return graph.constant(new Array(dims.reduce((a, b) => a * b, 1)).fill(0), dims);
}

test("every op has a rule, or none of its samples asks for a gradient", () => {
  for (const [name, list] of Object.entries(samples)) {
    const needed = list.some(
      (sample) => sample.differentiable === undefined || sample.differentiable.length > 0,
    );
    expect([name, name in rules]).toEqual([name, needed]);
  }
});

test("a missing rule is an error that names the op", () => {
  const graph = new Graph();
  const x = graph.input("x", [3]);
  expect(() => gradientsOf(sum(sign(x), [0]), [x])).toThrow("op sign has no gradient rule");
});

test("a value used twice gets the sum of both gradients", async () => {
  const { g } = await evaluate([{ dims: [2], data: [3, -2] }], ([x]) => ({
    g: gradientsOf(sum(mul(mul(x!, x!), x!), [0]), [x!])[0]!,
  }));
  expect(g![0]).toBeCloseTo(27, 4);
  expect(g![1]).toBeCloseTo(12, 4);
});

test("the gradient of a product plus a scaled factor is one product", async () => {
  const kernel = { dims: [2, 2], data: [1, -2, 0.5, 3] };
  const x = { dims: [1, 2], data: [2, -1] };
  const { g } = await evaluate([x, kernel], ([a, w]) => {
    const loss = add(sum(gemm(a!, w!), [0, 1]), mul(sum(halfSquare(w!), [0, 1]), 4));
    const [gradient] = gradientsOf(loss, [w!]);
    expect(gradient!.node).toMatchObject({ op: table.gemm, attributes: { beta: { float: 4 } } });
    return { g: gradient! };
  });
  expect(g).toEqual([6, -6, 1, 11]);
});

test("a target the loss does not depend on is an error", () => {
  const graph = new Graph();
  const [x, y] = [graph.input("x", [2]), graph.input("y", [2])];
  expect(() => gradientsOf(sum(mul(x, x), [0]), [y])).toThrow("does not depend");
});
