// The donut kind with real workers: grids in, versions and predictions in units of the data out.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { JobProgress } from "../../../src/core/job.ts";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type { Grid } from "../../../src/core/series/grid.ts";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import { networksOf } from "../../../src/models/donut/parameters.ts";
import type { EvaluateInput, TrainedModel, TrainInput } from "../../../src/models/kind.ts";
import { detect, rulesOf } from "../../../src/models/scoring/detect.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { createRandom } from "../../../wasm/random.ts";

const HOUR = 3_600_000;
const DAYS = 60;
const donut = createDonut({ steps: 600 });
const pool = new Pool({ trainingWorkers: 2, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
const progress: JobProgress[] = [];
const context = {
  compute: pool,
  signal: new AbortController().signal,
  onProgress: (report: JobProgress) => progress.push(report),
};

const settings: ModelSettings = {
  name: "m",
  type: "donut",
  bucket_interval: "1h",
  span: 24,
  max_evals: 2,
  features: [
    { name: "load", metric: "avg", field: "load" },
    { name: "hits", metric: "count", field: "hits", anomaly_type: "high", default: 0 },
  ],
};

/** A daily sine around 1000, and hits that follow the day with noise. */
function makeGrid(length: number): Grid {
  const random = createRandom(5);
  const load = Float64Array.from(
    { length },
    (_, i) => 1000 + 200 * Math.sin((2 * Math.PI * i) / 24) + 15 * random.normal(),
  );
  const hits = Float64Array.from(
    { length },
    (_, i) => 50 + 20 * Math.cos((2 * Math.PI * i) / 24) + 2 * random.normal(),
  );
  return { startAt: 0, intervalMs: HOUR, length, columns: { load, hits } };
}

const grid = makeGrid(24 * DAYS);

function cut(from: number, to: number, source = grid): Grid {
  const columns = Object.fromEntries(
    Object.entries(source.columns).map(([name, column]) => [name, column.slice(from, to)]),
  );
  return { startAt: from * HOUR, intervalMs: HOUR, length: to - from, columns };
}

const trainOn = (over: Partial<TrainInput> = {}) =>
  donut.train({ settings, grid: cut(0, 24 * 45), overrides: {}, ...over }, context);

let model: TrainedModel;
beforeAll(async () => {
  model = await trainOn();
}, 180_000);
afterAll(() => pool.stop());

test("a version holds one network per feature, side by side, and JSON that survives being stored", () => {
  const networks = networksOf(model);
  expect(networks.map(({ name }) => name)).toEqual(["load", "hits"]);
  expect(networks[1]!.offset).toBe(networks[0]!.size);
  expect(model.weights).toHaveLength(networks[0]!.size + networks[1]!.size);
  expect(JSON.parse(JSON.stringify(model.parameters))).toEqual(model.parameters);
  expect(model.summary).toMatchObject({ span: 24, points: 24 * 45, forecast_seasons: "day, week" });
  expect(model.summary).toMatchObject({ excluded: 0, outliers: 0 });
  expect(model.summary.forecaster).toMatch(/seasonal/);
  expect(model.summary.forecast_error).toBeWithin(0.4, 0.9);
});

test("the parameters of a version hold the digits that verdicts need", () => {
  for (const { tail, ensemble } of networksOf(model)) {
    const tails = [tail, ...Object.values(ensemble!.detectors).map((detector) => detector.tail)];
    for (const { quantiles } of tails) {
      expect(quantiles.length).toBeLessThanOrEqual(100);
      expect(quantiles).toEqual(quantiles.map((quantile) => Number(quantile.toPrecision(5))));
    }
  }
});

test("progress counts the trials of all features", () => {
  expect(progress.at(-1)).toMatchObject({ eval: 4, max_evals: 4, fraction: 1 });
});

const history = donut.historyOf({
  parameters: { features: [{ shape: { window: 24 } }] },
} as unknown as TrainedModel);

async function evaluate(source: Grid, over: Partial<ModelSettings> = {}) {
  const input = {
    settings: { ...settings, ...over },
    grid: cut(24 * 45 - history, 24 * DAYS, source),
    level: 0.95,
  };
  const evaluation = await donut.evaluate(model, input, context);
  return { ...evaluation, ...detect(evaluation.scores, evaluation.grid, { rules: rulesOf(input.settings) }) };
}

/** A copy of the grid in which `feature` is changed at hours counted from day 45. */
function disturb(
  feature: "load" | "hits",
  hours: readonly number[],
  change: (value: number) => number,
): Grid {
  const columns = { ...grid.columns, [feature]: grid.columns[feature]!.slice() };
  for (const hour of hours) columns[feature]![24 * 45 + hour] = change(columns[feature]![24 * 45 + hour]!);
  return { ...grid, columns };
}

test("the band holds about what it promises, in units of the data", async () => {
  const { predicted, lower, upper, stats } = await evaluate(grid);
  const actual = grid.columns.load!.slice(24 * 45);
  expect(stats).toHaveLength(24 * 15);
  const inside = actual.filter((value, i) => value >= lower.load![i]! && value <= upper.load![i]!).length;
  expect(inside / actual.length).toBeGreaterThan(0.8);
  for (const [i, value] of actual.entries()) expect(Math.abs(predicted.load![i]! - value)).toBeLessThan(150);
});

test("a drop starts an anomaly that names feature and direction, and the score falls once it is over", async () => {
  const { stats, scores } = await evaluate(disturb("load", [100, 101, 102], () => 300));
  expect(stats[99]!.anomaly).toBe(false);
  expect(stats[100]).toMatchObject({ anomaly: true, anomalies: { load: { type: "low" } } });
  expect(stats[100]!.score).toBeGreaterThan(70);
  // Rarity goes on where the score ends; `stats` has the fields it always had, and the grounds.
  expect(scores[100]!.features.load!.rarity).toBeGreaterThan(0.06 * stats[100]!.score - 0.01);
  expect(Object.keys(stats[100]!.anomalies.load!)).toEqual([
    "type",
    "score",
    "contributions",
    "explanation",
    "comparison_score",
    "nearest",
  ]);
  expect(stats[103]!.score).toBeLessThan(70);
  expect(stats[106]!.anomaly).toBe(false);
});

test("evaluated window by window, with what is remembered passed on, the scores are the same as in one go", async () => {
  const source = disturb("load", [100, 101, 102, 103], () => 300);
  const whole = await evaluate(source);
  let before: Partial<Pick<EvaluateInput, "rejected" | "memory">> = {};
  for (let hour = 0; hour < 112; hour++) {
    const end = 24 * 45 + hour + 1;
    const input = { settings, grid: cut(end - 1 - history, end, source), level: 0.95, ...before };
    const step = await donut.evaluate(model, input, context);
    expect(step.scores).toHaveLength(1);
    expect(step.scores[0]!.score!).toBeCloseTo(whole.scores[hour]!.score!, 3);
    // Kept as JSON in between, as the store does.
    before = JSON.parse(JSON.stringify({ rejected: step.rejected, memory: step.memory }));
  }
  expect(before.rejected!.load!.length).toBeGreaterThanOrEqual(3);
});

test("a deviation in a direction that does not count scores 0", async () => {
  const { stats } = await evaluate(disturb("hits", [200], () => 0));
  expect(stats[200]!.anomalies.hits).toBeUndefined();
  const high = await evaluate(disturb("hits", [200], () => 200));
  expect(high.stats[200]).toMatchObject({ anomaly: true, anomalies: { hits: { type: "high" } } });
});

test("a missing point has no score and moves nothing; the prediction stays complete", async () => {
  const { predicted, stats } = await evaluate(disturb("load", [50, 51], () => Number.NaN));
  expect(Number.isFinite(predicted.load![50]!)).toBe(true);
  expect(stats[50]!.anomaly).toBe(false);
});

test("an empty interval becomes the feature's default: traffic falling to nothing is seen", async () => {
  const { stats } = await evaluate(
    disturb("hits", [60], () => Number.NaN),
    {
      features: [settings.features[0]!, { ...settings.features[1]!, default: 0, anomaly_type: "low" }],
    },
  );
  expect(stats[60]).toMatchObject({ anomaly: true, anomalies: { hits: { type: "low" } } });
});

test("thresholds of the client are used as they are", async () => {
  const never = await evaluate(
    disturb("load", [100], () => 300),
    { max_threshold: 100, min_threshold: 50 },
  );
  expect(never.stats.every((stat) => !stat.anomaly)).toBe(true);
});

test("a forecast beats repeating the mean, and its band widens with the level", async () => {
  const from = 24 * 50;
  const known = Math.min(from, donut.forecastHistoryOf(model));
  const input = { settings, history: cut(from - known, from), horizon: 24, level: 0.68, levels: [] };
  const narrow = await donut.forecast(model, input, context);
  const wide = await donut.forecast(model, { ...input, level: 0.95 }, context);
  const actual = grid.columns.load!.slice(from, from + 24);
  const mae = (values: ArrayLike<number>) =>
    actual.reduce((sum, value, i) => sum + Math.abs(value - values[i]!), 0) / 24;
  expect(mae(narrow.predicted.load!)).toBeLessThan(0.5 * mae(new Float64Array(24).fill(1000)));
  expect(narrow.grid).toMatchObject({ startAt: from * HOUR, length: 24 });
  for (let h = 0; h < 24; h++) expect(wide.upper.load![h]!).toBeGreaterThan(narrow.upper.load![h]!);
});

test("the same seed and data give the same bits, in any worker", async () => {
  const small = {
    grid: cut(0, 24 * 10),
    settings: { ...settings, max_evals: 1, features: [settings.features[0]!] },
  };
  const [a, b] = await Promise.all([trainOn(small), trainOn(small)]);
  expect(Buffer.from(a.weights.buffer).equals(Buffer.from(b.weights.buffer))).toBe(true);
  const other = await trainOn({ ...small, overrides: { seed: 2 } });
  expect(Buffer.from(a.weights.buffer).equals(Buffer.from(other.weights.buffer))).toBe(false);
});

test("a training can go on from a version", async () => {
  const before = progress.length;
  const next = await trainOn({ overrides: { from: model, epochs: 2 } });
  expect(networksOf(next).map(({ shape }) => shape)).toEqual(networksOf(model).map(({ shape }) => shape));
  expect(progress.slice(before).at(-1)).toMatchObject({ max_evals: 2 });
  expect(Number(next.summary.loss)).toBeLessThan(Number(model.summary.loss) + 0.5);
});

const nothing = {
  ...grid,
  columns: { load: new Float64Array(grid.length).fill(Number.NaN), hits: grid.columns.hits! },
};
const failures: readonly [string, Partial<TrainInput>, string, RegExp][] = [
  [
    "no data",
    { grid: nothing },
    "no_data",
    /no data found for time range 1970-01-01T00:00:00.000Z to 1970-03-02.*feature load/,
  ],
  [
    "too few points",
    { grid: cut(0, 30) },
    "too_little_data",
    /a span of 24 intervals needs 48 points, found 30/,
  ],
];

for (const [name, over, code, message] of failures) {
  test(`${name} fails with the numbers`, async () => {
    const failure = trainOn(over);
    await expect(failure).rejects.toMatchObject({ code });
    await expect(failure).rejects.toThrow(message);
  });
}

/** The grid with empty intervals before it and behind it, and features that begin at different times. */
function surround(source: Grid, before: number, after: number): Grid {
  const length = before + source.length + after;
  const columns = Object.fromEntries(
    Object.entries(source.columns).map(([name, values]) => {
      const column = new Float64Array(length).fill(Number.NaN);
      column.set(values, before);
      return [name, column];
    }),
  );
  return { ...source, startAt: source.startAt - before * HOUR, length, columns };
}

const alone: ModelSettings = { ...settings, max_evals: 1, features: [settings.features[0]!] };

test("a range of which nine tenths are empty trains the same version as the data alone", async () => {
  const days = cut(24 * 40, 24 * 45);
  const inside = await trainOn({ settings: alone, grid: days });
  const around = await trainOn({ settings: alone, grid: surround(days, 24 * 45, 24 * 3) });
  expect(around).toEqual(inside);
  expect(inside.summary.points).toBe(24 * 5);
});

test("data around a long hole are split by points, and train", async () => {
  const source = cut(0, 24 * 45);
  source.columns.load!.fill(Number.NaN, 1, 24 * 40);
  const { summary } = await trainOn({ settings: alone, grid: source });
  expect(summary.points).toBe(24 * 5 + 1);
  expect(Number.isFinite(summary.loss)).toBe(true);
});

test("a feature that begins late is trained on its own part of the range", async () => {
  const source = cut(24 * 20, 24 * 45);
  source.columns.load!.fill(Number.NaN, 0, 24 * 20);
  const { features } = (await trainOn({ grid: source, overrides: { maxEvals: 1 } })).parameters as never as {
    features: { loss: number }[];
  };
  expect(features.every(({ loss }) => Number.isFinite(loss))).toBe(true);
});

test("a canceled training ends at once", async () => {
  const controller = new AbortController();
  const running = donut.train(
    { settings, grid: cut(0, 24 * 45), overrides: { epochs: 100_000 } },
    { ...context, signal: controller.signal, onProgress: () => controller.abort() },
  );
  await expect(running).rejects.toMatchObject({ code: "canceled" });
});
