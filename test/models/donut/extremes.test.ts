// Series at the limits of doubles: their versions survive JSON.
import { afterAll, expect, test } from "bun:test";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type { Grid } from "../../../src/core/series/grid.ts";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import type { ForeignVersion } from "../../../src/models/kind.ts";
import { systemClock } from "../../../src/runtime/clock.ts";

const HOUR = 3_600_000;
const LENGTH = 24 * 20;
const donut = createDonut({ steps: 60 });
const pool = new Pool({ trainingWorkers: 1, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };
afterAll(() => pool.stop());

const settings: ModelSettings = {
  name: "m",
  type: "donut",
  bucket_interval: "1h",
  span: 12,
  max_evals: 1,
  features: [{ name: "load", metric: "avg", field: "load" }],
};

const series: Readonly<Record<string, (i: number) => number>> = {
  "near the largest double": (i) => 1e308 * (1 + 0.1 * Math.sin(i)),
  "of both signs near the largest double": (i) => 1.7e308 * Math.sin(i),
  "of one value near the largest double": () => 1.7e308,
  "with one point near the largest double": (i) => (i === 100 ? 1e308 : Math.sin(i)),
  "of the least double": () => 5e-324,
  "of denormals": (i) => 5e-324 * (1 + (i % 5)),
  "of the least doubles of both signs": (i) => 5e-324 * ((i % 3) - 1),
  "of mixed magnitudes": (i) => 10 ** (((i * 37) % 600) - 300),
  "of mixed magnitudes and signs": (i) => (i % 2 === 0 ? 1 : -1) * 10 ** (((i * 37) % 600) - 300),
};

test.each(
  Object.entries(series),
)("a version trained on a series %s survives its way through JSON", async (_, valueAt) => {
  const grid: Grid = {
    startAt: 0,
    intervalMs: HOUR,
    length: LENGTH,
    columns: { load: Float64Array.from({ length: LENGTH }, (_, i) => valueAt(i)) },
  };
  const model = await donut.train({ settings, grid, overrides: {} }, context);
  const sent = JSON.parse(JSON.stringify({ parameters: model.parameters, summary: model.summary }));
  expect(sent).toEqual({ parameters: model.parameters, summary: model.summary });
  const version: ForeignVersion = { settings, parameters: sent.parameters, weights: model.weights };
  donut.checkVersion(version);
  const input = { settings, grid, level: 0.68 };
  const answers = [
    await donut.evaluate(model, input, context),
    await donut.evaluate({ ...model, ...sent }, input, context),
  ];
  expect(answers[1]).toEqual(answers[0]!);
});
