// Points that arrive after the evaluation of their window: noticed, and corrected by `offset: auto`.
import { beforeEach, expect, test } from "bun:test";
import { neededOffset } from "../../src/core/series/arrival.ts";
import { stateOf } from "../../src/live/state.ts";
import { MINUTE, NOON, useLiveWorld } from "./world.ts";

/** An interval of the points with a value that starts an anomaly. */
const SPIKE = NOON + 14 * MINUTE;

const world = useLiveWorld();
beforeEach(() => world.begin());

/** Time goes by; points are there once their interval has ended so long ago. */
async function pass(minutes: number, lateMs: number): Promise<void> {
  for (let k = 0; k < minutes; k++) {
    const thereAt = world.clock.now() + MINUTE - lateMs;
    for (let at = NOON - 20 * MINUTE; at < NOON + 60 * MINUTE; at += MINUTE)
      world.bucket.values.set(at, at + MINUTE > thereAt ? Number.NaN : at === SPIKE ? 95 : 10);
    await world.pass(MINUTE);
  }
}

const outcomes = async () => (await world.evaluations()).map(({ outcome }) => outcome);
const state = async () => stateOf(await world.row());

test("every window is empty, and it is known which offset would do", async () => {
  await world.makeModel("m");
  await world.start(["m"]);
  await pass(6, 90_000);
  expect((await outcomes()).slice(0, 5)).toEqual(Array.from({ length: 5 }, () => "no_data"));
  expect(neededOffset((await state()).arrival)).toBe(130_000);
});

test("points that stop are not called late", async () => {
  await world.makeModel("m");
  await world.start(["m"]);
  await pass(3, 0);
  world.bucket.behaviour = "empty";
  await world.pass(8 * MINUTE);
  expect(neededOffset((await state()).arrival)).toBeUndefined();
});

test("with offset auto windows wait for their points, and a spike is found", async () => {
  await world.makeModel("m", { offset: "auto" });
  await world.start(["m"]);
  await pass(8, 90_000);
  expect((await state()).offsetMs).toBe(130_000);
  await pass(4, 90_000);
  expect((await outcomes()).slice(0, 2)).toEqual(["ok", "ok"]);
  await pass(8, 90_000);
  expect(world.notified()).toEqual(["start", "end"]);
});

test("without it the same spike is missed", async () => {
  await world.makeModel("m");
  await world.start(["m"]);
  await pass(12, 90_000);
  await pass(8, 90_000);
  expect(world.notified()).toEqual([]);
});
