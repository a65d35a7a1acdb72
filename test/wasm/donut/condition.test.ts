// Conditioned networks against the plain reference; each window reads its own condition only.
import { afterAll, describe, expect, test } from "bun:test";
import type { Control } from "../../../wasm/control.ts";
import { scoreBatch } from "../../../wasm/donut/batch.ts";
import { buildExport } from "../../../wasm/donut/export.ts";
import { forecast } from "../../../wasm/donut/forecast.ts";
import { keyOf, layoutOf, parameterCount } from "../../../wasm/donut/layout.ts";
import { score } from "../../../wasm/donut/score.ts";
import { buildValidationModel } from "../../../wasm/donut/training-graph.ts";
import { Session } from "../../../wasm/ort.ts";
import type { Series } from "../../../wasm/protocol.ts";
import { createRandom, normals } from "../../../wasm/random.ts";
import { SessionCache } from "../../../wasm/sessions.ts";
import { scoreWindows } from "../../support/plain-onnx.ts";
import { buildGradientModel } from "./gradient.ts";
import { decodePlain, encodePlain, layersOf, plainNegativeElbo } from "./reference.ts";

const shape = { window: 6, hidden: 5, latent: 2, condition: 3 };
const BATCH = 4;
const n = parameterCount(shape);
const random = createRandom(7);
const params = normals(n, random).map((value) => value * 0.5);
const sessions = new SessionCache();
const control: Control = { isCanceled: () => false, report: () => {} };
const mean = { samples: 0, iterations: 10, seed: 1 };
afterAll(() => sessions.release());

const rowOf = (data: Float32Array, row: number, width: number) =>
  Array.from(data.subarray(row * width, (row + 1) * width));

const columnOf = (data: Float32Array, column: number, columns: number) =>
  Array.from(data.filter((_, i) => i % columns === column));

describe("in training", () => {
  const x = normals(BATCH * shape.window, random);
  const mask = Float32Array.from(x, (_, i) => (i % 7 === 3 ? 0 : 1));
  for (const [i, a] of mask.entries()) if (a === 0) x[i] = 0;
  const noise = normals(BATCH * shape.latent, random);
  const condition = normals(BATCH * shape.condition, random);
  const feeds = {
    params: { data: params, dims: [n] },
    x: { data: x, dims: [BATCH, shape.window] },
    mask: { data: mask, dims: [BATCH, shape.window] },
    noise: { data: noise, dims: [shape.latent, BATCH] },
    condition: { data: condition, dims: [BATCH, shape.condition] },
  };
  const plainLoss = (at: readonly number[]) =>
    Array.from({ length: BATCH }, (_, b) =>
      plainNegativeElbo(
        at,
        {
          x: rowOf(x, b, shape.window),
          mask: rowOf(mask, b, shape.window),
          noise: columnOf(noise, b, BATCH),
          condition: rowOf(condition, b, shape.condition),
        },
        shape,
      ),
    ).reduce((a, b) => a + b, 0);

  test("the loss is the reference's", async () => {
    const session = await Session.create(buildValidationModel(shape));
    const { loss } = await session.run(feeds);
    await session.release();
    expect(loss![0]!).toBeCloseTo(plainLoss(Array.from(params)), 3);
  });

  test("the gradient is the reference's, by finite differences, for every parameter", async () => {
    const session = await Session.create(buildGradientModel(shape, BATCH));
    const { gradient: actual } = await session.run(feeds);
    await session.release();
    const h = 1e-5;
    const at = Array.from(params);
    const expected = at.map(
      (value, i) => (plainLoss(at.with(i, value + h)) - plainLoss(at.with(i, value - h))) / (2 * h),
    );
    const error = Math.hypot(...expected.map((value, i) => value - actual![i]!));
    expect(error / Math.hypot(...expected)).toBeLessThan(1e-5);
  });
});

describe("in prediction", () => {
  const LENGTH = 20;
  const series: Series = {
    values: normals(LENGTH, random),
    observed: new Uint8Array(LENGTH).fill(1),
    conditions: normals(LENGTH * shape.condition, random),
  };
  const task = { shape, params, series, options: mean };
  const layers = layersOf(Array.from(params), shape);
  const conditionAt = (i: number) => rowOf(series.conditions!, i, shape.condition);

  /** Distribution of the window that ends with point `i`, at the latent's mean. */
  function expectWindow(i: number) {
    const x = Array.from(series.values.subarray(i - shape.window + 1, i + 1));
    const z = encodePlain(layers, [...x, ...conditionAt(i)]).mean;
    return decodePlain(layers, [...z, ...conditionAt(i)]);
  }

  test("scores are the reference's, each window with its last point's condition", async () => {
    const result = await score({ kind: "score", ...task }, sessions, control);
    for (let i = shape.window - 1; i < LENGTH; i++) {
      expect(result.mean[i]!).toBeCloseTo(expectWindow(i).mean.at(-1)!, 4);
      expect(result.deviation[i]!).toBeCloseTo(expectWindow(i).deviation.at(-1)!, 4);
    }
  });

  test("samples of one window do not see another's condition", async () => {
    const options = { ...mean, samples: 7 };
    const together = await score({ kind: "score", ...task, options }, sessions, control);
    for (const i of [8, 15]) {
      const from = i - shape.window + 1;
      const alone: Series = {
        values: series.values.slice(from, i + 1),
        observed: series.observed.slice(from, i + 1),
        conditions: series.conditions!.slice(from * shape.condition, (i + 1) * shape.condition),
      };
      const { nll } = await score({ kind: "score", ...task, options, series: alone }, sessions, control);
      expect(nll.at(-1)!).toBeCloseTo(together.nll[i]!, 4);
    }
  });

  test("a batch scores each point at its places in conditioned windows", async () => {
    const batch = await scoreBatch({ kind: "batch", ...task, stride: 1 }, sessions, control);
    // The first point lies in one window alone.
    const expected = expectWindow(shape.window - 1);
    const e = (series.values[0]! - expected.mean[0]!) / expected.deviation[0]!;
    const density = 0.5 * Math.log(2 * Math.PI) + Math.log(expected.deviation[0]!) + 0.5 * e * e;
    expect(batch.nll[0]!).toBeCloseTo(density, 3);
  });

  test("a forecast goes by the conditions of what is to come, block after block", async () => {
    const horizon = 5;
    const ahead = normals(horizon * shape.condition, random);
    const foresee = (conditionsAhead: Float32Array) =>
      forecast({ kind: "forecast", ...task, horizon, conditionsAhead }, sessions, control);
    const usual = await foresee(ahead);
    // Blocks are half a window, three intervals: the second one ends with the last interval.
    const changed = await foresee(ahead.with(ahead.length - 1, 9));
    expect(changed.mean.slice(0, 3)).toEqual(usual.mean.slice(0, 3));
    expect(changed.mean[3]).not.toBe(usual.mean[3]!);
    const first = await foresee(ahead.with(2 * shape.condition, 9));
    expect(first.mean[0]).not.toBe(usual.mean[0]!);
  });

  test("an exported network takes conditions as a second input, and scores the same", async () => {
    const file = buildExport({
      shape,
      params,
      standardisation: { mean: 0, deviation: 1, limit: 50 },
      tail: { quantiles: [0, 1], threshold: 4, share: 0.1, shape: 0.2, scale: 0.5 },
      counts: "low_high",
      decades: 6,
      iterations: 10,
      seed: 1,
      about: { producerVersion: "9.9", description: "what it is", properties: {} },
    });
    const ends = [5, 9, 19];
    const windows = ends.map((i) => Array.from(series.values.subarray(i - shape.window + 1, i + 1)));
    const scored = await scoreWindows(file, windows, ends.map(conditionAt));
    for (const [row, i] of ends.entries())
      for (let w = 0; w < shape.window; w++)
        expect(scored.mean[row * shape.window + w]!).toBeCloseTo(expectWindow(i).mean[w]!, 4);
  });
});

test("a condition of no numbers is no condition: the layout and the graphs are those without", () => {
  const { condition: _, ...plain } = shape;
  expect(layoutOf({ ...shape, condition: 0 })).toEqual(layoutOf(plain));
  expect(buildValidationModel({ ...shape, condition: 0 })).toEqual(buildValidationModel(plain));
  expect(keyOf({ ...shape, condition: 0 })).toBe(keyOf(plain));
  expect(keyOf(shape)).not.toBe(keyOf(plain));
});
