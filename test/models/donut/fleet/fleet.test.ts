// Fleets with real workers: one network, series of different scales, and series that the training has not seen.
import { afterAll, beforeAll, expect, test } from "bun:test";
import type { JobProgress, ReportProgress } from "../../../../src/core/job.ts";
import type { ModelSettings } from "../../../../src/core/model/model.ts";
import { type Grid, sliceGrid } from "../../../../src/core/series/grid.ts";
import { Pool, spawnWorker } from "../../../../src/jobs/workers/pool.ts";
import type { SeriesParameters } from "../../../../src/models/donut/fleet/series.ts";
import { createDonut } from "../../../../src/models/donut/index.ts";
import type { KindMemory, SeriesFit, TrainedModel } from "../../../../src/models/kind.ts";
import { systemClock } from "../../../../src/runtime/clock.ts";
import { createRandom } from "../../../../wasm/random.ts";
import { aModel } from "../../../support/builders.ts";

const MINUTES = 15 * 60_000;
const DAY = 96;
const donut = createDonut({ steps: 60 });
const { fleet } = donut;
const pool = new Pool({ trainingWorkers: 1, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
const reports: JobProgress[] = [];
const onProgress: ReportProgress = (progress) => reports.push(progress);
const context = { compute: pool, signal: new AbortController().signal, onProgress };
const settings: ModelSettings = aModel({ bucket_interval: "15m", span: 24, max_evals: 1, detector: "auto" });
const scales = [0.01, 1, 1e6];

/** A curve of a scale, far from zero. @param period in intervals */
function makeGrid(scale: number, days: number, change: (i: number) => number = () => 0, period = DAY): Grid {
  const random = createRandom(1 + Math.log10(scale));
  const length = days * DAY;
  const valueAt = (_: unknown, i: number) =>
    scale * (50 + 5 * Math.sin((2 * Math.PI * i) / period) + 0.5 * random.normal() + change(i));
  return { startAt: 0, intervalMs: MINUTES, length, columns: { v: Float64Array.from({ length }, valueAt) } };
}

const series = scales.map((scale, k) => makeGrid(scale, 4 + 3 * k));
const train = (seed = 1) => fleet.train({ settings, series, overrides: { seed } }, context);
const fit = (grid: Grid, model = shared) => fleet.fit(model, { settings, grid }, context);
const detectorsOf = ({ parameters }: SeriesFit) =>
  Object.keys((parameters as SeriesParameters).features[0]!.ensemble!.detectors);
const modelOf = ({ parameters }: SeriesFit) => fleet.modelOf(shared, JSON.parse(JSON.stringify(parameters)));

/** Scores of the last points of a grid. */
async function scoresOf(model: TrainedModel, grid: Grid, points: number): Promise<number[]> {
  const from = grid.length - points - donut.historyOf(model);
  const { scores } = await donut.evaluate(
    model,
    { settings, grid: sliceGrid(grid, from, grid.length) },
    context,
  );
  return scores.map(({ score }) => score!);
}

let shared: TrainedModel;
beforeAll(async () => {
  shared = await train();
}, 180_000);
afterAll(() => pool.stop());

test("a training reports its trials, then the series that the tails are pooled of", () => {
  const calibrations = reports.filter(({ phase }) => phase === "calibrate");
  expect(calibrations[0]).toEqual({ phase: "calibrate", series: 0, max_series: 2, fraction: 0.75 });
  const before = reports.slice(0, reports.indexOf(calibrations[0]!));
  expect(before.at(-1)).toMatchObject({ eval: 1, max_evals: 1, fraction: 0.75 });
});

test("three shapes are tried where neither the request nor the settings say how many", async () => {
  const { max_evals: _, ...silent } = settings;
  const trials: (number | undefined)[] = [];
  const watched = { ...context, onProgress: (progress: JobProgress) => trials.push(progress.max_evals) };
  await createDonut({ steps: 4 }).fleet.train({ settings: silent, series, overrides: {} }, watched);
  expect(trials).toContain(3);
  expect(trials.filter((count) => count !== undefined && count !== 3)).toEqual([]);
});

test.each(scales)("a series of scale %p: its spike is found, all else is quiet", async (scale) => {
  const days = 4 + 3 * scales.indexOf(scale);
  const spiked = makeGrid(scale, days + 1, (i) => (i === days * DAY + 50 ? 8 : 0));
  const model = modelOf(await fit(sliceGrid(spiked, 0, days * DAY)));
  const scores = await scoresOf(model, spiked, DAY);
  expect(scores[50]).toBeGreaterThan(80);
  expect(scores.filter((score, i) => i !== 50 && score > 60)).toEqual([]);
});

test.each([30, DAY])("a series that no training has seen is watched after %p points", async (points) => {
  const grid = makeGrid(300, 2, (i) => (i === points + 40 ? 20 : 0), 16);
  const known = await fit(sliceGrid(grid, 0, points));
  const model = modelOf(known);
  const from = points - donut.historyOf(model);
  const { scores } = await donut.evaluate(
    model,
    { settings, grid: sliceGrid(grid, from, points + 60) },
    context,
  );
  expect(scores[40]!.score!).toBeGreaterThan(80);
  expect(scores.slice(0, 20).filter(({ score }) => score! > 60)).toEqual([]);
  expect(detectorsOf(known)).toContain("network");
});

test("a series shorter than the network's window is watched by the companions", async () => {
  const long = await fleet.train({ settings: { ...settings, span: 60 }, series, overrides: {} }, context);
  const first = await fit(
    makeGrid(1, 1, () => 0),
    long,
  );
  expect(detectorsOf(first)).toContain("network");
  const short = await fit(sliceGrid(makeGrid(1, 1), 0, 40), long);
  expect(detectorsOf(short)).not.toContain("network");
  expect(fleet.modelOf(long, short.parameters).weights).toBe(long.weights);
  expect(donut.historyOf(fleet.modelOf(long, first.parameters))).toBe(59);
  expect(donut.historyOf(fleet.modelOf(long, short.parameters))).toBeLessThan(40);
});

test("fewer points than a detector needs are refused with both numbers", async () => {
  await expect(fit(sliceGrid(makeGrid(1, 1), 0, fleet.firstPoints - 1))).rejects.toMatchObject({
    code: "too_little_data",
    details: { found: 29, needed: 30 },
  });
  await expect(fit(sliceGrid(makeGrid(1, 1), 0, fleet.firstPoints))).resolves.toBeDefined();
});

test("a memory replaces a quarter of the parameters, and scores stay the same", async () => {
  const grid = makeGrid(1, 7);
  const { parameters } = await fit(sliceGrid(grid, 0, 6 * DAY));
  const evaluate = (own: SeriesFit["parameters"], from: number, memory?: KindMemory) => {
    const model = fleet.modelOf(shared, own);
    const part = sliceGrid(grid, from - donut.historyOf(model), from + 10);
    return donut.evaluate(model, { settings, grid: part, ...(memory && { memory }) }, context);
  };
  const memory = (await evaluate(parameters, 6 * DAY)).memory!;
  const fewer = fleet.dropRemembered(parameters, memory);
  expect(JSON.stringify(fewer).length).toBeLessThan(0.75 * JSON.stringify(parameters).length);
  const next = 6 * DAY + 10;
  const { scores } = await evaluate(parameters, next, memory);
  expect((await evaluate(fewer, next, memory)).scores).toEqual(scores);
  expect((await evaluate(fewer, 6 * DAY)).scores).not.toEqual((await evaluate(parameters, 6 * DAY)).scores);
});

test("the memory of another fit replaces nothing", async () => {
  const [one, other] = [await fit(makeGrid(1, 6)), await fit(makeGrid(1, 5))];
  const { memory } = await donut.evaluate(modelOf(other), { settings, grid: makeGrid(1, 1) }, context);
  expect(fleet.dropRemembered(one.parameters, memory!)).toEqual(one.parameters);
});

test("a forecast of a series follows its day, in its units", async () => {
  const days = 10;
  const model = modelOf(await fit(makeGrid(1e6, days)));
  const history = makeGrid(1e6, days);
  const input = { settings, history, horizon: DAY, level: 0.8, levels: [] };
  const { predicted, lower, upper } = await donut.forecast(model, input, context);
  const truth = makeGrid(1e6, days + 1).columns.v!.subarray(days * DAY);
  const errors = truth.map((value, i) => Math.abs(value - predicted.v![i]!));
  expect(errors.reduce((sum, error) => sum + error, 0) / DAY).toBeLessThan(1.5e6);
  expect(lower.v!.every((value, i) => value < upper.v![i]!)).toBe(true);
});

test("parameters of a fleet and of its series survive JSON, are checked, and small", async () => {
  donut.checkVersion({ settings, ...shared });
  await donut.tryVersion({ settings, ...shared }, context);
  const { parameters } = await fit(makeGrid(1, 30));
  const text = JSON.stringify(parameters);
  expect(JSON.parse(text)).toEqual(parameters);
  expect(text.length).toBeLessThan(40_000);
  fleet.checkSeries({ settings, ...shared }, parameters);
  const [feature] = parameters.features as { name: string }[];
  const check = (features: unknown) => () =>
    fleet.checkSeries({ settings, ...shared }, { features } as never);
  expect(check([{ ...feature, name: "w" }])).toThrow("parameters.features.0.name");
  expect(check([feature, feature])).toThrow("the settings have 1 features");
  expect(check([{ ...feature, tail: undefined }])).toThrow("parameters.features.0.tail");
});

test("the same seed trains the same fleet, another one another, and a training continues", async () => {
  const [same, other] = [await train(), await train(2)];
  expect(same.weights).toEqual(shared.weights);
  expect(same.parameters).toEqual(shared.parameters);
  expect(other.weights).not.toEqual(shared.weights);
  const overrides = { from: shared, epochs: 1 };
  const further = await fleet.train({ settings, series: series.slice(1), overrides }, context);
  expect(further.weights.length).toBe(shared.weights.length);
  const off = (weights: Float32Array) =>
    weights.reduce((sum, weight, i) => sum + Math.abs(weight - shared.weights[i]!), 0);
  expect(off(further.weights)).toBeLessThan(off(other.weights) / 2);
}, 180_000);

test("the fit of a series is the same each time", async () => {
  const grid = makeGrid(1, 5);
  expect(await fit(grid)).toEqual(await fit(grid));
});

test("a fleet of short series has no network with `auto`, and says so without", async () => {
  const short = series.map((grid) => sliceGrid(grid, 0, 31));
  const alone = await fleet.train({ settings, series: short, overrides: {} }, context);
  expect(alone.weights).toHaveLength(0);
  donut.checkVersion({ settings, ...alone });
  await donut.tryVersion({ settings, ...alone }, context);
  const model = fleet.modelOf(alone, (await fit(makeGrid(1, 4), alone)).parameters);
  expect((await scoresOf(model, makeGrid(1, 5), DAY)).every(Number.isFinite)).toBe(true);
  const strict = { settings: { ...settings, detector: "ensemble" as const }, series: short, overrides: {} };
  await expect(fleet.train(strict, context)).rejects.toMatchObject({ code: "too_little_data" });
});

test("series without data take no part, and a fleet without any has no data", async () => {
  const empty = { ...series[0]!, columns: { v: new Float64Array(series[0]!.length).fill(Number.NaN) } };
  const trained = await fleet.train({ settings, series: [empty, ...series], overrides: {} }, context);
  expect(trained.summary.series_trained).toBe(3);
  expect(trained.weights).toEqual(shared.weights);
  for (const none of [[], [empty]])
    await expect(fleet.train({ settings, series: none, overrides: {} }, context)).rejects.toMatchObject({
      code: "no_data",
    });
});

test("of more series than a training makes use of, the seed draws some", async () => {
  const short = series.map((grid) => sliceGrid(grid, 0, 60));
  const many = Array.from({ length: fleet.trainedSeries + 50 }, (_, k) => short[k % 3]!);
  const { summary } = await fleet.train({ settings, series: many, overrides: { epochs: 1 } }, context);
  expect(summary.series_trained).toBe(fleet.trainedSeries);
});

test("labelled anomalies are left out of the training and of the fit", async () => {
  const grid = makeGrid(1, 5, (i) => (i >= 200 && i < 230 ? 4 : 0));
  const range = { fromAt: 200 * MINUTES, toAt: 230 * MINUTES };
  const clean = await fleet.fit(shared, { settings, grid: makeGrid(1, 5), excluded: [range] }, context);
  const input = { settings, grid, excluded: [range] };
  expect((await fleet.fit(shared, input, context)).parameters).toEqual(clean.parameters);
  const train = (excluded: readonly (typeof range)[]) =>
    fleet.train({ settings, series: [grid], overrides: { epochs: 1 }, excluded: [excluded] }, context);
  expect((await train([range])).weights).not.toEqual((await train([])).weights);
});

test("a job of an hour at another hour of each host is no anomaly, in a fleet of minutes", async () => {
  const minutes = { ...settings, bucket_interval: 60 };
  const dayOf = 1440;
  const hostOf = (hour: number): Grid => {
    const random = createRandom(7 + hour);
    const length = 8 * dayOf;
    const values = Float64Array.from({ length }, (_, i) => {
      const isRunning = Math.floor((i % dayOf) / 60) === hour;
      return 5 + random.normal() + (isRunning ? 50 + 5 * random.normal() : 0);
    });
    return { startAt: 0, intervalMs: 60_000, length, columns: { v: values } };
  };
  const hosts = [1, 5].map(hostOf);
  const week = (grid: Grid) => sliceGrid(grid, 0, 7 * dayOf);
  const trained = await fleet.train(
    { settings: minutes, series: hosts.map(week), overrides: { seed: 1 } },
    context,
  );
  for (const grid of hosts) {
    const { parameters } = await fleet.fit(trained, { settings: minutes, grid: week(grid) }, context);
    const model = fleet.modelOf(trained, parameters);
    const lastDay = sliceGrid(grid, 7 * dayOf - donut.historyOf(model), grid.length);
    const { scores } = await donut.evaluate(model, { settings: minutes, grid: lastDay }, context);
    expect(Math.max(...scores.map(({ score }) => score!))).toBeLessThan(70);
  }
}, 120_000);
