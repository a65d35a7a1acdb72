// Silence: points that stop and return, with restarts, outages, steps of the clock, mutes and stops in between.
import { beforeEach, describe, expect, test } from "bun:test";
import { stateOf } from "../../../src/live/state.ts";
import type { LiveOptions } from "../../../src/store/live.ts";
import { MINUTE, NOON, useLiveWorld } from "../world.ts";

const world = useLiveWorld();
beforeEach(() => world.begin());

const events = () =>
  world.events.map(({ kind, at, startedAt }) => [
    kind,
    Math.floor((at - NOON) / MINUTE),
    (startedAt - NOON) / MINUTE,
  ]);

/** Points reach up to an instant, and from another on. */
function emptyBetween(fromAt: number, toAt: number): void {
  for (let at = fromAt; at < toAt; at += MINUTE) world.bucket.values.set(at, Number.NaN);
}

async function begin(over = {}, options?: LiveOptions): Promise<void> {
  await world.makeModel("m", { silence: "5m", ...over });
  await world.start(["m"], options);
}

test("an event when the newest point is old enough, another when points are back", async () => {
  emptyBetween(NOON + 3 * MINUTE, NOON + 20 * MINUTE);
  await begin();
  await world.pass(30 * MINUTE);
  expect(events()).toEqual([
    ["silence_start", 8, 3],
    ["silence_end", 21, 3],
  ]);
  expect(world.events[0]).toMatchObject({
    silence: { newestAt: NOON + 3 * MINUTE, limitMs: 5 * MINUTE },
    severity: "warning",
    features: {},
  });
  expect(world.events[1]!.episode).toBe(world.events[0]!.episode);
});

test("detection without anomalies notices it too", async () => {
  emptyBetween(NOON, NOON + 20 * MINUTE);
  await begin({}, { detect: false });
  await world.pass(12 * MINUTE);
  expect(world.notified()).toHaveLength(1);
});

test("a gap shorter than the limit is no silence", async () => {
  emptyBetween(NOON + 3 * MINUTE, NOON + 7 * MINUTE);
  await begin();
  await world.pass(20 * MINUTE);
  expect(events()).toEqual([]);
});

test("a series without any point is silent since its start", async () => {
  world.bucket.behaviour = "empty";
  await begin();
  await world.pass(10 * MINUTE);
  expect(events()).toEqual([["silence_start", 5, 0]]);
  expect(world.events[0]!.silence).toEqual({ limitMs: 5 * MINUTE });
});

test("a restart in between repeats nothing", async () => {
  emptyBetween(NOON + 3 * MINUTE, NOON + 20 * MINUTE);
  await begin();
  await world.pass(12 * MINUTE);
  await world.restart();
  await world.pass(20 * MINUTE);
  expect(world.events.map(({ kind }) => kind)).toEqual(["silence_start", "silence_end"]);
});

test("a data source that cannot be read is not silent, nor right after it is back", async () => {
  await begin();
  await world.pass(3 * MINUTE);
  world.bucket.behaviour = "refuse";
  emptyBetween(NOON + 3 * MINUTE, NOON + 31 * MINUTE);
  await world.pass(27 * MINUTE);
  world.bucket.behaviour = "well";
  await world.pass(10 * MINUTE);
  expect(world.events.map(({ kind }) => kind)).toEqual(["source_down", "source_up"]);
});

describe("the clock", () => {
  test("set forward by an hour is no silence while points flow", async () => {
    await begin();
    await world.pass(5 * MINUTE);
    world.clock.step(60 * MINUTE);
    // Points of the true time, an hour behind the clock.
    for (let i = 0; i < 60; i++) {
      emptyBetween(NOON + (i + 5) * MINUTE, NOON + 200 * MINUTE);
      for (let at = NOON; at < NOON + (i + 5) * MINUTE; at += MINUTE) world.bucket.values.delete(at);
      await world.pass(MINUTE);
    }
    expect(events()).toEqual([]);
  });

  test("set back by an hour neither", async () => {
    await begin();
    await world.pass(5 * MINUTE);
    world.clock.step(-60 * MINUTE);
    await world.pass(90 * MINUTE);
    expect(events()).toEqual([]);
  });
});

test("while hooks are muted nothing is announced; a silence that lasts is after that", async () => {
  emptyBetween(NOON, NOON + 40 * MINUTE);
  await begin({ mute: [{ from: "12:00", to: "12:30" }] });
  await world.pass(29 * MINUTE);
  expect(events()).toEqual([]);
  await world.pass(3 * MINUTE);
  expect(events()).toEqual([["silence_start", 30, expect.any(Number)]]);
});

test("a limit that is removed ends it, with the reason", async () => {
  world.bucket.behaviour = "empty";
  await begin();
  await world.pass(10 * MINUTE);
  await world.patch("m", { silence: null });
  await world.pass(2 * MINUTE);
  expect(world.events.at(-1)).toMatchObject({
    kind: "silence_end",
    closedBy: "the settings of the model changed",
  });
});

const quiet = async (model = "m") => stateOf(await world.row(model)).quiet;

test("without the setting the state is silent, and nobody is notified", async () => {
  emptyBetween(NOON + 3 * MINUTE, NOON + 20 * MINUTE);
  await begin({ silence: null });
  await world.pass(7 * MINUTE);
  expect(await quiet()).not.toHaveProperty("isSilent");
  await world.pass(3 * MINUTE);
  expect(await quiet()).toMatchObject({ isSilent: true, sinceAt: NOON + 3 * MINUTE });
  await world.pass(15 * MINUTE);
  expect(await quiet()).not.toHaveProperty("isSilent");
  expect(events()).toEqual([]);
});

describe("auto", () => {
  test("begins after five minutes where points come each minute", async () => {
    emptyBetween(NOON + 3 * MINUTE, NOON + 20 * MINUTE);
    await begin({ silence: "auto" });
    await world.pass(30 * MINUTE);
    expect(events()).toEqual([
      ["silence_start", 8, 3],
      ["silence_end", 21, 3],
    ]);
    expect(world.events[0]).toMatchObject({ silence: { limitMs: 5 * MINUTE } });
  });

  test("waits for three of the usual gaps where points come every four minutes", async () => {
    const stopAt = NOON + 40 * MINUTE;
    for (let at = NOON - 60 * MINUTE; at < NOON + 90 * MINUTE; at += MINUTE)
      if (at >= stopAt || (at - NOON) % (4 * MINUTE) !== 0) world.bucket.values.set(at, Number.NaN);
    await begin({ silence: "auto" });
    await world.pass(45 * MINUTE);
    expect(events()).toEqual([]);
    expect(await quiet()).toMatchObject({ gapMs: 4 * MINUTE });
    await world.pass(15 * MINUTE);
    expect(events()).toEqual([["silence_start", 49, 37]]);
  });

  test("set on a model whose points have stopped announces it", async () => {
    emptyBetween(NOON, NOON + 40 * MINUTE);
    await begin({ silence: null });
    await world.pass(10 * MINUTE);
    expect(events()).toEqual([]);
    await world.patch("m", { silence: "auto" });
    await world.pass(2 * MINUTE);
    expect(world.events.map(({ kind }) => kind)).toEqual(["silence_start"]);
  });
});

test("a late batch of old points ends nothing; points that flow do", async () => {
  emptyBetween(NOON + 3 * MINUTE, NOON + 60 * MINUTE);
  await begin();
  await world.pass(20 * MINUTE);
  world.bucket.values.delete(NOON + 4 * MINUTE);
  await world.pass(5 * MINUTE);
  expect(world.events.map(({ kind }) => kind)).toEqual(["silence_start"]);
});

test("a model that learns without a version is watched as well", async () => {
  world.bucket.behaviour = "empty";
  await world.makeUntrained("m", { silence: "5m", detector: "auto" });
  await world.start(["m"]);
  await world.pass(10 * MINUTE);
  expect(world.events.map(({ kind }) => kind)).toEqual(["silence_start"]);
  world.bucket.behaviour = "well";
  await world.pass(3 * MINUTE);
  expect(world.events.map(({ kind }) => kind)).toEqual(["silence_start", "silence_end"]);
});
