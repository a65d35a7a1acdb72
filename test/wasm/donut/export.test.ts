// Export graph against the reference, and the file itself: standard operators, named weights, metadata.
import { describe, expect, test } from "bun:test";
import { buildExport, type ExportInput } from "../../../wasm/donut/export.ts";
import { layoutOf, parameterCount } from "../../../wasm/donut/layout.ts";
import { createRandom, normals } from "../../../wasm/random.ts";
import { scoreWindows } from "../../support/plain-onnx.ts";
import { readMessage } from "../read-message.ts";
import { decodePlain, encodePlain, layersOf } from "./reference.ts";

const shape = { window: 6, hidden: 5, latent: 2 };
const input: ExportInput = {
  shape,
  params: normals(parameterCount(shape), createRandom(3)).map((value) => value * 0.4),
  standardisation: { mean: 100, deviation: 20, limit: 50 },
  tail: { quantiles: [0, 0.5, 1, 2], threshold: 4, share: 0.1, shape: 0.2, scale: 0.5 },
  counts: "low_high",
  decades: 6,
  iterations: 10,
  seed: 1,
  about: { producerVersion: "9.9", description: "what it is", properties: { span: "6", model: "m" } },
};
const window = [90, 110, 125, 100, 80, 95];

/** Mean, deviation and nll of the last value by plain arithmetic, standardised. */
function reference(values: readonly number[]) {
  const x = values.map((value) => (value - 100) / 20);
  const p = layersOf(Array.from(input.params), shape);
  const { mean, deviation } = decodePlain(p, encodePlain(p, x).mean);
  const z = (x[5]! - mean[5]!) / deviation[5]!;
  return { mean, deviation, nll: 0.5 * Math.log(2 * Math.PI) + Math.log(deviation[5]!) + 0.5 * z * z };
}

test("means, deviations and density are the reference's, in units of the data", async () => {
  const expected = reference(window);
  const { mean, std, nll } = await scoreWindows(buildExport(input), [window]);
  for (const i of window.keys()) {
    expect(mean[i]!).toBeCloseTo(100 + 20 * expected.mean[i]!, 3);
    expect(std[i]!).toBeCloseTo(20 * expected.deviation[i]!, 3);
  }
  expect(nll[0]!).toBeCloseTo(expected.nll + Math.log(20), 4);
});

/** By the definition of the score. */
function scoreOf(
  nll: number,
  { quantiles, threshold, share, shape: heavy, scale }: ExportInput["tail"],
): number {
  const below = quantiles.filter((quantile) => quantile < nll).length / quantiles.length;
  const excess = (nll - threshold) / scale;
  const beyond = heavy === 0 ? Math.exp(-excess) : (1 + heavy * excess) ** (-1 / heavy);
  const probability = nll > threshold ? share * beyond : Math.max(share, 1 - below);
  return 100 * Math.min(1, -Math.log10(probability) / 6);
}

test.each([
  ["among the quantiles", { quantiles: [-9, -8, 90, 91] }],
  ["above all quantiles, below the threshold", { quantiles: [-9, -8], threshold: 99 }],
  ["in a heavy tail", { threshold: 0 }],
  ["in an exponential tail", { threshold: 0, shape: 0 }],
  ["beyond the scale", { threshold: -9, shape: 0, scale: 0.1 }],
])("a score %s", async (_, over) => {
  const tail = { ...input.tail, ...over };
  const { score } = await scoreWindows(buildExport({ ...input, tail }), [window]);
  expect(score[0]!).toBeCloseTo(scoreOf(reference(window).nll, tail), 2);
});

test("values far outside are held within the limit, as in training", async () => {
  const file = buildExport(input);
  const { nll } = await scoreWindows(file, [window.with(-1, 100 + 20 * 50), window.with(-1, 1e9)]);
  expect(nll[0]!).toBe(nll[1]!);
});

describe("the file", () => {
  const model = readMessage(buildExport(input));
  const graph = model.message(7);

  test("needs nothing but the standard operators of opset 17", () => {
    const opsets = model.messages(8).map((opset) => [opset.text(1), opset.integer(2)]);
    expect(opsets).toEqual([["", 17]]);
    const bodies = graph.messages(1).flatMap((node) => node.messages(5).flatMap((part) => part.messages(6)));
    const nodes = [graph, ...bodies].flatMap((scope) => scope.messages(1));
    expect(nodes.length).toBeGreaterThan(30);
    expect(nodes.filter((node) => node.has(7))).toEqual([]);
  });

  test("has the weights as initializers under their names", () => {
    const names = graph.messages(5).map((tensor) => tensor.text(8));
    for (const { name } of layoutOf(shape)) expect(names).toContain(name);
  });

  test("has one input and four outputs, each explained", () => {
    const explained = (field: number) =>
      graph.messages(field).map((value) => [value.text(1), value.text(3).length > 20]);
    expect(explained(11)).toEqual([["window", true]]);
    expect(explained(12)).toEqual(["nll", "score", "mean", "std"].map((name) => [name, true]));
  });

  test("says what it is", () => {
    expect([model.text(2), model.text(3), model.text(6)]).toEqual(["torus", "9.9", "what it is"]);
    const properties = model.messages(14).map((entry) => [entry.text(1), entry.text(2)]);
    expect(Object.fromEntries(properties)).toEqual({ span: "6", model: "m" });
  });
});
