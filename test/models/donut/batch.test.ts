// Batch evaluation: later points count, the score of live detection is kept beside.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type { Grid } from "../../../src/core/series/grid.ts";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import type { TrainedModel } from "../../../src/models/kind.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { createRandom } from "../../../wasm/random.ts";

const HOUR = 3_600_000;
const TRAINED = 24 * 30;
const SPIKE = TRAINED + 60;
const donut = createDonut({ steps: 400 });
const pool = new Pool({ trainingWorkers: 1, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };
const settings: ModelSettings = {
  name: "m",
  type: "donut",
  bucket_interval: "1h",
  span: 24,
  max_evals: 1,
  features: [{ name: "load", metric: "avg", field: "load" }],
};
const random = createRandom(8);
const load = Float64Array.from(
  { length: TRAINED + 24 * 10 },
  (_, i) => 100 + 20 * Math.sin((2 * Math.PI * i) / 24) + random.normal(),
);
load[SPIKE] = 200;
load[SPIKE + 30] = Number.NaN;

const cut = (from: number, to: number): Grid => ({
  startAt: from * HOUR,
  intervalMs: HOUR,
  length: to - from,
  columns: { load: load.slice(from, to) },
});

let model: TrainedModel;
beforeAll(async () => {
  model = await donut.train({ settings, grid: cut(0, TRAINED), overrides: {} }, context);
}, 180_000);
afterAll(() => pool.stop());

const evaluate = (batch: boolean, over: Partial<ModelSettings> = {}) => {
  const grid = cut(TRAINED - donut.historyOf(model), load.length);
  return donut.evaluate(model, { settings: { ...settings, ...over }, grid, level: 0.68, batch }, context);
};

test("the spike is the oddest point, beside the score it had when it came", async () => {
  const [batch, causal] = [await evaluate(true), await evaluate(false)];
  expect(batch.scores).toHaveLength(causal.scores.length);
  const nlls = batch.scores.map(({ nll }) => nll ?? Number.NEGATIVE_INFINITY);
  const at = SPIKE - TRAINED;
  expect(nlls.indexOf(Math.max(...nlls))).toBe(at);
  expect(batch.scores[at]!.score).toBeGreaterThan(60);
  expect(batch.scores[at]!.causalScore).toBe(causal.scores[at]!.score!);
  expect(batch.predicted).toEqual(causal.predicted);
});

test("a missing point has no score; normal points score low", async () => {
  const { scores } = await evaluate(true);
  expect(scores[SPIKE - TRAINED + 30]!.score).toBeUndefined();
  const high = scores.filter(({ score }) => score !== undefined && score > 40);
  expect(high.length).toBeLessThan(0.1 * scores.length);
});

test("a range within the training is not compared with itself", async () => {
  const from = TRAINED - 200;
  const grid = cut(from - donut.historyOf(model), TRAINED - 50);
  grid.columns.load![150] = 200;
  const { scores } = await donut.evaluate(model, { settings, grid, batch: true }, context);
  expect(scores[150 - donut.historyOf(model)]!.score).toBeGreaterThan(60);
});

test("the network alone ranks by its density", async () => {
  const { scores } = await evaluate(true, { detector: "vae" });
  const spike = scores[SPIKE - TRAINED]!;
  expect(spike.score).toBeGreaterThan(60);
  const known = scores.flatMap(({ nll, score }) => (score ? [[nll!, score]] : []));
  const sorted = known.toSorted(([a], [b]) => a! - b!).map(([, score]) => score!);
  expect(sorted).toEqual(sorted.toSorted((a, b) => a - b));
});

test("a direction that does not count scores nothing", async () => {
  const features = [{ ...settings.features[0]!, anomaly_type: "low" as const }];
  const { scores } = await evaluate(true, { features });
  expect(scores[SPIKE - TRAINED]!.score).toBe(0);
});
