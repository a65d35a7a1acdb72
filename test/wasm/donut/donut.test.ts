// Training, scoring and forecasting on a small seasonal series: quality, reproducibility, cancellation.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Canceled, type Control } from "../../../wasm/control.ts";
import { forecast } from "../../../wasm/donut/forecast.ts";
import { parameterCount } from "../../../wasm/donut/layout.ts";
import { score } from "../../../wasm/donut/score.ts";
import { train } from "../../../wasm/donut/train.ts";
import type { ScoreTask, Series, TrainResult, TrainTask } from "../../../wasm/protocol.ts";
import { createRandom } from "../../../wasm/random.ts";
import { SessionCache } from "../../../wasm/sessions.ts";
import { decodePlain, encodePlain, layersOf } from "./reference.ts";

const PERIOD = 24;
const shape = { window: 24, hidden: 32, latent: 4 };
const sessions = new SessionCache();
const control: Control = { isCanceled: () => false, report: () => {} };
const predict = { samples: 64, iterations: 10, seed: 1 };

/** A sine with noise; the expected value at i is known. */
function makeSeries(length: number): Series {
  const random = createRandom(11);
  const values = Float32Array.from(
    { length },
    (_, i) => Math.sin((2 * Math.PI * i) / PERIOD) + 0.1 * random.normal(),
  );
  return { values, observed: new Uint8Array(length).fill(1) };
}

const series = makeSeries(1200);
const task: TrainTask = {
  kind: "train",
  shape,
  series,
  validationFrom: 840,
  seed: 3,
  options: {
    batchSize: 64,
    learningRate: 3e-3,
    warmUpSteps: 50,
    scheduleSteps: 1600,
    clipNorm: 10,
    l2: 1e-3,
    injection: 0.01,
    hiddenTails: 0.15,
    maxSteps: 800,
    validateEvery: 50,
    patience: 20,
  },
};

let trained: TrainResult;
beforeAll(async () => {
  trained = await train(task, sessions, control);
});
afterAll(() => sessions.release());

function scoreTask(over: Partial<ScoreTask> = {}): ScoreTask {
  return { kind: "score", shape, params: trained.best, series, options: predict, ...over };
}

test("training brings the validation loss down, below that of a normal distribution of the same spread", () => {
  const [first, last] = [trained.curve[0]![1], trained.loss];
  expect(last).toBeLessThan(first);
  // Entropy of N(0, 0.71): what a model without any idea of the season would reach.
  expect(last).toBeLessThan(0.5 * Math.log(2 * Math.PI * Math.E * 0.5) - 0.5);
  expect(trained.best).toHaveLength(parameterCount(shape));
});

test("the same seed and data give the same bits, however the steps are cut into runs", async () => {
  const short = { ...task, options: { ...task.options, maxSteps: 60, validateEvery: 60 } };
  const cut = { ...short, options: { ...short.options, validateEvery: 7 } };
  const [a, b, c] = [
    await train(short, sessions, control),
    await train(short, new SessionCache(), control),
    await train(cut, sessions, control),
  ];
  expect(Buffer.from(a.last.params.buffer).equals(Buffer.from(b.last.params.buffer))).toBe(true);
  expect(Buffer.from(a.last.params.buffer).equals(Buffer.from(c.last.params.buffer))).toBe(true);
  const other = await train({ ...short, seed: 4 }, sessions, control);
  expect(Buffer.from(a.last.params.buffer).equals(Buffer.from(other.last.params.buffer))).toBe(false);
});

test("one stretch of all points trains as none does; others train otherwise", async () => {
  const short = { ...task, options: { ...task.options, maxSteps: 60, validateEvery: 60 } };
  const { window } = shape;
  const training = [{ source: 0, from: 0, to: task.validationFrom }];
  const validation = [{ source: 0, from: task.validationFrom - window + 1, to: series.values.length }];
  const whole = await train(short, sessions, control);
  const same = await train({ ...short, stretches: { training, validation } }, sessions, control);
  expect(same.last.params).toEqual(whole.last.params);
  expect(same.loss).toBe(whole.loss);
  const cut = [
    { ...training[0]!, to: 400 },
    { source: 0, from: 400, to: task.validationFrom },
  ];
  const other = await train({ ...short, stretches: { training: cut, validation } }, sessions, control);
  expect(other.last.params).not.toEqual(whole.last.params);
});

test("a training can go on from a checkpoint", async () => {
  const first = await train({ ...task, options: { ...task.options, maxSteps: 100 } }, sessions, control);
  const second = await train(
    { ...task, options: { ...task.options, maxSteps: 300 }, resume: first.last },
    sessions,
    control,
  );
  expect(first.last.step).toBe(100);
  expect(second.last.step).toBe(300);
  expect(second.loss).toBeLessThan(first.loss);
});

test("patience ends a training that no longer improves", async () => {
  const options = { ...task.options, learningRate: 0, maxSteps: 5000, validateEvery: 10, patience: 3 };
  const result = await train({ ...task, options }, sessions, control);
  expect(result.last.step).toBe(40);
  expect(result.converged).toBe(true);
});

test("a cancel is seen between two runs", async () => {
  let reports = 0;
  const stop: Control = { isCanceled: () => reports >= 2, report: () => reports++ };
  await expect(train(task, sessions, stop)).rejects.toBeInstanceOf(Canceled);
});

test("without an observed training window the error says so", async () => {
  const empty = { values: new Float32Array(1200), observed: new Uint8Array(1200) };
  await expect(train({ ...task, series: empty }, sessions, control)).rejects.toThrow("no training window");
});

test("the latent's mean alone gives the reference's distribution and density", async () => {
  const cut: Series = { values: series.values.slice(0, 24), observed: series.observed.slice(0, 24) };
  const result = await score(
    scoreTask({ series: cut, options: { ...predict, samples: 0 } }),
    sessions,
    control,
  );
  const p = layersOf(Array.from(trained.best), shape);
  const x = Array.from(cut.values);
  const { mean, deviation } = decodePlain(p, encodePlain(p, x).mean);
  const z = (x[23]! - mean[23]!) / deviation[23]!;
  expect(result.mean[23]!).toBeCloseTo(mean[23]!, 4);
  expect(result.deviation[23]!).toBeCloseTo(deviation[23]!, 4);
  expect(result.nll[23]!).toBeCloseTo(
    0.5 * Math.log(2 * Math.PI) + Math.log(deviation[23]!) + 0.5 * z * z,
    3,
  );
});

test("a spike stands out, and positions before the first full window have no score", async () => {
  const spiked = { ...series, values: series.values.slice() };
  spiked.values[1000] = 4;
  const { nll } = await score(scoreTask({ series: spiked }), sessions, control);
  expect(nll.slice(0, 23).every(Number.isNaN)).toBe(true);
  const others = Array.from(nll.slice(23)).filter((_, i) => Math.abs(i + 23 - 1000) > 24);
  expect(nll[1000]!).toBeGreaterThan(Math.max(...others) * 2);
});

test("a score knows the past and itself only: what comes later changes nothing", async () => {
  const cut: Series = { values: series.values.slice(0, 600), observed: series.observed.slice(0, 600) };
  const whole = await score(scoreTask({ rejectAbove: 5 }), sessions, control);
  const part = await score(scoreTask({ series: cut, rejectAbove: 5 }), sessions, control);
  for (let i = 23; i < 600; i++) expect(part.nll[i]!).toBeCloseTo(whole.nll[i]!, 4);
});

test("a rejected point leaves the windows after it as if it had been missing", async () => {
  const spiked = { ...series, values: series.values.slice() };
  spiked.values.fill(6, 1000, 1004);
  const missing = { values: series.values.slice(), observed: series.observed.slice() };
  missing.values.fill(0, 1000, 1004);
  missing.observed.fill(0, 1000, 1004);
  const rejecting = await score(scoreTask({ series: spiked, rejectAbove: 8 }), sessions, control);
  const reference = await score(scoreTask({ series: missing }), sessions, control);
  expect(Array.from(rejecting.rejected.slice(999, 1005))).toEqual([0, 1, 1, 1, 1, 0]);
  for (let i = 1004; i < 1030; i++) expect(rejecting.nll[i]!).toBeCloseTo(reference.nll[i]!, 4);
  expect(reference.nll.slice(1000, 1004).every(Number.isNaN)).toBe(true);
  expect(reference.mean.slice(1000, 1004).every(Number.isFinite)).toBe(true);
});

test("a lasting change of level is not rejected for ever", async () => {
  const shifted = { ...series, values: series.values.map((value, i) => (i >= 900 ? value + 8 : value)) };
  const { rejected } = await score(scoreTask({ series: shifted, rejectAbove: 3 }), sessions, control);
  for (let i = 24; i < 1200; i++)
    expect(rejected.slice(i - 24, i).reduce((a, b) => a + b, 0)).toBeLessThanOrEqual(12);
});

test("points rejected by an earlier task stay rejected, and count against the share a window may reject", async () => {
  const rejected = new Uint8Array(1200).fill(1, 1000, 1012);
  const cut = { values: series.values.slice(0, 1013), observed: series.observed.slice(0, 1013) };
  cut.values[1012] = 9;
  const before = rejected.slice(0, 1013);
  const result = await score(scoreTask({ series: cut, rejectAbove: 3, rejected: before }), sessions, control);
  expect(result.nll[1012]!).toBeGreaterThan(3);
  expect(result.rejected[1012]).toBe(0);
  expect(result.rejected.slice(1000, 1012).every((flag) => flag === 1)).toBe(true);
});

test("of a window that is mostly missing no point is doubted, of one that is mostly there it is", async () => {
  const begun = { values: series.values.slice(), observed: series.observed.slice().fill(0, 0, 500) };
  begun.values.fill(0, 0, 500);
  begun.values[505] = 9;
  begun.values[560] = 9;
  const { nll, rejected } = await score(scoreTask({ series: begun, rejectAbove: 3 }), sessions, control);
  expect([nll[505]! > 3, nll[560]! > 3]).toEqual([true, true]);
  expect([rejected[505], rejected[560]]).toEqual([0, 1]);
});

test("missing points are imputed close to what they were", async () => {
  const gap = { values: series.values.slice(), observed: series.observed.slice() };
  for (let i = 700; i < 705; i++) {
    gap.values[i] = 0;
    gap.observed[i] = 0;
  }
  const { mean } = await score(scoreTask({ series: gap }), sessions, control);
  for (let i = 700; i < 705; i++)
    expect(Math.abs(mean[i]! - Math.sin((2 * Math.PI * i) / PERIOD))).toBeLessThan(0.4);
});

test("a forecast follows the season, also beyond one window", async () => {
  const history: Series = { values: series.values.slice(0, 1000), observed: series.observed.slice(0, 1000) };
  const result = await forecast(
    { kind: "forecast", shape, params: trained.best, series: history, horizon: 40, options: predict },
    sessions,
    control,
  );
  const errors = Array.from(result.mean, (value, h) =>
    Math.abs(value - Math.sin((2 * Math.PI * (1000 + h)) / PERIOD)),
  );
  expect(errors.slice(0, 12).reduce((a, b) => a + b, 0) / 12).toBeLessThan(0.25);
  expect(errors.reduce((a, b) => a + b, 0) / 40).toBeLessThan(0.45);
  expect(result.deviation.every((value) => value > 0)).toBe(true);
});

test("histories side by side are each forecast as alone", async () => {
  const task = { kind: "forecast", shape, params: trained.best, horizon: 40, options: predict } as const;
  const cut = (from: number, to: number): Series => ({
    values: series.values.slice(from, to),
    observed: series.observed.slice(from, to),
  });
  const whole = await forecast({ ...task, series: cut(900, 1005), count: 3 }, sessions, control);
  for (let row = 0; row < 3; row++) {
    const alone = await forecast({ ...task, series: cut(900 + 35 * row, 935 + 35 * row) }, sessions, control);
    for (let lead = 0; lead < 40; lead++) {
      expect(whole.mean[40 * row + lead]).toBeCloseTo(alone.mean[lead]!, 4);
      expect(whole.deviation[40 * row + lead]).toBeCloseTo(alone.deviation[lead]!, 4);
    }
  }
});

test("a forecast from less history than a window takes the rest as missing", async () => {
  const short: Series = { values: series.values.slice(0, 5), observed: series.observed.slice(0, 5) };
  const result = await forecast(
    { kind: "forecast", shape, params: trained.best, series: short, horizon: 3, options: predict },
    sessions,
    control,
  );
  expect(result.mean.every(Number.isFinite)).toBe(true);
});
