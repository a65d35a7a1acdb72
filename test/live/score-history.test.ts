// The score history of live models: recorded with each evaluation, kept over restarts, removed by age.
import { beforeEach, expect, test } from "bun:test";
import { toColumns } from "../../src/core/series/score-run.ts";
import { HOUR_MS } from "../../src/core/time/time.ts";
import { sweepScores, toRun } from "../../src/live/score-history.ts";
import type { Evaluation } from "../../src/models/kind.ts";
import { listScores } from "../../src/store/anomalies/scores.ts";
import { MINUTE, NOON, useLiveWorld } from "./world.ts";

const NONE = Number.NaN;
const world = useLiveWorld();
beforeEach(() => world.begin());

/** Columns of the first six minutes after noon. */
async function scores() {
  const request = { model: "m", fromAt: NOON, toAt: NOON + HOUR_MS, intervalMs: MINUTE };
  const columns = { feature: "f", startAt: NOON, intervalMs: MINUTE, length: 6 };
  return toColumns(await listScores(world.store, request), columns);
}

async function watch(minutes: number): Promise<void> {
  await world.makeModel("m");
  await world.start(["m"]);
  await world.pass(minutes * MINUTE);
}

test("every scored interval has its expected value, band and score, over restarts; a gap has no score", async () => {
  for (const [minute, value] of [20, 30, NONE, 50].entries())
    world.bucket.values.set(NOON + minute * MINUTE, value);
  await watch(2);
  await world.restart();
  await world.pass(2 * MINUTE);
  const { expected, lower, upper, score } = await scores();
  expect([...score]).toEqual([20, 30, NONE, 50, NONE, NONE]);
  expect([...expected]).toEqual([10, 10, 10, 10, NONE, NONE]);
  expect([...lower]).toEqual([9, 9, 9, 9, NONE, NONE]);
  expect([...upper]).toEqual([11, 11, 11, 11, NONE, NONE]);
});

test("nothing is recorded while it is off", async () => {
  world.history.isOn = false;
  await watch(2);
  expect([...(await scores()).expected]).toEqual(Array(6).fill(NONE));
});

test("scores older than the history are removed by the hour; all of them once it is off", async () => {
  let historyMs = 8 * HOUR_MS;
  await watch(2);
  await world.stop(["m"]);
  const { store, clock } = world;
  const errors: unknown[] = [];
  const onError = (error: unknown) => errors.push(error);
  const stop = sweepScores({ store, clock, historyMs: () => historyMs, onError });
  await world.pass(2 * HOUR_MS);
  expect((await scores()).expected[0]).toBe(10);
  historyMs = 0;
  await world.pass(HOUR_MS);
  expect((await scores()).expected[0]).toBeNaN();
  stop();
  expect(errors).toEqual([]);
});

test("a usual value after an anomaly is no deviation, however rare it is after those before it", () => {
  const observed = [5, 50, 50, 5, 5, 5, 5, 5, 5, 50];
  const columnOf = (value: number) => Float64Array.from(observed, () => value);
  const evaluation = {
    grid: { startAt: NOON, intervalMs: MINUTE, length: 10, columns: { f: Float64Array.from(observed) } },
    ...{ predicted: { f: columnOf(5) }, lower: { f: columnOf(3) }, upper: { f: columnOf(7) } },
    scores: observed.map((value, i) => {
      const report = value > 7 ? { score: 100, rarity: 8 } : { score: 1, rarity: i > 0 ? 4 : 0.1 };
      return { score: report.score, features: { f: { type: "high", ...report } }, mse: null, nll: null };
    }),
  } as unknown as Evaluation;
  const { deviations } = toRun(evaluation, { version: "01", settings: {} });
  expect(deviations.map(({ startAt, endAt, peak }) => [startAt, endAt, peak])).toEqual([
    [NOON + MINUTE, NOON + 3 * MINUTE, 8],
    [NOON + 9 * MINUTE, NOON + 10 * MINUTE, 8],
  ]);
});
