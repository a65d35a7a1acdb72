// Seasonality with real workers: local time is known before it shows in the window.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type { Grid } from "../../../src/core/series/grid.ts";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { conditionsOf, encodeConditions } from "../../../src/models/donut/condition.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import { networksOf } from "../../../src/models/donut/parameters.ts";
import type { TrainedModel, TrainOverrides } from "../../../src/models/kind.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { createRandom } from "../../../wasm/random.ts";
import { scoreWindows } from "../../support/plain-onnx.ts";

const HOUR = 3_600_000;
const SPAN = 8;
const START = Date.parse("2024-01-15T00:00Z");
/** Clocks went an hour ahead in Paris. */
const CHANGE = (Date.parse("2024-03-31T00:00Z") - START) / HOUR;
const LENGTH = CHANGE + 10 * 24;
const LOW = 100;
const HIGH = 160;

const donut = createDonut({ steps: 800, samples: 0 });
/** Trainings, and what loads a runtime, on a machine that does other things too, ms. */
const PATIENCE = 30_000;
const pool = new Pool({ trainingWorkers: 2, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };

const plain: ModelSettings = {
  name: "m",
  type: "donut",
  bucket_interval: "1h",
  span: SPAN,
  max_evals: 1,
  detector: "vae",
  forecaster: "donut",
  timezone: "Europe/Paris",
  features: [{ name: "load", metric: "avg", field: "load" }],
};
const conditioned: ModelSettings = { ...plain, seasonality: { daytime: true } };

/** Whether a job runs: from nine to eleven each morning, by the clocks of Paris. */
function isBusy(i: number): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(START + i * HOUR).toZonedDateTimeISO("Europe/Paris");
  return local.hour === 9 || local.hour === 10;
}

const random = createRandom(5);
const load = Float64Array.from({ length: LENGTH }, (_, i) => (isBusy(i) ? HIGH : LOW) + 10 * random.normal());

function cut(from: number, to: number): Grid {
  const columns = { load: load.slice(from, to) };
  return { startAt: START + from * HOUR, intervalMs: HOUR, length: to - from, columns };
}

const trainOn = (settings: ModelSettings, overrides: TrainOverrides = {}, grid = cut(0, CHANGE)) =>
  donut.train({ settings, grid, overrides }, context);

let [without, withClock]: TrainedModel[] = [];
beforeAll(async () => {
  [without, withClock] = await Promise.all([trainOn(plain), trainOn(conditioned)]);
}, 2 * PATIENCE);
afterAll(() => pool.stop());

const evaluate = (model: TrainedModel, settings: ModelSettings, batch = false) =>
  donut.evaluate(
    model,
    { settings, grid: cut(CHANGE - SPAN + 1, LENGTH), level: 0.95, ...(batch && { batch }) },
    context,
  );

/** Mean absolute error at the hours of the job, in the summer that the training has not seen. */
function errorAtJob(predicted: Float64Array): number {
  const errors = Array.from(predicted, (value, i) =>
    isBusy(CHANGE + i) ? Math.abs(value - load[CHANGE + i]!) : 0,
  ).filter((error) => error > 0);
  return errors.reduce((sum, error) => sum + error, 0) / errors.length;
}

test("the state lists the conditions of the network, with the same keys in each version", () => {
  expect([without!.summary.conditions, withClock!.summary.conditions]).toEqual(["none", "daytime"]);
  expect(Object.keys(withClock!.summary)).toEqual(Object.keys(without!.summary));
  expect(JSON.parse(JSON.stringify(withClock!.parameters))).toEqual(withClock!.parameters);
  expect("condition" in networksOf(without!)[0]!.shape).toBe(false);
});

test(
  "across a change of clocks, the job is expected in the morning of the people there",
  async () => {
    const [blind, conditional] = [await evaluate(without!, plain), await evaluate(withClock!, conditioned)];
    expect(errorAtJob(conditional.predicted.load!)).toBeLessThan(20);
    expect(errorAtJob(conditional.predicted.load!)).toBeLessThan(0.5 * errorAtJob(blind.predicted.load!));
  },
  PATIENCE,
);

test("a job that does not run is odder, though no window tells it from any other hour", async () => {
  const at = Array.from({ length: LENGTH - CHANGE }, (_, i) => i).find((i) => i > 48 && isBusy(CHANGE + i))!;
  const grid = cut(CHANGE - SPAN + 1, LENGTH);
  grid.columns.load![at + SPAN - 1] = LOW;
  const input = { grid, level: 0.95 };
  const conditional = await donut.evaluate(withClock!, { settings: conditioned, ...input }, context);
  const blind = await donut.evaluate(without!, { settings: plain, ...input }, context);
  expect(conditional.scores[at]!.score!).toBeGreaterThan(20);
  expect(conditional.scores[at]!.features.load!.type).toBe("low");
  expect(blind.scores[at]!.score!).toBeLessThan(10);
});

test("a forecast knows the hours to come, further ahead than a window is long", async () => {
  const known = donut.forecastHistoryOf(withClock!);
  const input = { history: cut(CHANGE - known, CHANGE), horizon: 72, level: 0.68, levels: [] };
  const conditional = await donut.forecast(withClock!, { settings: conditioned, ...input }, context);
  const blind = await donut.forecast(without!, { settings: plain, ...input }, context);
  const [mine, other] = [conditional, blind].map(({ predicted }) => errorAtJob(predicted.load!));
  expect(mine!).toBeLessThan(0.6 * other!);
});

test("batch detection finds the job where it belongs", async () => {
  const { scores } = await evaluate(withClock!, conditioned, true);
  const busy = scores.filter((_, i) => isBusy(CHANGE + i) && i > SPAN && i < LENGTH - CHANGE - SPAN);
  const calm = busy.filter(({ score }) => score! < 60).length;
  expect(calm / busy.length).toBeGreaterThan(0.7);
});

test("a version gets the conditions it was trained with, whatever the settings say now", async () => {
  const then = await evaluate(withClock!, conditioned);
  const now = await evaluate(withClock!, { ...plain, seasonality: { weekday: true } });
  expect(now.predicted).toEqual(then.predicted);
  const old = await evaluate(without!, conditioned);
  expect(old.predicted).toEqual((await evaluate(without!, plain)).predicted);
});

test(
  "an exported network scores as the service does, given the conditions it describes",
  async () => {
    const { predicted } = await evaluate(withClock!, conditioned);
    const file = donut.exportNetwork(withClock!, {
      settings: conditioned,
      feature: "load",
      producerVersion: "9.9",
      properties: {},
    });
    expect(Buffer.from(file).toString("latin1")).toContain("sqrt(2)*sin(2*pi*1*d), sqrt(2)*cos(2*pi*1*d)");
    // No window with the change in it, which the service lays out by local time.
    const hours = [0, 12, 30];
    const windows = hours.map((i) => Array.from(load.subarray(CHANGE + i - SPAN + 1, CHANGE + i + 1)));
    const conditions = hours.map((i) =>
      Array.from(encodeConditions(networksOf(withClock!)[0]!.conditions, cut(CHANGE + i, CHANGE + i + 1))),
    );
    const { mean } = await scoreWindows(file, windows, conditions);
    for (const [row, i] of hours.entries())
      expect(mean[row * SPAN + SPAN - 1]!).toBeCloseTo(predicted.load![i]!, 2);
  },
  PATIENCE,
);

test(
  "the same seed and data give the same bits, in any worker",
  async () => {
    const short = cut(0, 24 * 20);
    const [a, b] = await Promise.all([1, 2].map(() => trainOn(conditioned, { epochs: 2 }, short)));
    expect(Buffer.from(a!.weights.buffer).equals(Buffer.from(b!.weights.buffer))).toBe(true);
  },
  PATIENCE,
);

test(
  "a training goes on from a version of the same conditions, also over a range too short to teach them",
  async () => {
    const day = cut(CHANGE - 36, CHANGE);
    expect(conditionsOf(conditioned, day).names).toEqual([]);
    const next = await trainOn(conditioned, { from: withClock!, epochs: 2 }, day);
    expect(networksOf(next)[0]).toMatchObject({
      shape: networksOf(withClock!)[0]!.shape,
      conditions: { names: ["daytime"], timezone: "Europe/Paris", waves: 4 },
    });
  },
  PATIENCE,
);

test.each([
  ["new ones", "daytime, weekday", { ...conditioned, seasonality: { daytime: true, weekday: true } }],
  ["another time zone", "daytime", { ...conditioned, timezone: "UTC" }],
  ["none", "none", plain],
])(
  "asked for %s, it starts anew",
  async (_, expected, settings) => {
    const short = cut(0, 24 * 20);
    const next = await trainOn(settings, { from: withClock!, epochs: 1 }, short);
    const fresh = await trainOn(settings, { epochs: 1 }, short);
    expect(next.summary.conditions).toBe(expected);
    expect(Buffer.from(next.weights.buffer).equals(Buffer.from(fresh.weights.buffer))).toBe(true);
  },
  PATIENCE,
);
