// Points that a version has learned from: they grow while it is live, and start again with the next version.
import { beforeEach, expect, test } from "bun:test";
import { confidenceNow, learn } from "../../src/live/learned.ts";
import { stateOf } from "../../src/live/state.ts";
import { aModel } from "../support/builders.ts";
import { MINUTE, NOON, useLiveWorld } from "./world.ts";

const version = { createdAt: 7, fromAt: 0, toAt: 100 * MINUTE, summary: { points: 90 } };
const of = { version, intervalMs: MINUTE };
const scored = [{ score: 0 }, { score: undefined }, { score: 12 }];

test("points of the training come first, then those scored; intervals without a score do not count", () => {
  const first = learn(undefined, scored, of);
  expect(first).toEqual({ version: 7, points: 92 });
  expect(learn(first, scored, of).points).toBe(94);
});

test("another version starts again with its training", () => {
  const next = { ...of, version: { ...version, createdAt: 8, summary: { points: 5000 } } };
  expect(learn({ version: 7, points: 92 }, scored, next)).toEqual({ version: 8, points: 5002 });
});

test("a version without a number of points has one per interval of its range", () => {
  expect(learn(undefined, [], { ...of, version: { ...version, summary: {} } }).points).toBe(100);
});

test("confidence follows from both", () => {
  expect(confidenceNow(undefined, of)).toBe("learning");
  expect(confidenceNow({ version: 7, points: 1440 }, of)).toBe("fair");
  expect(confidenceNow({ version: 6, points: 1440 }, of)).toBe("learning");
});

const world = useLiveWorld();
beforeEach(() => world.begin());

test("events and anomalies have the confidence of the score at the start, over restarts", async () => {
  await world.makeModel("m");
  await world.start(["m"]);
  await world.pass(2 * MINUTE);
  const learned = () => world.row().then((row) => stateOf(row).learned!.points);
  const before = await learned();
  await world.restart();
  world.bucket.values.set(NOON + 3 * MINUTE, 80);
  await world.pass(2 * MINUTE);
  expect(await learned()).toBe(before + 2);
  await world.train("m", aModel({ max_threshold: 70, min_threshold: 50 }));
  await world.pass(MINUTE);
  expect(world.events).toMatchObject([
    { kind: "anomaly_start", confidence: "learning" },
    { kind: "anomaly_end", confidence: "learning" },
  ]);
  expect(await world.episodes()).toMatchObject([{ confidence: "learning" }]);
});
