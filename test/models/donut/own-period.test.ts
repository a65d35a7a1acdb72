// Seasons of no calendar, with real workers: a trained model forecasts by them as a posted series is.
import { afterAll, expect, test } from "bun:test";
import type { Grid } from "../../../src/core/series/grid.ts";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import { networksOf } from "../../../src/models/donut/parameters.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { createRandom } from "../../../wasm/random.ts";
import { aModel } from "../../support/builders.ts";

const STEP = 600_000;
const DAY = 144;
const LENGTH = 14 * DAY;
const HORIZON = 2 * DAY;
const PATIENCE = 60_000;
/** From one high tide to the next, in intervals. */
const TIDE = 74.5;

const donut = createDonut({ steps: 100 });
const pool = new Pool({ trainingWorkers: 1, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };
afterAll(() => pool.stop());

/** Trains on two weeks of a wave, and forecasts two days. */
async function forecastWave(period: number) {
  const random = createRandom(3);
  const wave = (i: number) => 3 * Math.sin((2 * Math.PI * i) / period);
  const column = Float64Array.from({ length: LENGTH }, (_, i) => wave(i) + 0.1 * random.normal());
  const settings = aModel({ bucket_interval: "10m", max_evals: 1 });
  const { name } = settings.features[0]!;
  const grid: Grid = { startAt: 0, intervalMs: STEP, length: LENGTH, columns: { [name]: column } };
  const model = await donut.train({ settings, grid, overrides: { seed: 1 } }, context);
  const from = Math.max(0, LENGTH - donut.forecastHistoryOf(model));
  const columns = { [name]: column.slice(from) };
  const history = { ...grid, startAt: from * STEP, length: LENGTH - from, columns };
  const query = { settings, history, horizon: HORIZON, level: 0.9, levels: [] };
  const { predicted } = await donut.forecast(model, query, context);
  const errors = predicted[name]!.map((value, lead) => Math.abs(value - wave(LENGTH + lead)));
  const mae = errors.reduce((sum, error) => sum + error / HORIZON, 0);
  return { mae, period: networksOf(model)[0]!.forecast!.period };
}

test(
  "tides are forecast by their own season",
  async () => {
    const { mae, period } = await forecastWave(TIDE);
    // Of half intervals twice the season is whole.
    expect(Math.abs(period! - 2 * TIDE)).toBeLessThan(1);
    expect(mae).toBeLessThan(0.3);
  },
  PATIENCE,
);

test.each([
  ["a day", DAY],
  ["half a day", DAY / 2],
])(
  "%s is a season of the calendar",
  async (_, length) => {
    const { mae, period } = await forecastWave(length);
    expect(period).toBeUndefined();
    expect(mae).toBeLessThan(0.3);
  },
  PATIENCE,
);
