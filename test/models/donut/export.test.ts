// Exported network in a plain ONNX runtime: the same scores as an evaluation.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type { Grid } from "../../../src/core/series/grid.ts";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import { networksOf } from "../../../src/models/donut/parameters.ts";
import type { Evaluation, TrainedModel } from "../../../src/models/kind.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { createRandom } from "../../../wasm/random.ts";
import { scoreWindows } from "../../support/plain-onnx.ts";

const HOUR = 3_600_000;
const TRAINED = 24 * 40;
const LENGTH = 24 * 60;
const SPAN = 24;
/** Densities are compared relatively, but near 0. */
const TOLERANCE = 1e-4;

const donut = createDonut({ steps: 400, samples: 0 });
const pool = new Pool({ trainingWorkers: 2, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };

const settings: ModelSettings = {
  name: "m",
  type: "donut",
  bucket_interval: "1h",
  span: SPAN,
  max_evals: 1,
  features: [
    { name: "load", metric: "avg", field: "load" },
    { name: "bytes", metric: "max", field: "bytes", anomaly_type: "high" },
    { name: "free", metric: "min", field: "free", anomaly_type: "low" },
  ],
};

/** Daily waves with noise, gaps and spikes in what is evaluated; `bytes` is a counter too large for a float. */
function makeGrid(): Grid {
  const random = createRandom(5);
  const wave = (center: number, size: number) =>
    Float64Array.from({ length: LENGTH }, (_, i) => {
      const spike = i > TRAINED && i % 97 < 2 ? (i % 2 === 0 ? 4 : -4) : 0;
      const value = center + size * (Math.sin((2 * Math.PI * i) / 24) + 0.1 * random.normal() + spike);
      return i > TRAINED && i % 31 < 3 ? Number.NaN : value;
    });
  const columns = { load: wave(0.5, 0.2), bytes: wave(8e12, 1e6), free: wave(1000, 50) };
  return { startAt: 0, intervalMs: HOUR, length: LENGTH, columns };
}

const grid = makeGrid();
let model: TrainedModel;
beforeAll(async () => {
  const columns = Object.fromEntries(
    Object.entries(grid.columns).map(([name, all]) => [name, all.slice(0, TRAINED)]),
  );
  model = await donut.train(
    { settings, grid: { ...grid, length: TRAINED, columns }, overrides: {} },
    context,
  );
}, 180_000);
afterAll(() => pool.stop());

const fileOf = (feature: string, own = settings) =>
  donut.exportNetwork(model, { settings: own, feature, producerVersion: "9.9", properties: { model: "m" } });

/** What the service says of one feature from the end of the training on. */
async function evaluate(
  feature: string,
  // The file holds the network: it is compared with the network alone.
  own: ModelSettings = { ...settings, detector: "vae" },
): Promise<{ evaluation: Evaluation; column: Float64Array }> {
  const from = TRAINED - SPAN + 1;
  const columns = Object.fromEntries(
    Object.entries(grid.columns).map(([name, all]) => [name, all.slice(from)]),
  );
  // The joint density of several features is a sum: alone, it is that of the one.
  for (const name of Object.keys(columns)) if (name !== feature) columns[name]!.fill(Number.NaN);
  const known = { startAt: from * HOUR, intervalMs: HOUR, length: LENGTH - from, columns };
  return {
    evaluation: await donut.evaluate(model, { settings: own, grid: known, level: 0.68 }, context),
    column: columns[feature]!,
  };
}

/** Windows as the service saw them: values it did not believe are missing in later ones. */
function windowsOf(column: Float64Array, rejected: readonly number[]): number[][] {
  const from = TRAINED - SPAN + 1;
  const unbelieved = new Set(rejected.map((at) => at / HOUR - from));
  return Array.from({ length: column.length - SPAN + 1 }, (_, start) =>
    Array.from({ length: SPAN }, (_, i) =>
      i < SPAN - 1 && unbelieved.has(start + i) ? Number.NaN : column[start + i]!,
    ),
  );
}

function expectClose(actual: number, expected: number, unit = 1): void {
  const error = Math.abs(actual - expected) / Math.max(Math.abs(expected), unit);
  expect(error).toBeLessThan(TOLERANCE);
}

describe.each(["load", "bytes", "free"])("feature %s", (feature) => {
  test("has the densities, expectations and scores of an evaluation", async () => {
    const { evaluation, column } = await evaluate(feature);
    const windows = windowsOf(column, evaluation.rejected[feature]!);
    const scored = await scoreWindows(fileOf(feature), windows);
    const { deviation } = networksOf(model).find(({ name }) => name === feature)!.standardisation;
    let [compared, odd, gaps] = [0, 0, 0];
    for (const [i, { nll, features }] of evaluation.scores.entries()) {
      const mean = scored.mean[i * SPAN + SPAN - 1]!;
      expectClose(mean / deviation, evaluation.predicted[feature]![i]! / deviation);
      if (nll === null) {
        gaps++;
        expect([scored.nll[i], scored.score[i]]).toEqual([Number.NaN, Number.NaN]);
        continue;
      }
      compared++;
      expectClose(scored.nll[i]!, nll);
      const { score } = features[feature]!;
      if (score > 60) odd++;
      // Ranks are steps of half a percent: 0.1 of a score next to 0, where a hair's breadth may take one.
      expect(Math.abs(scored.score[i]! - score)).toBeLessThan(score > 35 ? 0.05 : 3);
    }
    expect([compared > 400, odd > 3, gaps > 30]).toEqual([true, true, true]);
  });

  test("has a band as wide as an evaluation's", async () => {
    const { evaluation, column } = await evaluate(feature);
    const scored = await scoreWindows(fileOf(feature), windowsOf(column, evaluation.rejected[feature]!));
    const half = (i: number) => (evaluation.upper[feature]![i]! - evaluation.lower[feature]![i]!) / 2;
    // Half of a band that holds 68 % is 0.9945 deviations.
    for (const i of [0, 100, 300]) expectClose(scored.std[i * SPAN + SPAN - 1]! / (half(i) / 0.994458), 1);
  });
});

test("infinities are missing, a window may be missing as a whole, and windows do not know one another", async () => {
  const window = Array.from({ length: SPAN }, (_, i) => 0.5 + 0.2 * Math.sin((2 * Math.PI * i) / 24));
  const gap = window.with(4, Number.NaN);
  const infinite = window.with(4, Number.NEGATIVE_INFINITY);
  const nothing = window.map(() => Number.NaN);
  const file = fileOf("load");
  const together = await scoreWindows(file, [window, gap, infinite, nothing]);
  expect(together.nll[1]).toBe(together.nll[2]!);
  expect(together.nll[3]).toBeNaN();
  expect([...together.mean, ...together.std].every(Number.isFinite)).toBe(true);
  for (const [i, one] of [window, gap].entries())
    expectClose((await scoreWindows(file, [one])).nll[0]!, together.nll[i]!);
});

test("what does not count scores 0, as the model says now", async () => {
  const low = { ...settings, features: [{ ...settings.features[0]!, anomaly_type: "low" as const }] };
  const window = Array.from({ length: SPAN }, (_, i) => 0.5 + 0.2 * Math.sin((2 * Math.PI * i) / 24));
  const [high, drop] = [window.with(-1, 3), window.with(-1, -3)];
  expect((await scoreWindows(fileOf("load", low), [high, drop])).score).toEqual(Float64Array.of(0, 100));
  expect((await scoreWindows(fileOf("load"), [high, drop])).score).toEqual(Float64Array.of(100, 100));
});

describe("the file", () => {
  const text = () => Buffer.from(fileOf("load")).toString("latin1");

  test("says what is needed to use it", () => {
    const { standardisation, tail } = networksOf(model)[0]!;
    for (const part of [
      String(standardisation.mean),
      String(standardisation.deviation),
      JSON.stringify(tail),
      "reject_above",
      "max_threshold",
      "low_high",
      "9.9",
      "NaN = missing",
    ])
      expect(text()).toContain(part);
  });

  test("names its weights, and nothing of the machine it was made on", () => {
    for (const name of ["e1.kernel", "z.bias", "x.kernel"]) expect(text()).toContain(name);
    expect(text()).not.toContain(import.meta.dir.split("/").slice(0, 3).join("/"));
  });

  test("is the same each time", () => expect(fileOf("load")).toEqual(fileOf("load")));
});
