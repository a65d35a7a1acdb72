// Cold start: a model without a version counts its points, is trained when they suffice, and again as they double.
import { beforeEach, expect, test } from "bun:test";
import { TorusError } from "../../src/core/errors.ts";
import type { ModelSettings } from "../../src/core/model/model.ts";
import { stateOf } from "../../src/live/state.ts";
import { createModel } from "../../src/store/models.ts";
import { aModel } from "../support/builders.ts";
import { MINUTE, NOON, useLiveWorld } from "./world.ts";

const FOUR_WEEKS = 28 * 1440 * MINUTE;
const world = useLiveWorld();
let settings: ModelSettings;
/** Before the first points; the bucket answers 10 from then on. */
const beginAt = (minute: number) => {
  const { read } = world.bucket;
  world.bucket.read = async (query, signal) => {
    const grid = await read.call(world.bucket, query, signal);
    const isThere = (i: number) => grid.startAt + i * grid.intervalMs >= NOON + minute * MINUTE;
    const columns = Object.entries(grid.columns).map(([name, column]) => {
      return [name, column.map((value, i) => (isThere(i) ? value : Number.NaN))] as const;
    });
    return { ...grid, columns: Object.fromEntries(columns) };
  };
};

beforeEach(async () => {
  await world.begin();
  settings = await world.makeUntrained("m", { detector: "auto" });
});

const learning = () => world.row().then((row) => stateOf(row).learning);

test("points are counted; the first training is requested at thirty, over four weeks", async () => {
  beginAt(1);
  await world.start(["m"]);
  expect(await learning()).toEqual({ points: 0, nextPoints: 30 });
  expect(await world.evaluations()).toMatchObject([{ outcome: "no_data", score: null }]);
  await world.pass(30 * MINUTE);
  expect(await learning()).toEqual({ points: 29, nextPoints: 30 });
  expect(world.requests).toEqual([]);
  await world.pass(MINUTE);
  expect(await learning()).toEqual({ points: 30, nextPoints: 60 });
  const [[model, fromAt]] = world.requests as [[string, number]];
  expect(model).toBe("m");
  expect(fromAt).toBeWithin(NOON + 30 * MINUTE - FOUR_WEEKS, NOON + 33 * MINUTE - FOUR_WEEKS);
  expect((await world.evaluations())[0]).toMatchObject({ outcome: "learning", score: null });
  expect(await world.row()).toMatchObject({ failures: 0, lastErrorCode: null });
});

test("points that the bucket holds at the start count", async () => {
  beginAt(-20);
  await world.start(["m"]);
  expect(await learning()).toEqual({ points: 20, nextPoints: 30 });
});

test("the count survives restarts", async () => {
  beginAt(-20);
  await world.start(["m"]);
  await world.restart();
  await world.pass(2 * MINUTE);
  await world.restart();
  expect(await learning()).toMatchObject({ points: 22 });
  await world.pass(8 * MINUTE);
  expect(world.requests.length).toBe(1);
});

test("nothing is an anomaly before the first version, which scores what follows", async () => {
  beginAt(-20);
  for (let minute = 1; minute < 8; minute++) world.bucket.values.set(NOON + minute * MINUTE, 95);
  await world.start(["m"]);
  await world.pass(5 * MINUTE);
  expect(await world.episodes()).toEqual([]);
  await world.train("m", settings, { points: 30 });
  await world.pass(MINUTE);
  expect(await world.episodes()).toMatchObject([{ startAt: NOON + 5 * MINUTE, confidence: "learning" }]);
});

test("with a version, a training is requested each time its points have doubled", async () => {
  await world.train("m", settings, { points: 30 });
  await world.start(["m"]);
  expect(await learning()).toEqual({ points: 31, nextPoints: 60 });
  await world.pass(29 * MINUTE);
  expect(world.requests.length).toBe(1);
  expect(await learning()).toEqual({ points: 60, nextPoints: 120 });
  await world.train("m", settings, { points: 60 });
  await world.pass(59 * MINUTE);
  expect(world.requests.length).toBe(1);
  await world.pass(MINUTE);
  expect(world.requests.length).toBe(2);
});

test("a version of more points than were counted moves the next training", async () => {
  beginAt(-20);
  await world.start(["m"]);
  await world.train("m", settings, { points: 500 });
  await world.pass(MINUTE);
  expect(await learning()).toEqual({ points: 501, nextPoints: 1000 });
});

test("learning ends when confidence is good", async () => {
  await world.train("m", settings, { points: 14 * 1440 - 1 });
  await world.start(["m"]);
  expect(await learning()).toBeUndefined();
  expect(world.requests).toEqual([]);
});

test.each([
  ["training_active", 60, 1],
  ["overloaded", 30, 2],
] as const)("a request refused as %s", async (code, nextPoints, requests) => {
  beginAt(-29);
  world.refusals.push(new TorusError(code, "not now"));
  await world.start(["m"]);
  expect(await learning()).toMatchObject({ points: 29 });
  await world.pass(MINUTE);
  expect(await learning()).toEqual({ points: 30, nextPoints });
  await world.pass(MINUTE);
  expect(world.requests.length).toBe(requests);
});

test("a bucket that does not answer is a failure, and the count goes on after it", async () => {
  beginAt(-20);
  world.bucket.behaviour = "refuse";
  await world.start(["m"]);
  expect(await world.row()).toMatchObject({ failures: 1, lastErrorCode: "bucket_unavailable" });
  world.bucket.behaviour = "well";
  await world.pass(3 * MINUTE);
  expect(await learning()).toMatchObject({ points: 23 });
});

test("intervals that `default` fills count from the first point on; the feature with the fewest decides", async () => {
  const feature = { metric: "avg", field: "x" } as const;
  const two = aModel({
    name: "two",
    detector: "auto",
    features: [
      { name: "f", ...feature, default: 0 },
      { name: "g", ...feature },
    ],
  });
  await createModel(world.store, { name: "two", settings: two }, world.clock.now());
  beginAt(-20);
  for (const minute of [-10, -9, -8]) world.bucket.values.set(NOON + minute * MINUTE, Number.NaN);
  await world.start(["two"]);
  expect(stateOf(await world.row("two")).learning).toMatchObject({ points: 17 });
});

test("a model that must be trained first fails without a version", async () => {
  await world.makeUntrained("k");
  await world.start(["k"]);
  expect(await world.row("k")).toMatchObject({ failures: 1, lastErrorCode: "not_trained" });
  expect(stateOf(await world.row("k")).learning).toBeUndefined();
});

test("a fleet whose query answers by series counts the points of any of them, over a short range at first", async () => {
  const features = [{ name: "f", query: "max by (host) (x)" }];
  await world.makeUntrained("fleet", { detector: "auto", group_by: ["host"], features });
  world.addHost("a");
  world.bucket.read = () => Promise.reject(new TorusError("bucket_rejected", "the query answers 2 series"));
  await world.start(["fleet"]);
  expect(await world.row("fleet")).toMatchObject({ failures: 0 });
  expect(stateOf(await world.row("fleet")).learning).toMatchObject({ points: 300 });
});
