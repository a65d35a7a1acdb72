// Slices: evaluations and forecasts are independent of the number of tasks, and each task is short.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type { Grid } from "../../../src/core/series/grid.ts";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { windowsOf } from "../../../src/models/donut/batch/batch.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import { donutDefaults } from "../../../src/models/donut/options.ts";
import { batchLength, forecastLength, sliceLength } from "../../../src/models/donut/slices.ts";
import type { Compute, Context, TrainedModel } from "../../../src/models/kind.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import type { Tasks } from "../../../wasm/protocol.ts";
import { createRandom } from "../../../wasm/random.ts";

const HOUR = 3_600_000;
const TRAINED = 24 * 30;
const LENGTH = TRAINED + 24 * 16;
const SPAN = 24;
const whole = createDonut({ steps: 200, taskFlops: Number.POSITIVE_INFINITY });
const sliced = createDonut({ steps: 200, taskFlops: 1 });
const pool = new Pool({ trainingWorkers: 1, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
const signal = new AbortController().signal;

/** Counts the tasks of each kind. */
function counting(): { context: Context; counts: Record<string, number> } {
  const counts: Record<string, number> = {};
  const run: Compute["run"] = (task, options) => {
    counts[task.kind] = (counts[task.kind] ?? 0) + 1;
    return pool.run(task as Tasks["score"]["task"], options) as never;
  };
  return { context: { compute: { run, trainingLanes: 1 }, signal, onProgress: () => {} }, counts };
}

const settings: ModelSettings = {
  name: "m",
  type: "donut",
  bucket_interval: "1h",
  span: SPAN,
  max_evals: 1,
  seasonality: { daytime: true },
  forecaster: "donut",
  features: [
    { name: "load", metric: "avg", field: "load" },
    { name: "hits", metric: "avg", field: "hits", default: "previous" },
  ],
};
const random = createRandom(8);
const wave = (i: number) => 100 + 20 * Math.sin((2 * Math.PI * i) / 24) + random.normal();
const columns = {
  load: Float64Array.from({ length: LENGTH }, (_, i) => wave(i)),
  hits: Float64Array.from({ length: LENGTH }, (_, i) => wave(i)),
};
// An anomaly that lasts, another, gaps, and a gap over the place where a slice begins.
columns.load.fill(300, TRAINED + 60, TRAINED + 66);
columns.hits.fill(20, TRAINED + 140, TRAINED + 142);
columns.load.fill(Number.NaN, TRAINED + 200, TRAINED + 230);
columns.hits.fill(Number.NaN, TRAINED + 70, TRAINED + 100);

const cut = (from: number, to: number): Grid => ({
  startAt: from * HOUR,
  intervalMs: HOUR,
  length: to - from,
  columns: { load: columns.load.slice(from, to), hits: columns.hits.slice(from, to) },
});

let model: TrainedModel;
beforeAll(async () => {
  const { context } = counting();
  model = await whole.train({ settings, grid: cut(0, TRAINED), overrides: {} }, context);
}, 180_000);
afterAll(() => pool.stop());

/** Equal but for rounding, which depends on how many windows a run has. */
function expectSame(found: unknown, expected: unknown, path = ""): void {
  if (typeof expected === "number" && typeof found === "number" && !Number.isInteger(expected)) {
    if (Number.isNaN(expected) && Number.isNaN(found)) return;
    const off = Math.abs(found - expected);
    if (!(off <= 1e-4 * Math.max(1, Math.abs(expected))))
      throw new Error(`${path}: ${found}, not ${expected}`);
  } else if (typeof expected === "object" && expected !== null) {
    expect(Object.keys(found as object)).toEqual(Object.keys(expected));
    for (const [key, value] of Object.entries(expected))
      expectSame((found as Record<string, unknown>)[key], value, `${path}.${key}`);
  } else if (found !== expected) throw new Error(`${path}: ${found}, not ${expected}`);
}

test.each([
  ["causal", false],
  ["batch", true],
])("a %s evaluation in slices answers what the whole one does", async (_, batch) => {
  const input = { settings, grid: cut(TRAINED - SPAN + 1, LENGTH), level: 0.68, batch };
  const [one, many] = [counting(), counting()];
  const expected = await whole.evaluate(model, input, one.context);
  const found = await sliced.evaluate(model, input, many.context);
  expect(one.counts.score).toBe(2);
  expect(many.counts.score).toBe((2 * (LENGTH - TRAINED)) / 16);
  if (batch) expect(many.counts.batch).toBeGreaterThan(2 * one.counts.batch!);
  expect(found.rejected.load!.length).toBeGreaterThan(0);
  expectSame(found, expected);
});

test("a forecast in slices answers what the whole one does", async () => {
  const history = cut(LENGTH - whole.forecastHistoryOf(model), LENGTH);
  const input = { settings, history, horizon: 100, level: 0.68, levels: [] };
  const [one, many] = [counting(), counting()];
  const expected = await whole.forecast(model, input, one.context);
  const found = await sliced.forecast(model, input, many.context);
  expect([one.counts.forecast, many.counts.forecast]).toEqual([2, 2 * Math.ceil(100 / (SPAN / 2))]);
  expectSame(found, expected);
});

test("a task that is canceled is the last one", async () => {
  const controller = new AbortController();
  const { context, counts } = counting();
  const input = { settings, grid: cut(TRAINED - SPAN + 1, LENGTH), level: 0.68 };
  const evaluating = sliced.evaluate(model, input, { ...context, signal: controller.signal });
  controller.abort();
  await expect(evaluating).rejects.toMatchObject({ code: "canceled" });
  expect(counts.score).toBe(1);
});

test("the larger a network, the fewer windows in a task; never none, never so many that live windows wait long", () => {
  const small = { window: 8, hidden: 4, latent: 2 };
  const usual = { window: 120, hidden: 64, latent: 8 };
  const large = { window: 10_000, hidden: 1000, latent: 16 };
  const lengths = [small, usual, large].map((shape) => sliceLength([{ shape }], donutDefaults));
  expect(lengths).toEqual([160, 160, 16]);
  expect(batchLength(small, donutDefaults)).toBe(400);
  expect(batchLength(large, donutDefaults)).toBe(16);
  expect(forecastLength(large, donutDefaults)).toBe(5000);
  expect(sliceLength([{ shape: small }, { shape: large }], donutDefaults)).toBe(16);
});

test("the windows of some points are those of the whole series that hold them", () => {
  for (const [window, stride, length] of [
    [24, 1, 100],
    [24, 5, 101],
    [7, 3, 7],
    [30, 29, 95],
  ] as const) {
    const last = length - window;
    const starts = Array.from({ length: Math.floor(last / stride) + 1 }, (_, i) => i * stride);
    if (starts.at(-1) !== last) starts.push(last);
    for (let from = 0; from < length; from += 4) {
      const to = Math.min(length, from + 4);
      const { start, end } = windowsOf({ from, to, length }, window, stride);
      const held = starts.filter((at) => at < to && at + window > from);
      expect(start).toBeLessThanOrEqual(Math.min(...held));
      expect(end).toBeGreaterThanOrEqual(Math.max(...held) + window);
      expect(starts).toContain(start);
      expect(starts).toContain(end - window);
    }
  }
});
