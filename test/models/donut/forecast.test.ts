// Forecasts of versions with and without stored combinations; the network runs only as a member.
import { expect, test } from "bun:test";
import type { Grid } from "../../../src/core/series/grid.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import type { ForecastParameters } from "../../../src/models/forecasters/parameters.ts";
import type { Compute, Context } from "../../../src/models/kind.ts";
import { bandWidth } from "../../../src/models/stats/normal.ts";
import type { ForecastTask } from "../../../wasm/protocol.ts";
import { makeSettings, makeVersion, shape } from "../../support/trained-donut.ts";

const MINUTE = 60_000;
const donut = createDonut();
const settings = makeSettings(["load"]);
const history: Grid = {
  startAt: 0,
  intervalMs: MINUTE,
  length: 20,
  columns: { load: Float64Array.from({ length: 20 }, (_, i) => 10 + (i % 2)) },
};
const input = { settings, history, horizon: 3, level: 0.68, levels: [0.95] };

/** A network that foretells 1 standardised, give or take 2: 10 + 1/3 and 2/3 in units of the data. */
function makeContext(): { context: Context; tasks: ForecastTask[] } {
  const tasks: ForecastTask[] = [];
  const run = async (task: ForecastTask) => {
    tasks.push(task);
    const filled = (value: number) => new Float32Array(task.horizon).fill(value);
    return { mean: filled(1), deviation: filled(2) };
  };
  const compute = { run, trainingLanes: 1 } as unknown as Compute;
  return { context: { compute, signal: new AbortController().signal, onProgress: () => {} }, tasks };
}

/** A version whose only feature forecasts like this. */
function versionWith(forecast: Partial<ForecastParameters>) {
  const version = makeVersion(["load"]);
  const [network] = version.parameters.features;
  const fitted: ForecastParameters = {
    members: [{ method: "donut", weight: 1 }],
    band: { leads: [0], scales: [1], quantiles: [-1, 1], lowerTail: 0, upperTail: 0, sample: 1e9 },
    history: 0,
    nonNegative: false,
    center: 0,
    error: { mae: 1, mase: 1 },
    ...forecast,
  };
  return { ...version, parameters: { features: [{ ...network!, forecast: fitted }] } };
}

const seasonal = { method: "seasonal", season: "none", follow: 0 } as const;

test("a version from before there was a choice forecasts by its network and its widened band", async () => {
  const { context, tasks } = makeContext();
  const version = makeVersion(["load"]);
  expect(donut.forecastHistoryOf(version)).toBe(shape.window);
  const answer = await donut.forecast(version, input, context);
  expect(answer.grid).toMatchObject({ startAt: 20 * MINUTE, intervalMs: MINUTE, length: 3 });
  expect(Array.from(answer.predicted.load!)).toEqual(new Array(3).fill(expect.closeTo(10 + 1 / 3, 9)));
  const deviation = (2 / 3) * 1.25;
  expect(answer.upper.load![2]!).toBeCloseTo(10 + 1 / 3 + bandWidth(0.68) * deviation, 9);
  expect(answer.bands[0]!.lower.load![2]!).toBeCloseTo(10 + 1 / 3 - bandWidth(0.95) * deviation, 9);
  expect(tasks.map(({ series }) => series.values.length)).toEqual([shape.window]);
});

test.each([
  ["before there was a choice", makeVersion(["load"])],
  ["of a network", versionWith({})],
])("limits of a feature hold for a version %s", async (_, version) => {
  const limited = { ...settings, features: [{ ...settings.features[0]!, min: 9.9, max: 10.2 }] };
  const answer = await donut.forecast(version, { ...input, settings: limited }, makeContext().context);
  expect([answer.lower.load![0], answer.predicted.load![0], answer.upper.load![0]]).toEqual([
    expect.any(Number),
    10.2,
    10.2,
  ]);
  expect(answer.bands[0]!.lower.load![0]!).toBeGreaterThanOrEqual(9.9);
});

test("a version of simple forecasts does not run its network", async () => {
  const { context, tasks } = makeContext();
  const version = versionWith({ members: [{ ...seasonal, weight: 1 }], history: 80_640 });
  expect(donut.forecastHistoryOf(version)).toBe(80_640);
  const answer = await donut.forecast(version, input, context);
  expect(Array.from(answer.predicted.load!)).toEqual([10.5, 10.5, 10.5]);
  expect(tasks).toEqual([]);
});

test("network and simple forecasts are averaged by their weights", async () => {
  const { context } = makeContext();
  const members = [
    { method: "donut", weight: 0.25 },
    { ...seasonal, weight: 0.75 },
  ] as const;
  const answer = await donut.forecast(versionWith({ members, history: 20 }), input, context);
  expect(answer.predicted.load![0]!).toBeCloseTo(0.25 * (10 + 1 / 3) + 0.75 * 10.5, 9);
  // A version without shares by lead: beyond the only lead of its backtest the network has a quarter of its weight.
  const far = 0.25 / 4 / (0.25 / 4 + 0.75);
  expect(answer.predicted.load![2]!).toBeCloseTo(far * (10 + 1 / 3) + (1 - far) * 10.5, 9);
  expect(answer.lower.load![0]!).toBeLessThan(answer.predicted.load![0]!);
  expect(answer.bands[0]!.upper.load![0]!).toBeGreaterThanOrEqual(answer.upper.load![0]!);
});

test.each([
  ["goes on", 36, 36 + 4],
  ["stopped two weeks before", 22, 22],
])("a network's trend is followed to the origin; it %s", async (_, risenDays, expected) => {
  const { context } = makeContext();
  const hour = 60 * MINUTE;
  const trend = {
    ...{ kind: "additive", fromAt: 0, level: 0, slope: 1, center: 10, weekdays: new Array(7).fill(0) },
    spread: 0.5,
  } as const;
  const load = Float64Array.from({ length: 36 * 24 }, (_, i) => 10 + Math.min(i / 24, risenDays));
  const version = versionWith({
    trend: { kind: "additive", span: "steady", damping: 1 },
    history: load.length,
  });
  const features = version.parameters.features.map((network) => ({ ...network, trend }));
  const { predicted } = await donut.forecast(
    { ...version, parameters: { features } },
    {
      ...input,
      history: { startAt: 0, intervalMs: hour, length: load.length, columns: { load } },
      horizon: 4 * 24,
    },
    context,
  );
  // The network answers a third above the level.
  expect(predicted.load!.at(-1)! - 10 - 1 / 3).toBeWithin(expected - 3, expected + 3);
});

test("the history of many features together is bounded", () => {
  const names = Array.from({ length: 64 }, (_, i) => `f${i}`);
  const version = makeVersion(names);
  const [fitted] = versionWith({ history: 100_000 }).parameters.features;
  const features = version.parameters.features.map((network) => ({ ...network, forecast: fitted!.forecast }));
  expect(donut.forecastHistoryOf({ ...version, parameters: { features } })).toBe(31_250);
});

test("network and simple forecasts are averaged by their shares at each lead", async () => {
  const members = [
    { method: "donut", weight: 0.5, shares: [1, 0, 0], biases: [2, 0, 0] },
    { ...seasonal, weight: 0.5, shares: [0, 1, 1], biases: [0, 0, 0] },
  ] as const;
  const version = versionWith({ members: [...members], groups: { season: 2, far: 3 }, history: 20 });
  const { predicted } = await donut.forecast(version, { ...input, horizon: 4 }, makeContext().context);
  // The middles of the groups are the leads 1 and 2.5: from there on the network has no say.
  const third = (1 / 3) * (10 + 1 / 3 + 2 / 3) + (2 / 3) * 10.5;
  expect(predicted.load![0]!).toBeCloseTo(10 + 1 / 3 + 2, 9);
  expect(predicted.load![1]!).toBeCloseTo(10 + 1 / 3 + 2, 9);
  expect(predicted.load![2]!).toBeCloseTo(third, 9);
  expect(predicted.load![3]!).toBeCloseTo(10.5, 9);
});

test("a missing feature's default fills its history", async () => {
  const { context } = makeContext();
  const empty = { ...history, columns: { load: new Float64Array(20).fill(Number.NaN) } };
  const filled = { ...settings, features: [{ ...settings.features[0]!, default: 4 }] };
  const version = versionWith({ members: [{ ...seasonal, weight: 1 }], history: 20 });
  const answer = await donut.forecast(version, { ...input, settings: filled, history: empty }, context);
  expect(Array.from(answer.predicted.load!)).toEqual([4, 4, 4]);
});

test.each([
  ["Europe/Paris", 7],
  [undefined, 8],
])("times of day are those of the time zone %p", async (timezone, expected) => {
  const hour = 60 * MINUTE;
  // The clock in Paris was set forward two days before the end; nine to noon are busy there.
  const startAt = Date.UTC(2026, 1, 20);
  const isBusy = (i: number) => (i % 24) + (startAt + i * hour < Date.UTC(2026, 2, 29, 1) ? 1 : 2) - 9;
  const load = Float64Array.from({ length: 39 * 24 }, (_, i) => (isBusy(i) >= 0 && isBusy(i) < 3 ? 100 : 10));
  const members = [{ method: "seasonal", season: "day", follow: 0, weight: 1 }] as const;
  const { predicted } = await donut.forecast(
    versionWith({ members, history: load.length }),
    {
      ...input,
      settings: { ...settings, ...(timezone && { timezone }) },
      history: { startAt, intervalMs: hour, length: load.length, columns: { load } },
      horizon: 24,
    },
    makeContext().context,
  );
  expect(predicted.load!.findIndex((value) => value > 55)).toBe(expected);
});
