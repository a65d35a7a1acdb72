// Live rows that change while they are evaluated: the evaluation is refused, and the window that is still due done anew.
import { beforeEach, expect, test } from "bun:test";
import { freshState } from "../../src/live/state.ts";
import { recordEvaluation } from "../../src/store/anomalies/evaluations.ts";
import { loadLiveSeries } from "../../src/store/fleets/live-series.ts";
import { loadLive, startLive, stopLive } from "../../src/store/live.ts";
import { drain } from "../jobs/fakes.ts";
import { FaultyBucket, MINUTE, NOON, useLiveWorld } from "./world.ts";

const world = useLiveWorld();
const ending = { reason: "stopped", describe: () => undefined };
beforeEach(() => world.begin());

/** The evaluation of the next window, held within its read. @returns what lets it go on */
async function holdNext(): Promise<() => Promise<void>> {
  const release = world.bucket.hold();
  const { reads } = world.bucket;
  for (let passed = 0; world.bucket.reads === reads && passed < MINUTE; passed += 5000)
    await world.pass(5000);
  expect(world.bucket.reads).toBeGreaterThan(reads);
  return async () => {
    release();
    await drain();
  };
}

/** Another server on the same rows records the window that is due, with this score. */
async function recordElsewhere(score: number): Promise<void> {
  const before = (await loadLive(world.store, "m"))!;
  const windowAt = before.lastWindowAt! + MINUTE;
  const basics = { model: "m", before, slot: before.lastSlot! + 1, intervalMs: MINUTE, missed: 0 };
  const times = { windowAt, evaluatedAt: windowAt, durationMs: 1 };
  const found = { outcome: "ok", score, state: before.state, episodes: [], events: [] } as const;
  expect(await recordEvaluation(world.store, { ...basics, ...times, ...found })).toBe(true);
}

const windows = async () => (await world.evaluations()).map(({ windowAt }) => (windowAt - NOON) / MINUTE);

test("new options during an evaluation refuse it; the same window is evaluated with them at once", async () => {
  const target = new FaultyBucket();
  world.buckets.set("out", target);
  await world.makeModel("m");
  await world.start(["m"]);
  world.bucket.values.set(NOON, 95);
  const release = await holdNext();
  await world.start(["m"], { detect: true, save: { bucket: "out" } });
  await release();
  expect([world.refused, await windows(), world.notified()]).toEqual([1, [1, 0], ["start"]]);
  expect(target.written.map(({ at }) => at)).toEqual([NOON]);
  expect(await world.row()).toMatchObject({ missed: 0, failures: 0 });
});

test("promises 16, 19: a window recorded by another server meanwhile is not recorded again, and tells nobody", async () => {
  await world.makeModel("m");
  await world.start(["m"]);
  world.bucket.values.set(NOON, 95);
  const release = await holdNext();
  await recordElsewhere(20);
  await release();
  expect([world.refused, await windows(), world.notified()]).toEqual([1, [1, 0], []]);
  expect((await world.evaluations())[0]!.score).toBe(20);
  await world.pass(MINUTE);
  expect(await windows()).toEqual([2, 1, 0]);
});

test("what passed during a refused evaluation is counted as missed by the one that follows at once", async () => {
  world.buckets.set("out", new FaultyBucket());
  await world.makeModel("m");
  await world.start(["m"]);
  const release = await holdNext();
  const before = await world.row();
  // Of a database that is busy for minutes.
  world.clock.step(3 * MINUTE);
  await world.start(["m"], { detect: true, save: { bucket: "out" } });
  await release();
  const after = await world.row();
  expect([world.refused, after.missed - before.missed, await windows()]).toEqual([1, 3, [4, 0]]);
  await world.pass(2 * MINUTE);
  expect([(await world.row()).missed, await windows()]).toEqual([after.missed, [6, 5, 4, 0]]);
});

test("promises 16, 30: the same of a fleet, which reads its series anew from the store", async () => {
  await world.makeFleet("m", ["a", "b"]);
  await world.start(["m"]);
  world.bucket.hosts.get("a")!.set(NOON, 95);
  const release = await holdNext();
  await recordElsewhere(20);
  world.store.sqlite.run("update live_series set first_seen_at = 7");
  await release();
  expect([world.refused, await windows(), world.notified()]).toEqual([1, [1, 0], []]);
  await world.pass(MINUTE);
  expect(await windows()).toEqual([2, 1, 0]);
  const series = (await Array.fromAsync(loadLiveSeries(world.store, "m"))).flat();
  expect(series.map(({ firstSeenAt }) => firstSeenAt)).toEqual([7, 7]);
});

test("stopped and started anew during an evaluation: what it finds is dropped, and the new start has its own windows", async () => {
  await world.makeModel("m");
  await world.start(["m"]);
  world.bucket.values.set(NOON, 95);
  const release = await holdNext();
  await stopLive(world.store, ["m"], { at: world.clock.now(), ending, strict: true });
  const starts = [{ model: "m", options: { detect: true }, state: freshState("another") }];
  await startLive(world.store, starts, { at: world.clock.now(), ending });
  await release();
  await world.follow(["m"]);
  await drain();
  expect([world.refused, await windows(), world.notified()]).toEqual([1, [1], ["start"]]);
  expect(await world.row()).toMatchObject({ rev: 1, state: { run: "another" } });
});
