// Watched forecasts of fleets: every series has its turn, however many there are and however often they are due.
import { expect, test } from "bun:test";
import { TorusError } from "../../../src/core/errors.ts";
import { MINUTE_MS } from "../../../src/core/time/time.ts";
import { FleetForecaster } from "../../../src/live/fleet/forecaster.ts";
import { type LiveFleet, newSeries } from "../../../src/live/fleet/live-fleet.ts";
import type { Task } from "../../../src/live/task.ts";
import { drain } from "../../jobs/fakes.ts";
import { aModel } from "../../support/builders.ts";

const settings = aModel({
  name: "m",
  bucket_interval: "1m",
  group_by: ["host"],
  features: [{ name: "f", metric: "avg", field: "x" }],
  watch_forecast: [{ feature: "f", above: 9, within: "1h", every: "1m" }],
});
const keys = Array.from({ length: 150 }, (_, i) => `h${i}`);

function makeFleet(): LiveFleet {
  const series = new Map(keys.map((key) => [key, newSeries(key, { host: key }, { run: "r", at: 0 })]));
  const fits = new Map(
    keys.map((key) => [key, { points: 1, fittedAt: 0, history: 1, makeModel: () => ({}) }]),
  );
  return { run: "r", version: {}, series, fits, forecasts: new Map() } as unknown as LiveFleet;
}

function taskAt(nowAt: number): Task {
  const effective = { settings, intervalMs: MINUTE_MS };
  const window = { range: { fromAt: nowAt - MINUTE_MS, toAt: nowAt } };
  const schedule = { intervalMs: MINUTE_MS, phaseMs: 0 };
  return { row: { model: "m" }, effective, window, schedule, nowAt } as unknown as Task;
}

test("forecasts that are due again with each evaluation pass over no series", async () => {
  const deps = {
    openBucket: async () => {
      throw new TorusError("bucket_unavailable", "down");
    },
    kind: { forecastHistoryOf: () => 1 },
  };
  const forecaster = new FleetForecaster(deps as unknown as ConstructorParameters<typeof FleetForecaster>[0]);
  const fleet = makeFleet();
  for (let minute = 1; minute <= 3; minute++) {
    const nowAt = minute * MINUTE_MS;
    forecaster.follow(fleet, taskAt(nowAt));
    const made = () =>
      [...fleet.forecasts.values()].flatMap(Object.values).filter(({ madeAt }) => madeAt === nowAt);
    while (made().length < 64) await drain();
  }
  await forecaster.stop();
  expect(keys.filter((key) => !fleet.forecasts.has(key))).toEqual([]);
});
