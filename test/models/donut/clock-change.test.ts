// Days of a clock change: what follows the local time is usual, what comes at the former hour is not.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { ModelSettings } from "../../../src/core/model/model.ts";
import type { Grid } from "../../../src/core/series/grid.ts";
import { offsetsOf } from "../../../src/core/time/timezone.ts";
import { Pool, spawnWorker } from "../../../src/jobs/workers/pool.ts";
import { createDonut } from "../../../src/models/donut/index.ts";
import type { EvaluateInput, TrainedModel } from "../../../src/models/kind.ts";
import { detect, rulesOf } from "../../../src/models/scoring/detect.ts";
import { systemClock } from "../../../src/runtime/clock.ts";
import { createRandom } from "../../../wasm/random.ts";

const HOUR = 3_600_000;
const TRAINED = 24 * 28;
const LENGTH = TRAINED + 24 * 6;
/** Of the change, two days after the training. */
const CHANGE = TRAINED + 48;
const donut = createDonut({ steps: 300 });
const pool = new Pool({ trainingWorkers: 1, clock: systemClock, spawn: spawnWorker, onCrash: () => {} });
const context = { compute: pool, signal: new AbortController().signal, onProgress: () => {} };
afterAll(() => pool.stop());

describe.each([
  ["Europe/Berlin", Date.UTC(2026, 2, 29, 1)],
  ["America/New_York", Date.UTC(2026, 10, 1, 6)],
])("%s", (timezone, changeAt) => {
  const settings: ModelSettings = {
    ...{ name: "m", type: "donut", bucket_interval: "1h", max_evals: 1, timezone },
    features: [{ name: "load", metric: "avg", field: "load" }],
  };
  const startAt = changeAt - CHANGE * HOUR;
  const offsetAt = offsetsOf(timezone)!;
  const valuesBy = (offsetOf: (at: number) => number) => {
    const random = createRandom(3);
    return Float64Array.from({ length: LENGTH }, (_, i) => {
      const at = startAt + i * HOUR;
      const hour = ((at + offsetOf(at)) / HOUR) % 24;
      return (hour >= 8 && hour < 18 ? 100 : 20) + 20 * Math.sin((hour / 24) * 2 * Math.PI) + random.normal();
    });
  };
  const gridOf = (load: Float64Array, from: number, to: number): Grid => ({
    ...{ startAt: startAt + from * HOUR, intervalMs: HOUR, length: to - from },
    columns: { load: load.slice(from, to) },
  });
  const local = valuesBy(offsetAt);
  let model: TrainedModel;
  beforeAll(async () => {
    const input = { settings, grid: gridOf(local, 0, TRAINED), overrides: { seed: 1 } };
    model = await donut.train(input, context);
  });

  async function evaluate(load: Float64Array) {
    const grid = gridOf(load, TRAINED - donut.historyOf(model), LENGTH);
    const evaluation = await donut.evaluate(model, { settings, grid }, context);
    return {
      ...evaluation,
      ...detect(evaluation.scores, evaluation.grid, { rules: rulesOf(settings) }),
    };
  }

  test("by the local time, nothing is raised, and the expectation follows it", async () => {
    const { stats, predicted } = await evaluate(local);
    expect(stats.filter(({ anomaly }) => anomaly)).toEqual([]);
    for (let i = CHANGE; i < CHANGE + 30; i++)
      expect(Math.abs(predicted.load![i - TRAINED]! - local[i]!)).toBeLessThan(15);
  });

  test("by the former time, the first working hour is an anomaly", async () => {
    const { stats } = await evaluate(valuesBy(() => offsetAt(startAt)));
    const raised = stats.findIndex(({ anomaly }) => anomaly);
    expect(raised - (CHANGE - TRAINED)).toBeWithin(0, 24);
  });

  // In autumn the oldest hour of a window is not known, but in windows of a longer range.
  test("hour by hour, what is remembered passed on, the scores are nearly those of one go", async () => {
    const whole = await evaluate(local);
    let before: Partial<Pick<EvaluateInput, "rejected" | "memory">> = {};
    for (let end = TRAINED + 1; end < CHANGE + 12; end++) {
      const grid = gridOf(local, end - 1 - donut.historyOf(model), end);
      const step = await donut.evaluate(model, { settings, grid, ...before }, context);
      const off = step.scores[0]!.score! - whole.scores[end - 1 - TRAINED]!.score!;
      expect(Math.abs(off)).toBeLessThan(end <= CHANGE ? 0.001 : 0.5);
      before = JSON.parse(JSON.stringify({ rejected: step.rejected, memory: step.memory }));
    }
  });
});
