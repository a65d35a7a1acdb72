// Recorded scores of models: appended with evaluations, listed by range, removed by age and with their model.
import { beforeEach, expect, test } from "bun:test";
import type { ScoreRun } from "../../../src/core/series/score-run.ts";
import { appendScores, listScores, removeScores } from "../../../src/store/anomalies/scores.ts";
import { removeModels } from "../../../src/store/bin/models.ts";
import { write } from "../../../src/store/db/transaction.ts";
import { createModel } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";
import { isPostgres, useStore } from "../temporary.ts";

const MINUTE = 60_000;
const store = useStore();
const runAt = (minute: number, count = 1, over: Partial<ScoreRun> = {}): ScoreRun => ({
  ...{ version: "01", intervalMs: MINUTE, features: ["f"], startAt: minute * MINUTE },
  values: Float32Array.from({ length: count * 4 }, (_, i) => minute + Math.floor(i / 4)),
  ...over,
});
const append = (run: ScoreRun, model = "m", series?: string) =>
  write(store, (tx) => appendScores(tx, { model, ...(series && { series }) }, run));
const list = (fromMinute: number, toMinute: number, intervalMs = MINUTE) =>
  listScores(store, { model: "m", fromAt: fromMinute * MINUTE, toAt: toMinute * MINUTE, intervalMs });
const sizes = (runs: readonly ScoreRun[]) =>
  runs.map(({ startAt, values }) => [startAt / MINUTE, values.length / 4]);

beforeEach(async () => {
  for (const name of ["m", "other"]) await createModel(store, { name, settings: aModel({ name }) }, 1);
});

test("single intervals are stored in blocks of 240, each with its layout", async () => {
  for (let minute = 0; minute < 500; minute++) await append(runAt(minute));
  await append(runAt(3), "other");
  const runs = await list(0, 1000);
  expect(sizes(runs)).toEqual([
    [0, 240],
    [240, 240],
    [480, 20],
  ]);
  expect(runs[2]).toMatchObject({ version: "01", intervalMs: MINUTE, features: ["f"] });
  expect(runs[2]!.values[4]).toBe(481);
});

test("a range lists the blocks that may reach into it", async () => {
  await append(runAt(0, 500));
  expect(sizes(await list(245, 246))).toEqual([[240, 240]]);
  expect(await list(600, 800)).toHaveLength(1);
  expect(await list(900, 1000)).toEqual([]);
});

test("runs of two intervals may start at one instant", async () => {
  await append(runAt(0, 3));
  await append(runAt(0, 2, { intervalMs: 5 * MINUTE }));
  expect(sizes(await list(0, 10))).toEqual([[0, 3]]);
  expect(sizes(await list(0, 10, 5 * MINUTE))).toEqual([[0, 2]]);
});

test("blocks are removed when every interval is older, in slices; a model takes its own along", async () => {
  await append(runAt(0, 720));
  await append(runAt(0, 1), "other");
  expect(await removeScores(store, 480 * MINUTE - 1, 1)).toBe(1);
  expect(await removeScores(store, 480 * MINUTE - 1, 10)).toBe(1);
  expect(sizes(await list(0, 1000))).toEqual([
    [240, 240],
    [480, 240],
  ]);
  await removeModels(store, ["m"], 1);
  expect(await list(0, 1000)).toEqual([]);
});

test("series of a fleet have blocks of their own, found by an index", async () => {
  for (let minute = 0; minute < 3; minute++) {
    await append(runAt(minute, 1, { values: new Float32Array(4).fill(7) }), "m", '["a"]');
    await append(runAt(minute), "m", '["b"]');
  }
  await append(runAt(1));
  const query = { model: "m", fromAt: 0, toAt: 10 * MINUTE, intervalMs: MINUTE };
  expect((await listScores(store, { ...query, series: '["a"]' })).map(({ values }) => [...values])).toEqual([
    Array(12).fill(7),
  ]);
  expect(sizes(await list(0, 10))).toEqual([[1, 1]]);
  if (isPostgres) return;
  const plan = store.sqlite
    .query(
      "explain query plan select * from scores where model = ? and series is ? and interval_ms = ? and start_at > ?",
    )
    .all("m", '["a"]', MINUTE, 0);
  expect(JSON.stringify(plan)).toContain("(model=? AND series=? AND interval_ms=? AND start_at>?)");
});
