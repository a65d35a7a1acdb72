// Live series: changed with the evaluation of their fleet, loaded in pages, gone with the end of detection.
import { beforeEach, expect, test } from "bun:test";
import { type EvaluationRecord, recordEvaluation } from "../../../src/store/anomalies/evaluations.ts";
import { loadLiveSeries, type SeriesChange } from "../../../src/store/fleets/live-series.ts";
import { stopLive } from "../../../src/store/live.ts";
import { createModel } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";
import { bytes, codeOf, execute, expectUndone, rows, useStore } from "../temporary.ts";
import { aSeries, start } from "./builders.ts";

const store = useStore();
beforeEach(async () => {
  await createModel(store, { name: "m", settings: aModel() }, 1);
  await start(store, "m");
});

const state = { run: "r" };
const record = (slot: number, series: readonly SeriesChange[]): EvaluationRecord => ({
  model: "m",
  before: { rev: slot - 1, state },
  slot,
  intervalMs: 60_000,
  windowAt: slot * 60_000,
  evaluatedAt: slot * 60_000,
  durationMs: 3,
  missed: 0,
  outcome: "ok",
  score: 10,
  state,
  episodes: [],
  events: [],
  series,
});
const evaluate = (slot: number, ...series: SeriesChange[]) => recordEvaluation(store, record(slot, series));
const load = async () => {
  const pages = [];
  for await (const page of loadLiveSeries(store, "m")) pages.push(page);
  return pages;
};
/** Numbers of series, of their states and of their memories. */
const counts = async () => {
  const tables = ["live_series", "live_series_states", "live_series_memories"];
  const [row] = await rows(
    store,
    `select ${tables.map((table) => `(select count(*) from ${table})`).join(", ")}`,
  );
  return row;
};

test("an evaluation changes rows of series; state and memory stay until they are given again", async () => {
  const parts = { state: { recent: "1" }, memory: { ranks: [1, 2] } };
  expect(await evaluate(1, aSeries("a", parts), aSeries("b", { status: "new", newestAt: null }))).toBe(true);
  const later = { ...aSeries("a", { status: "anomalous", score: 97, windowAt: 120_000 }) };
  await evaluate(2, later, aSeries("b", { score: null, state: { recent: "" } }));
  expect(await load()).toEqual([
    [
      { ...later, ...parts, memoryAt: 60_000 },
      { ...aSeries("b", { score: null }), state: { recent: "" } },
    ],
  ]);
});

test("a series that is gone is forgotten with all it had", async () => {
  await evaluate(1, aSeries("a", { state, memory: {} }), aSeries("b", { state, memory: {} }));
  await evaluate(2, { key: aSeries("a").key, gone: true });
  expect((await load()).flat()).toMatchObject([{ key: '["b"]' }]);
  expect(await counts()).toEqual([1, 1, 1]);
});

test("many series are loaded in pages, by key", async () => {
  const many = Array.from({ length: 300 }, (_, i) => aSeries(`h${String(i).padStart(3, "0")}`));
  await evaluate(1, ...many.toReversed());
  const pages = await load();
  expect(pages.flat()).toEqual(many);
  expect(Math.max(...pages.map((page) => page.length))).toBeLessThan(200);
});

test("promise 3: an evaluation is recorded with its series, or nothing of it is", async () => {
  for (const table of ["live_series", "live_series_states", "live_series_memories"])
    await expectUndone(store, [`insert on ${table}`], () => evaluate(1, aSeries("a", { state, memory: {} })));
  expect(await evaluate(2, aSeries("late"))).toBe(false);
  expect(await load()).toEqual([]);
  expect(await evaluate(1, aSeries("a"))).toBe(true);
});

test("series go when detection ends", async () => {
  const parts = { state, memory: {} };
  await evaluate(1, aSeries("a", parts));
  await start(store, "m", { detect: false });
  expect(await counts()).toEqual([0, 0, 0]);
  await stopLive(store, ["m"], { at: 9, ending: { reason: "x", describe: () => undefined }, strict: true });
  await start(store, "m");
  await evaluate(1, aSeries("a", parts));
  await stopLive(store, ["m"], { at: 9, ending: { reason: "x", describe: () => undefined }, strict: true });
  expect(await counts()).toEqual([0, 0, 0]);
});

test("a damaged memory is named", async () => {
  await evaluate(1, aSeries("a", { memory: { ranks: [1] } }));
  await execute(store, `update live_series_memories set memory = ${bytes("00")}`);
  expect(await codeOf(load())).toBe("internal");
});
