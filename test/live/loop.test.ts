// The loop: promises 14 to 19 over a real store, with restarts, faulty buckets and clocks that are set.
import { beforeEach, describe, expect, test } from "bun:test";
import type { ModelSettings } from "../../src/core/model/model.ts";
import { removeModels } from "../../src/store/bin/models.ts";
import { loadModel } from "../../src/store/models.ts";
import { restoreVersion } from "../../src/store/versions.ts";
import { drain } from "../jobs/fakes.ts";
import { breakAt } from "../store/temporary.ts";
import { type Behaviour, FaultyBucket, MINUTE, NOON, useLiveWorld } from "./world.ts";

const HOUR = 60 * MINUTE;
const world = useLiveWorld();
beforeEach(() => world.begin());

/** From this interval on (minutes after noon), what is observed. */
function observe(fromMinute: number, values: readonly number[], bucket = world.bucket): void {
  for (const [i, value] of values.entries()) bucket.values.set(NOON + (fromMinute + i) * MINUTE, value);
}

test("promise 14: state, anomaly and window survive a restart between every two steps", async () => {
  await world.makeModel("m");
  observe(0, [10, 95, 80, 60, 40, 10, 99, 20]);
  await world.start(["m"]);
  for (let minute = 0; minute < 10; minute++) {
    await world.restart();
    await world.pass(MINUTE);
  }
  expect(world.notified()).toEqual(["start", "end", "start", "end"]);
  const at = (minute: number) => NOON + minute * MINUTE;
  expect(world.events.map((event) => event.at)).toEqual([at(1), at(4), at(6), at(7)]);
  expect(await world.episodes()).toMatchObject([
    { startAt: at(6), endAt: at(7), peakScore: 99 },
    {
      startAt: at(1),
      endAt: at(4),
      peakScore: 95,
      features: { f: { observed: 95, predicted: 10, lower: 9, upper: 11 } },
    },
  ]);
  expect(await world.row()).toMatchObject({ missed: 0, failures: 0, lastWindowAt: at(10) });
  expect(new Set((await world.evaluations()).map(({ windowAt }) => windowAt)).size).toBe(11);
});

test("promise 14: a model that cannot load is reported and tried again, the others run", async () => {
  for (const name of ["m", "k"]) await world.makeModel(name);
  world.store.sqlite.run("update versions set weights = zeroblob(4) where model = 'm'");
  await world.start(["m", "k"]);
  await world.pass(3 * MINUTE);
  expect(await world.row("m")).toMatchObject({ lastErrorCode: "weights_corrupt", lastWindowAt: null });
  expect((await world.row("m")).failures).toBeGreaterThan(1);
  expect(await world.row("k")).toMatchObject({ failures: 0, lastWindowAt: NOON + 3 * MINUTE });
  await world.train("m", await modelSettings("m"));
  await world.pass(3 * MINUTE);
  expect(await world.row("m")).toMatchObject({ failures: 0 });
});

const modelSettings = async (name: string) => (await loadModel(world.store, name)).settings as ModelSettings;

test("clients that follow learn once that a bucket fails, and once that it is back", async () => {
  await world.makeModel("m");
  const seen: object[] = [];
  world.store.changes.subscribe((change) => void (change.type === "bucket" && seen.push(change)));
  await world.start(["m"]);
  world.bucket.behaviour = "refuse";
  await world.pass(3 * MINUTE);
  world.bucket.behaviour = "well";
  await world.pass(5 * MINUTE);
  expect(seen).toMatchObject([
    { bucket: "b", step: "failing", error: expect.any(String) },
    { bucket: "b", step: "back" },
  ]);
});

const behaviours: readonly [Behaviour, string][] = [
  ["refuse", "bucket_unavailable"],
  ["hang", "deadline"],
  ["deaf", "deadline"],
  ["error", "bucket_rejected"],
  ["partial", "bucket_unavailable"],
  ["garbage", "bucket_unavailable"],
  ["not a number", "internal"],
  ["bug", "internal"],
];

for (const [behaviour, code] of behaviours) {
  for (const active of [false, true]) {
    test(`promise 15: ${behaviour} ${active ? "during" : "outside of"} an anomaly is a failed evaluation and moves nothing`, async () => {
      await world.makeModel("m");
      observe(0, active ? [90, 60, 60, 60, 60, 60, 60, 60, 60] : []);
      await world.start(["m"]);
      await world.pass(MINUTE);
      const before = await world.row();
      const notified = world.notified();
      expect(notified).toEqual(active ? ["start"] : []);
      world.bucket.behaviour = behaviour;
      for (let i = 0; i < 4; i++) {
        await world.pass(MINUTE);
        await world.restart();
      }
      const during = await world.row();
      expect(during).toMatchObject({
        state: before.state,
        lastWindowAt: before.lastWindowAt,
        lastErrorCode: code,
      });
      expect(during.failures).toBeGreaterThan(1);
      expect((await world.evaluations())[0]).toMatchObject({ outcome: "failed", score: null });
      expect(world.notified()).toEqual(notified);
      world.bucket.behaviour = "well";
      await world.pass(5 * MINUTE);
      expect(await world.row()).toMatchObject({ failures: 0, lastErrorCode: code });
      expect(world.notified()).toEqual(active ? ["start", "end"] : []);
      expect(world.errors).toHaveLength(behaviour === "bug" ? during.failures : 0);
    });
  }
}

test("promise 15: a complete answer without points is data where a default fills it", async () => {
  await world.makeModel("m", { features: [{ name: "f", metric: "avg", field: "x", default: 100 }] });
  await world.start(["m"]);
  world.bucket.behaviour = "empty";
  await world.pass(MINUTE);
  expect(world.notified()).toEqual(["start"]);
  expect(world.events[0]!.features).toMatchObject({ f: { observed: null, score: 100 } });
});

for (const active of [false, true]) {
  test(`promise 15: without a default it is recorded as no data (${active ? "during" : "outside of"} an anomaly)`, async () => {
    await world.makeModel("m");
    observe(-1, [active ? 90 : 10]);
    await world.start(["m"]);
    const before = await world.row();
    world.bucket.behaviour = "empty";
    await world.pass(2 * MINUTE);
    expect(await world.row()).toMatchObject({
      failures: 0,
      state: {
        ...before.state,
        last: { score: null, values: { f: null } },
        quiet: { newestAt: NOON, sinceAt: NOON, unchanged: 2, moved: 0 },
      },
      lastWindowAt: NOON + 2 * MINUTE,
    });
    expect((await world.evaluations())[0]).toMatchObject({ outcome: "no_data", score: null, error: null });
    expect(world.notified()).toEqual(active ? ["start"] : []);
  });
}

test("promise 16: never two evaluations at once; an overrun is one evaluation, what was skipped is counted", async () => {
  await world.makeModel("m");
  await world.start(["m"]);
  const release = world.bucket.hold();
  world.bucket.busiest = 0;
  // Less than the deadline at a time: nothing is given up.
  await world.patch("m", { bucket_interval: "5s", interval: "5s" });
  await world.train("m", await modelSettings("m"));
  release();
  await world.pass(MINUTE);
  const releaseAgain = world.bucket.hold();
  const before = await world.row();
  for (let i = 0; i < 5; i++) {
    world.clock.pass(5000);
    await drain();
  }
  expect(world.bucket.busiest).toBe(1);
  const reads = world.bucket.reads;
  releaseAgain();
  await drain();
  expect(world.bucket.reads).toBe(reads + 1);
  const after = await world.row();
  expect(after.failures).toBe(0);
  expect(after.missed - before.missed).toBeGreaterThanOrEqual(2);
  expect(after.lastWindowAt).toBe(Math.floor(world.clock.now() / 5000) * 5000);
});

test("promise 16: a window is evaluated once, however often the model runs", async () => {
  await world.makeModel("m", { interval: "10s" });
  await world.start(["m"]);
  for (let i = 0; i < 5 * 12; i++) {
    world.clock.pass(5000);
    await drain();
    if (i % 7 === 0) await world.restart();
  }
  const windows = (await world.evaluations()).map(({ windowAt }) => (windowAt - NOON) / MINUTE);
  expect(windows).toEqual([5, 4, 3, 2, 1, 0]);
  expect(await world.row()).toMatchObject({ missed: 0 });
});

test("an interval longer than the bucket's covers all of its intervals", async () => {
  await world.makeModel("m", { interval: "5m" });
  observe(0, [10, 90, 10, 10, 10, 10, 10, 90, 90, 10]);
  await world.start(["m"]);
  await world.pass(15 * MINUTE);
  expect(world.notified()).toEqual(["start", "end", "start", "end"]);
  expect(await world.evaluations()).toHaveLength(4);
});

test("promise 17: an hour ahead, or a suspend, is one evaluation, what was missed is counted", async () => {
  await world.makeModel("m");
  await world.start(["m"]);
  await world.pass(2 * MINUTE);
  const reads = world.bucket.reads;
  world.clock.step(HOUR);
  await world.pass(10_000);
  expect(world.bucket.reads).toBe(reads + 1);
  expect((await world.row()).missed).toBeGreaterThanOrEqual(58);
  await world.pass(2 * MINUTE);
  expect(await world.row()).toMatchObject({ lastWindowAt: NOON + HOUR + 5 * MINUTE });
});

test("windows are reported as missed once, however many slots find nothing to evaluate meanwhile", async () => {
  await world.makeModel("m", { interval: "5s", bucket_interval: "1m" });
  await world.start(["m"]);
  await world.pass(2 * MINUTE + 10_000);
  world.clock.step(30_000);
  await world.pass(2 * MINUTE);
  expect([world.missed, (await world.row()).missed]).toEqual([0, 0]);
  world.clock.step(5 * MINUTE);
  await world.pass(2 * MINUTE);
  expect(world.missed).toBeWithin(4, 7);
  expect((await world.row()).missed).toBe(world.missed);
});

test("slots that a back-off leaves out are not reported as missed windows", async () => {
  await world.makeModel("m", { interval: "5s", bucket_interval: "5s" });
  await world.start(["m"]);
  world.bucket.behaviour = "refuse";
  await world.pass(10 * MINUTE);
  expect((await world.row()).failures).toBeGreaterThan(3);
  expect([world.missed, (await world.row()).missed]).toEqual([0, 0]);
});

test("promise 17: back by less than an interval repeats nothing", async () => {
  await world.makeModel("m");
  await world.start(["m"]);
  await world.pass(3 * MINUTE);
  const { lastWindowAt } = await world.row();
  world.clock.step(-30_000);
  await world.pass(30_000);
  expect(await world.row()).toMatchObject({ lastWindowAt });
  await world.pass(2 * MINUTE);
  const windows = (await world.evaluations()).map(({ windowAt }) => windowAt);
  expect(new Set(windows).size).toBe(windows.length);
  expect((await world.row()).lastWindowAt).toBeGreaterThan(lastWindowAt!);
});

for (const failing of [false, true]) {
  test(`promise 17: back an hour goes on at the new time within an interval${failing ? ", after a failure too" : ""}`, async () => {
    await world.makeModel("m");
    await world.start(["m"]);
    await world.pass(3 * MINUTE);
    world.clock.step(-HOUR);
    if (failing) world.bucket.behaviour = "refuse";
    await world.pass(MINUTE);
    world.bucket.behaviour = "well";
    if (failing) await world.pass(2 * MINUTE);
    const { lastWindowAt } = await world.row();
    expect(world.clock.now() - lastWindowAt!).toBeLessThan(2 * MINUTE);
    expect(world.notified()).toEqual([]);
    const now = Math.floor(world.clock.now() / MINUTE) * MINUTE;
    for (let i = 0; i < 4; i++) world.bucket.values.set(now + i * MINUTE, 90);
    await world.pass(3 * MINUTE);
    expect(world.notified()).toEqual(["start"]);
  });
}

test("promise 17: an anomaly goes on over a clock that went back, and is notified once", async () => {
  await world.makeModel("m");
  for (let minute = -90; minute < 30; minute++) observe(minute, [90]);
  await world.start(["m"]);
  await world.pass(3 * MINUTE);
  world.clock.step(-HOUR);
  await world.pass(5 * MINUTE);
  expect(world.notified()).toEqual(["start"]);
});

test("promise 17: an anomaly that has ended is not notified again when the clock goes back over it", async () => {
  await world.makeModel("m");
  observe(0, [10, 95, 95, 10, 10]);
  await world.start(["m"]);
  await world.pass(8 * MINUTE);
  expect(world.notified()).toEqual(["start", "end"]);
  world.clock.step(-8 * MINUTE);
  await world.pass(8 * MINUTE);
  expect(world.notified()).toEqual(["start", "end"]);
});

const YEAR = 365 * 24 * HOUR;

describe.each([
  ["an hour", HOUR],
  ["a year", YEAR],
])("promise 17: during an anomaly the clock is set by %s", (_, stepMs) => {
  /** An anomaly from NOON on; 10 before. */
  async function begin(): Promise<void> {
    await world.makeModel("m");
    await world.start(["m"]);
    await world.pass(10 * MINUTE);
    observe(
      10,
      Array.from({ length: 600 }, () => 90),
    );
    await world.pass(5 * MINUTE);
    expect(world.notified()).toEqual(["start"]);
  }

  /** The anomaly ends after whatever the clock did: one start, one end, in this order. */
  async function end(): Promise<void> {
    for (const at of world.bucket.values.keys())
      if (at >= world.clock.now() - MINUTE) world.bucket.values.set(at, 10);
    await world.pass(5 * MINUTE);
    expect(world.notified()).toEqual(["start", "end"]);
    const [episode, ...others] = await world.episodes();
    expect(others).toEqual([]);
    expect(episode!.endAt).toBeGreaterThan(episode!.startAt);
  }

  test("back and forward again: it goes on", async () => {
    await begin();
    world.clock.step(-stepMs);
    await world.pass(7 * MINUTE);
    world.clock.step(stepMs);
    await world.pass(5 * MINUTE);
    expect(world.notified()).toEqual(["start"]);
    expect(await world.episodes()).toMatchObject([{ startAt: NOON + 10 * MINUTE, endAt: null }]);
    await end();
  });

  test("back and forward again, and again, over restarts", async () => {
    await begin();
    for (let i = 0; i < 3; i++) {
      world.clock.step(-stepMs);
      await world.pass(3 * MINUTE);
      await world.restart();
      world.clock.step(stepMs);
      await world.pass(3 * MINUTE);
      await world.restart();
    }
    await end();
  });

  test("back for good: it ends when an hour of intervals was low, not before it began", async () => {
    await begin();
    world.clock.step(-stepMs - 3 * HOUR);
    await world.pass(30 * MINUTE);
    expect(world.notified()).toEqual(["start"]);
    await world.pass(40 * MINUTE);
    expect(world.notified()).toEqual(["start", "end"]);
    const [episode] = await world.episodes();
    expect(episode!.endAt).toBe(episode!.startAt);
    // Detection goes on at the new time.
    const now = Math.floor(world.clock.now() / MINUTE) * MINUTE;
    for (let i = 0; i < 5; i++) world.bucket.values.set(now + i * MINUTE, 90);
    await world.pass(5 * MINUTE);
    expect(world.notified()).toEqual(["start", "end", "start"]);
  });

  test("forward: it is notified once", async () => {
    await begin();
    const at = Math.floor((world.clock.now() + stepMs) / MINUTE) * MINUTE;
    for (let i = -70; i < 30; i++) world.bucket.values.set(at + i * MINUTE, 90);
    world.clock.step(stepMs);
    await world.pass(5 * MINUTE);
    expect(world.notified()).toEqual(["start"]);
    await end();
  });

  test("back, then stopped: it does not end before it began", async () => {
    await begin();
    world.clock.step(-stepMs);
    await world.pass(2 * MINUTE);
    await world.stop(["m"]);
    const [episode] = await world.episodes();
    expect(episode!.endAt).toBe(episode!.startAt);
  });
});

test("promise 18: points that arrive up to offset late score as if on time", async () => {
  await world.makeModel("m", { offset: "2m" });
  await world.start(["m"]);
  world.bucket.values.set(NOON, Number.NaN);
  await world.pass(2 * MINUTE);
  world.bucket.values.set(NOON, 90);
  await world.pass(MINUTE);
  expect(world.events).toMatchObject([{ at: NOON, score: 90 }]);
  expect(await world.row()).toMatchObject({ lastWindowAt: NOON + MINUTE });
});

test("promise 19: one start and one end over retraining, restore and changed settings", async () => {
  await world.makeModel("m");
  observe(0, [90, 80, 80, 80, 80, 80, 80, 40, 10]);
  await world.start(["m"]);
  await world.pass(MINUTE);
  await world.train("m", await modelSettings("m"));
  await world.pass(2 * MINUTE);
  await restoreVersion(world.store, { model: "m", version: "00" }, 1);
  await world.patch("m", { max_threshold: 75 });
  await world.pass(2 * MINUTE);
  await world.restart();
  await world.pass(5 * MINUTE);
  expect(world.notified()).toEqual(["start", "end"]);
  expect(world.events[1]).toMatchObject({
    at: NOON + 7 * MINUTE,
    startedAt: NOON,
    score: 40,
    id: expect.stringMatching(/:end$/),
  });
});

test("promise 19: the thresholds themselves neither start nor end; min_duration and grace_period hold", async () => {
  await world.makeModel("m", { min_duration: 2, grace_period: "3m" });
  observe(0, [70, 71, 70, 71, 71, 50, 49, 90, 90, 90, 90, 10]);
  await world.start(["m"]);
  for (let i = 0; i < 14; i++) {
    await world.pass(MINUTE);
    await world.restart();
  }
  const minutes = world.events.map(({ at }) => (at - NOON) / MINUTE);
  expect(world.notified()).toEqual(["start", "end", "start", "end"]);
  expect(minutes).toEqual([4, 6, 9, 11]);
});

test("promise 19: notify_after counts scored intervals over restarts", async () => {
  await world.makeModel("m", { notify_after: { n: 2, of: 4 } });
  observe(0, [80, 10, 10, 10, 80, 10, Number.NaN, 10, 80, 40, 80, 80, 10]);
  await world.start(["m"]);
  for (let i = 0; i < 14; i++) {
    await world.pass(MINUTE);
    await world.restart();
  }
  const minutes = world.events.map(({ at }) => (at - NOON) / MINUTE);
  expect(minutes).toEqual([8, 9, 11, 12]);
});

test("promise 19: guards hold back the start only, apply at once, and survive restarts", async () => {
  const feature = { name: "f", metric: "avg", field: "x" };
  await world.makeModel("m", { features: [{ ...feature, only_if: { above: 80 } }] });
  // 10 is expected.
  observe(0, [75, 80, 81, 60, 75, 40, 95, 95, 90, 40]);
  await world.start(["m"]);
  for (let i = 0; i < 7; i++) {
    await world.pass(MINUTE);
    await world.restart();
  }
  await world.patch("m", { features: [{ ...feature, min_deviation: { absolute: 85, relative: 8 } }] });
  await world.pass(5 * MINUTE);
  const seen = world.events.map(({ at, severity }) => [(at - NOON) / MINUTE, severity]);
  expect(seen).toEqual([
    [2, "info"],
    [5, "info"],
    [6, "warning"],
    [9, "warning"],
  ]);
  expect((await world.episodes()).map(({ severity }) => severity)).toEqual(["warning", "info"]);
});

test("a bucket that hangs holds up its own models only", async () => {
  const slow = new FaultyBucket();
  slow.behaviour = "deaf";
  world.buckets.set("slow", slow);
  const stuck = Array.from({ length: 40 }, (_, i) => `s${i}`);
  for (const name of stuck) await world.makeModel(name, { default_bucket: "slow" });
  await world.makeModel("m");
  await world.start([...stuck, "m"]);
  await world.pass(3 * MINUTE);
  expect(await world.row("m")).toMatchObject({ failures: 0, missed: 0, lastWindowAt: NOON + 3 * MINUTE });
  expect(slow.busiest).toBeGreaterThan(1);
});

test("failures are tried again less and less often, and at once when the model is changed", async () => {
  await world.makeModel("m", { bucket_interval: "5s" });
  await world.start(["m"]);
  world.bucket.behaviour = "refuse";
  const reads = world.bucket.reads;
  for (let i = 0; i < 60; i++) {
    world.clock.pass(5000);
    await drain();
  }
  // 5, 10, 20, 40, 60, 60, ... seconds.
  expect(world.bucket.reads - reads).toBeLessThan(12);
  expect(world.bucket.reads - reads).toBeGreaterThan(5);
  world.bucket.behaviour = "well";
  await world.patch("m", { max_threshold: 80 });
  world.clock.pass(5000);
  await drain();
  expect(await world.row()).toMatchObject({ failures: 0 });
});

test("a stopped or deleted model is left alone, also in the middle of an evaluation", async () => {
  for (const name of ["m", "k"]) await world.makeModel(name);
  await world.start(["m", "k"]);
  const release = world.bucket.hold();
  for (let i = 0; i < 12 && world.bucket.busy < 2; i++) await world.pass(5000);
  expect(world.bucket.busy).toBe(2);
  await world.stop(["m"]);
  await removeModels(world.store, ["k"], 1);
  await world.follow(["k"]);
  release();
  await world.pass(3 * MINUTE);
  expect(await world.evaluations("m")).toEqual([]);
  expect(world.bucket.busy).toBe(0);
  expect(world.errors).toEqual([]);
});

test("a changed interval counts at once; nothing is repeated or skipped", async () => {
  await world.makeModel("m", { interval: "1h" });
  await world.start(["m"]);
  await world.pass(MINUTE);
  await world.patch("m", { interval: "1m" });
  await world.pass(2 * MINUTE);
  expect((await world.row()).lastWindowAt).toBe(NOON + 3 * MINUTE);
  await world.patch("m", { interval: "7m" });
  await world.restart();
  await world.pass(14 * MINUTE);
  const windows = (await world.evaluations()).map(({ windowAt }) => windowAt);
  expect(new Set(windows).size).toBe(windows.length);
  expect(await world.row()).toMatchObject({ missed: 0 });
});

test("promise 4: an evaluation that cannot be recorded changes nothing and is tried again", async () => {
  await world.makeModel("m");
  observe(0, [10, 90, 90, 90]);
  await world.start(["m"]);
  await world.pass(MINUTE);
  const repair = await breakAt(world.store, "update on live");
  await world.pass(MINUTE);
  expect(world.errors).toHaveLength(1);
  await repair();
  await world.pass(2 * MINUTE);
  expect(world.notified()).toEqual(["start"]);
  expect(world.events[0]!.at).toBe(NOON + MINUTE);
});

test("without detection scores are recorded, and no hook is notified", async () => {
  await world.makeModel("m");
  observe(0, [90, 90, 10]);
  await world.start(["m"], { detect: false });
  await world.pass(3 * MINUTE);
  expect(world.notified()).toEqual([]);
  expect((await world.evaluations()).map(({ score }) => score)).toEqual([10, 90, 90, 10]);
});

test("100 models at a minute do not run in one second", async () => {
  const names = Array.from({ length: 100 }, (_, i) => `model-${i}`);
  for (const name of names) await world.makeModel(name);
  await world.start(names);
  await world.pass(MINUTE);
  const perSecond: number[] = [];
  const countEvaluations = () =>
    world.store.sqlite.query<{ n: number }, []>("select count(*) as n from evaluations").get()!.n;
  for (let second = 0; second < 60; second++) {
    const before = countEvaluations();
    world.clock.pass(1000);
    await drain();
    perSecond.push(countEvaluations() - before);
  }
  expect(perSecond.reduce((sum, ended) => sum + ended)).toBe(100);
  expect(Math.max(...perSecond)).toBeLessThan(12);
});

test("an interval chosen at training is that of the rounds, and a retraining that chooses another changes them", async () => {
  await world.makeModel("m");
  const settings = await modelSettings("m");
  await world.train("m", { ...settings, bucket_interval: 60 });
  await world.patch("m", { bucket_interval: "auto" });
  await world.start(["m"]);
  await world.pass(4 * MINUTE);
  const windows = async () => (await world.evaluations()).map(({ windowAt }) => (windowAt - NOON) / MINUTE);
  expect((await windows()).slice(0, 3)).toEqual([4, 3, 2]);
  await world.train("m", { ...settings, bucket_interval: 300 });
  await world.pass(12 * MINUTE);
  expect((await windows()).slice(0, 3)).toEqual([15, 10, 5]);
  await world.restart();
  await world.pass(5 * MINUTE);
  expect((await windows()).slice(0, 2)).toEqual([20, 15]);
  expect(await world.row()).toMatchObject({ missed: 0, failures: 0 });
  expect(world.errors).toEqual([]);
});
