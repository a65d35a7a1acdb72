// Training graph against the plain reference: loss, gradient, Adam steps with clipping and L2.
import { afterAll, expect, test } from "bun:test";
import { layoutOf, parameterCount } from "../../../wasm/donut/layout.ts";
import { viewParameters } from "../../../wasm/donut/network.ts";
import { buildTrainingModel, buildValidationModel } from "../../../wasm/donut/training-graph.ts";
import { adamRates } from "../../../wasm/grad/adam.ts";
import { Graph } from "../../../wasm/onnx/graph.ts";
import { Session } from "../../../wasm/ort.ts";
import { createRandom, normals } from "../../../wasm/random.ts";
import { buildGradientModel } from "./gradient.ts";
import { plainNegativeElbo } from "./reference.ts";

const shape = { window: 6, hidden: 5, latent: 2 };
const BATCH = 3;
const n = parameterCount(shape);
const random = createRandom(7);
const params = normals(n, random).map((value) => value * 0.5);
const x = normals(BATCH * shape.window, random);
const mask = Float32Array.from({ length: x.length }, (_, i) => (i % 7 === 3 ? 0 : 1));
const noise = normals(BATCH * shape.latent, random);
for (const [i, a] of mask.entries()) if (a === 0) x[i] = 0;

const sessions: Session[] = [];
afterAll(async () => {
  for (const session of sessions) await session.release();
});

async function open(model: Uint8Array): Promise<Session> {
  const session = await Session.create(model);
  sessions.push(session);
  return session;
}

function plainLoss(at: readonly number[]): number {
  return Array.from({ length: BATCH }, (_, b) => {
    const row = (data: Float32Array, width: number) => Array.from(data.subarray(b * width, (b + 1) * width));
    const window = {
      x: row(x, shape.window),
      mask: row(mask, shape.window),
      noise: Array.from(noise.filter((_, i) => i % BATCH === b)),
    };
    return plainNegativeElbo(at, window, shape);
  }).reduce((a, b) => a + b, 0);
}

function plainGradient(at: readonly number[]): number[] {
  const h = 1e-5;
  return at.map(
    (value, i) => (plainLoss(at.with(i, value + h)) - plainLoss(at.with(i, value - h))) / (2 * h),
  );
}

const feeds = {
  x: { data: x, dims: [BATCH, shape.window] },
  mask: { data: mask, dims: [BATCH, shape.window] },
  noise: { data: noise, dims: [shape.latent, BATCH] },
};

test("the loss is the reference's", async () => {
  const session = await open(buildValidationModel(shape));
  const { loss } = await session.run({ params: { data: params, dims: [n] }, ...feeds });
  expect(loss![0]!).toBeCloseTo(plainLoss(Array.from(params)), 3);
});

test("the gradient is the reference's, by finite differences, for every parameter", async () => {
  const session = await open(buildGradientModel(shape, BATCH));
  const { gradient: actual } = await session.run({ params: { data: params, dims: [n] }, ...feeds });
  const expected = plainGradient(Array.from(params));
  const norm = Math.hypot(...expected);
  const error = Math.hypot(...expected.map((value, i) => value - actual![i]!));
  expect(error / norm).toBeLessThan(1e-5);
});

for (const { clipNorm, l2 } of [
  { clipNorm: 1e6, l2: 0 },
  { clipNorm: 0.5, l2: 0.01 },
]) {
  test(`two steps of the training graph are two steps of Adam (clip ${clipNorm}, L2 ${l2})`, async () => {
    const session = await open(buildTrainingModel(shape, { batch: BATCH, clipNorm, l2 }));
    const rates = [1, 2].map((step) => adamRates(step, 0.01, BATCH));
    const twice = (data: Float32Array) => Float32Array.from([...data, ...data]);
    const out = await session.run({
      params: { data: params, dims: [1, n] },
      momentum: { data: new Float32Array(n), dims: [1, n] },
      variance: { data: new Float32Array(n), dims: [1, n] },
      x: { data: twice(x), dims: [2, BATCH, shape.window] },
      mask: { data: twice(mask), dims: [2, BATCH, shape.window] },
      noise: { data: twice(noise), dims: [2, shape.latent, BATCH] },
      rate: { data: Float32Array.from(rates, ({ rate }) => rate), dims: [2] },
      epsilon: { data: Float32Array.from(rates, ({ epsilon }) => epsilon), dims: [2] },
      steps: 2,
    });
    const expected = plainSteps(2, { clipNorm, l2 });
    const error = Math.max(...expected.map((value, i) => Math.abs(value - out.params_out![i]!)));
    expect(error).toBeLessThan(2e-5);
  });
}

function plainSteps(count: number, { clipNorm, l2 }: { clipNorm: number; l2: number }): number[] {
  const isKernel = layoutOf(shape).flatMap(({ name, size }) =>
    new Array<boolean>(size).fill(name.endsWith("kernel")),
  );
  let at = Array.from(params);
  let m = new Array<number>(n).fill(0);
  let v = new Array<number>(n).fill(0);
  for (let step = 1; step <= count; step++) {
    const mean = plainGradient(at).map((g, i) => g / BATCH + (isKernel[i] ? 2 * l2 * at[i]! : 0));
    const scale = Math.min(1, clipNorm / Math.hypot(...mean));
    m = m.map((value, i) => 0.9 * value + 0.1 * scale * mean[i]!);
    v = v.map((value, i) => 0.999 * value + 0.001 * (scale * mean[i]!) ** 2);
    at = at.map((value, i) => {
      const vHat = v[i]! / (1 - 0.999 ** step);
      return value - (0.01 * (m[i]! / (1 - 0.9 ** step))) / (Math.sqrt(vHat) + 1e-8);
    });
  }
  return at;
}

test("parameters are laid out without gaps", () => {
  const layout = layoutOf(shape);
  let offset = 0;
  for (const piece of layout) {
    expect(piece.offset).toBe(offset);
    offset += piece.size;
  }
  expect(offset).toBe(parameterCount(shape));
  expect(Object.keys(viewParameters(new Graph().input("p", [n]), shape))).toHaveLength(layout.length);
});
