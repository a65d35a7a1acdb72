// Mute windows over the real loop: detection goes on, events are due when the window ends.
import { beforeEach, expect, test } from "bun:test";
import { notifiedOver } from "./notified.ts";
import { MINUTE, NOON, useLiveWorld } from "./world.ts";

const world = useLiveWorld();
beforeEach(async () => {
  await world.begin();
  // Silent from 12:03 to 12:08.
  await world.makeModel("m", { mute: [{ from: "12:03", to: "12:08" }] });
});

const END_AT = NOON + 8 * MINUTE;

const run = (values: readonly number[]) => notifiedOver(world, values);

test("one that begins and ends inside is never announced, but kept as an episode", async () => {
  expect(await run([10, 10, 10, 90, 90, 10])).toEqual([]);
  expect(await world.episodes()).toMatchObject([{ startAt: NOON + 3 * MINUTE, endAt: NOON + 5 * MINUTE }]);
});

test("one that still lasts when the window ends is announced then, with the values of its start, and its end too", async () => {
  expect(await run([10, 10, 10, 90, 95, 80, 80, 80, 80, 80, 10])).toEqual([
    "12:8 start of 3",
    "12:11 end of 10",
  ]);
  const [start, end] = world.events;
  expect(start).toMatchObject({ score: 90, startedAt: NOON + 3 * MINUTE, features: { f: { observed: 90 } } });
  expect(end).toMatchObject({ episode: start!.episode, startedAt: start!.startedAt });
  expect(await world.episodes()).toMatchObject([{ peakScore: 95 }]);
});

test("the end of an announced one inside the window is due at the window's end", async () => {
  expect(await run([10, 90, 90, 90, 10])).toEqual(["12:2 start of 1", "12:5 end of 4"]);
  const [start, end] = world.events;
  expect(start!.dueAt).toBeLessThan(NOON + 2 * MINUTE + MINUTE);
  expect(end!.dueAt).toBe(END_AT);
});

test("outside of the window nothing is held back", async () => {
  expect(await run([90, 10, 10, 10, 10, 10, 10, 10, 90, 10])).toHaveLength(4);
  for (const { at, dueAt } of world.events) expect(dueAt - at).toBeLessThanOrEqual(2 * MINUTE);
});
