// Watched forecasts: announced ahead, ended by two forecasts clearly without a breach, made on their own timetable.
import { beforeEach, expect, test } from "bun:test";
import { HOUR_MS } from "../../../src/core/time/time.ts";
import type { Forecast, ForecastInput, TrainedModel } from "../../../src/models/kind.ts";
import { MINUTE, NOON, useLiveWorld } from "../world.ts";

const world = useLiveWorld();
/** Value of the forecast `ahead` ms after its start, and half the width of its band. */
let line: (aheadMs: number) => number;
let made: { horizon: number; level: number }[];

beforeEach(async () => {
  made = [];
  line = () => 10;
  Object.assign(world.kind, {
    forecastHistoryOf: () => 3,
    forecast: async (_: TrainedModel, { history, horizon, level }: ForecastInput): Promise<Forecast> => {
      made.push({ horizon, level });
      const { startAt, intervalMs, length } = history;
      const column = (add: number) => ({
        f: Float64Array.from({ length: horizon }, (_, i) => line(i * intervalMs) + add),
      });
      const grid = { startAt: startAt + length * intervalMs, intervalMs, length: horizon, columns: {} };
      return { grid, predicted: column(0), lower: column(-5), upper: column(5), bands: [] };
    },
  });
  await world.begin();
});

const kinds = () => world.events.map(({ kind }) => kind);
async function begin(): Promise<void> {
  const watch_forecast = [{ feature: "f", above: 95, within: "10h", every: "1h" }];
  await world.makeModel("m", { watch_forecast });
  await world.start(["m"]);
}

test("a breach within the time is announced with its dates and those of the band", async () => {
  // 95 after nine hours, the edges half an hour around it.
  line = (ms) => 5 + (ms / HOUR_MS) * 10;
  await begin();
  await world.pass(2 * MINUTE);
  expect(kinds()).toEqual(["forecast_start"]);
  const { forecast, startedAt } = world.events[0]!;
  expect(forecast).toMatchObject({
    feature: "f",
    type: "high",
    threshold: 95,
    withinMs: 10 * HOUR_MS,
    level: 80,
  });
  const hoursTo = (at: number | undefined) => (at! - forecast!.madeAt) / HOUR_MS;
  expect(hoursTo(forecast!.firstAt)).toBeCloseTo(9, 1);
  expect(hoursTo(forecast!.earliestAt)).toBeCloseTo(8.5, 1);
  expect(hoursTo(forecast!.latestAt)).toBeCloseTo(9.5, 1);
  expect(startedAt).toBe(forecast!.madeAt);
});

test("forecasts are made every hour, in one run that reaches further than what is announced", async () => {
  await begin();
  await world.pass(150 * MINUTE);
  expect(made).toEqual(Array(3).fill({ horizon: 750, level: 0.8 }));
  expect(kinds()).toEqual([]);
});

test("a breach that moves a little beyond the time goes on; one that is gone twice in a row ends", async () => {
  line = (ms) => 5 + (ms / HOUR_MS) * 10;
  await begin();
  await world.pass(MINUTE);
  line = (ms) => (ms / HOUR_MS) * 8.5;
  await world.pass(2 * HOUR_MS);
  expect(kinds()).toEqual(["forecast_start"]);
  line = () => 10;
  await world.pass(HOUR_MS);
  expect(kinds()).toEqual(["forecast_start"]);
  await world.pass(HOUR_MS);
  expect(kinds()).toEqual(["forecast_start", "forecast_end"]);
});

test("a forecast that fails shows in the state, and changes neither evaluation nor condition", async () => {
  line = (ms) => 5 + (ms / HOUR_MS) * 10;
  await begin();
  await world.pass(MINUTE);
  line = () => {
    throw new TypeError("broken");
  };
  await world.pass(HOUR_MS);
  expect(kinds()).toEqual(["forecast_start"]);
  expect(world.errors).toEqual([new TypeError("broken")]);
  const [evaluation] = await world.evaluations();
  expect(evaluation).toMatchObject({ outcome: "ok" });
  const { state } = await world.row();
  expect(Object.values((state as { forecasts?: object }).forecasts ?? {})).toEqual([
    expect.objectContaining({ error: expect.any(String), firstAt: expect.any(Number) }),
  ]);
});

test("of many that are due at once one is made at a time, the others with the next evaluations", async () => {
  const { forecast } = world.kind as unknown as { forecast: (...args: unknown[]) => Promise<Forecast> };
  let [busy, busiest] = [0, 0];
  const letGo: (() => void)[] = [];
  Object.assign(world.kind, {
    forecast: async (...args: unknown[]) => {
      busiest = Math.max(busiest, ++busy);
      await new Promise<void>((resolve) => letGo.push(resolve));
      busy--;
      return forecast(...args);
    },
  });
  const names = ["a", "b", "c"];
  const watch_forecast = [{ feature: "f", above: 95, within: "10h" }];
  for (const name of names) await world.makeModel(name, { watch_forecast });
  await world.start(names);
  for (let passed = 0; passed < 5 * MINUTE; passed += 5000) {
    await world.pass(5000);
    for (const go of letGo.splice(0)) go();
  }
  await world.pass(5000);
  expect(busiest).toBe(1);
  const states = await Promise.all(names.map(async (name) => (await world.row(name)).state));
  for (const state of states) expect(state).toHaveProperty("forecasts");
});

test("a watch that is removed ends its condition", async () => {
  line = (ms) => 5 + (ms / HOUR_MS) * 10;
  await begin();
  await world.pass(MINUTE);
  await world.patch("m", { watch_forecast: [] });
  await world.pass(2 * MINUTE);
  expect(world.events.at(-1)).toMatchObject({
    kind: "forecast_end",
    closedBy: "the settings of the model changed",
  });
});

test("below: a level that falls", async () => {
  line = (ms) => 50 - (ms / HOUR_MS) * 10;
  await world.makeModel("m", { watch_forecast: [{ feature: "f", below: 10, within: "10h" }] });
  await world.start(["m"]);
  await world.pass(MINUTE);
  expect(world.events[0]!.forecast).toMatchObject({ type: "low", threshold: 10 });
});

test("where the history certainly rises, the dates are those of capacity", async () => {
  Object.assign(world.kind, { forecastHistoryOf: () => 600 });
  const nowAt = world.clock.now();
  // 95 in five hours, which the forecast does not see.
  for (let at = NOON - 700 * MINUTE; at < NOON + 100 * MINUTE; at += MINUTE)
    world.bucket.values.set(at, 95 - ((nowAt + 5 * HOUR_MS - at) / HOUR_MS) * 4);
  await begin();
  await world.pass(2 * MINUTE);
  const { forecast } = world.events.find(({ kind }) => kind === "forecast_start")!;
  expect(Math.abs(forecast!.firstAt! - (nowAt + 5 * HOUR_MS))).toBeLessThan(0.1 * HOUR_MS);
  expect(forecast!.earliestAt!).toBeLessThanOrEqual(forecast!.firstAt!);
  expect(forecast!.latestAt!).toBeGreaterThanOrEqual(forecast!.firstAt!);
});
