// Series of a live fleet between evaluations: what is stored at once, what in turns, and what a restart reads back.
import { expect, test } from "bun:test";
import {
  decisivePart,
  newSeries,
  packMemory,
  remainingPart,
  restoreSeries,
} from "../../../src/live/fleet/live-fleet.ts";
import { freshState } from "../../../src/live/state.ts";

const memory = { load: { ranks: { linear: [0, 4, 7, 1] } } };
const series = {
  ...newSeries('["a"]', { host: "a" }, { run: "r", at: 1000 }),
  state: { ...freshState("r"), learned: { version: 5, points: 9 } },
  memory: packMemory(memory),
};

test("the state machine is stored with each change, the rest with the memory in turns", () => {
  expect(decisivePart(series)).toHaveProperty("anomaly");
  expect(decisivePart(series)).not.toContainAnyKeys(["learned", "memory"]);
  expect(remainingPart(series)).toMatchObject({ learned: { version: 5, points: 9 }, memory });
  expect(remainingPart(series)).not.toHaveProperty("anomaly");
});

const { key, tags, firstSeenAt } = series;
const unseen = { newestAt: null, score: null, status: "new", windowAt: 2000, last: null } as const;
const row = { key, tags, firstSeenAt, ...unseen };

test("stored parts are restored", () => {
  const restored = restoreSeries({ ...row, state: decisivePart(series), memory: remainingPart(series) }, "r");
  expect(restored.state).toEqual(series.state);
  expect(remainingPart(restored)).toEqual(remainingPart(series));
  expect(restored.isStored).toBe(true);
});

test("a series without a memory has none after a restart", () => {
  expect(restoreSeries(row, "r")).toMatchObject({ memory: undefined, isStored: false });
});
