// Backtest forecasts of a network: origins of one reach are forecast side by side, each from the points before it.
import { expect, test } from "bun:test";
import { forecastPast } from "../../../src/models/donut/forecast-past.ts";
import type { Context } from "../../../src/models/kind.ts";
import type { ForecastTask } from "../../../wasm/protocol.ts";

const shape = { window: 4, hidden: 1, latent: 1, condition: 1 };
const LENGTH = 30;

/** A network that repeats the last value of each window, plus a hundredth of the condition of the lead. */
function makeContext(): { context: Context; tasks: ForecastTask[] } {
  const tasks: ForecastTask[] = [];
  const run = async (task: ForecastTask) => {
    tasks.push(task);
    const { series, horizon, count = 1, conditionsAhead } = task;
    const mean = Float32Array.from({ length: count * horizon }, (_, i) => {
      const row = Math.floor(i / horizon);
      return series.values[(row + 1) * shape.window - 1]! + conditionsAhead![i]! / 128;
    });
    return { mean, deviation: mean };
  };
  const compute = { trainingLanes: 1, run } as unknown as Context["compute"];
  return { tasks, context: { compute, signal: new AbortController().signal, onProgress: () => {} } };
}

const input = {
  shape,
  params: new Float32Array(1),
  series: {
    values: Float32Array.from({ length: LENGTH }, (_, i) => i),
    observed: new Uint8Array(LENGTH).fill(1),
    conditions: Float32Array.from({ length: LENGTH }, (_, i) => i % 7),
  },
  standardisation: { mean: 1000, deviation: 2 },
  options: { samples: 1, iterations: 1, seed: 1 },
  baseline: {},
  timeline: { startAt: 0, intervalMs: 60_000 },
};

test("origins are forecast from their windows and conditions, in one task for each reach", async () => {
  const { context, tasks } = makeContext();
  const origins = [2, 10, 15, 20, 27];
  const forecasts = await forecastPast(input, { origins, horizon: 5 }, context);
  expect(forecasts.map((own) => own.length)).toEqual([5, 5, 5, 5, 3]);
  for (const [k, origin] of origins.entries())
    for (const [lead, value] of forecasts[k]!.entries())
      expect(value).toBe(1000 + 2 * (origin - 1 + ((origin + lead) % 7) / 128));
  expect(tasks.map(({ count, horizon }) => [count, horizon])).toEqual([
    [4, 5],
    [1, 3],
  ]);
  // Points before the series are missing.
  expect([...tasks[0]!.series.observed.subarray(0, 4)]).toEqual([0, 0, 1, 1]);
});
