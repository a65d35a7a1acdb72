// Saved output: after the evaluation, with retries, and its problems in the state of the model.
import { beforeEach, expect, test } from "bun:test";
import { FaultyBucket, MINUTE, NOON, useLiveWorld } from "./world.ts";

const world = useLiveWorld();
let target: FaultyBucket;
beforeEach(async () => {
  target = new FaultyBucket();
  world.buckets.set("out", target);
  await world.begin();
  const matched = { name: "f", metric: "avg", field: "x", match_all: [{ tag: "host", value: "a" }] };
  await world.makeModel("m", { features: [matched] });
});

const start = (detect = true) => world.start(["m"], { detect, save: { bucket: "out" } });
const minutes = () => target.written.map(({ at }) => (at - NOON) / MINUTE);

test("every interval is written once, with what was predicted and observed", async () => {
  world.bucket.values.set(NOON, 90);
  await start();
  await world.pass(2 * MINUTE);
  expect(minutes()).toEqual([-1, 0, 1]);
  expect(target.written[1]).toMatchObject({
    fields: { f: 10, lower_f: 9, upper_f: 11, "@f": 90, score: 90 },
    tags: { model: "m", host: "a", is_anomaly: "True" },
  });
  expect(target.written[2]!.tags).toMatchObject({ is_anomaly: "False" });
});

test("an interval without data is part of the anomaly that goes on, with the score 0", async () => {
  for (const [minute, value] of [80, Number.NaN, 60].entries())
    world.bucket.values.set(NOON + minute * MINUTE, value);
  await start();
  await world.pass(3 * MINUTE);
  const flags = target.written.slice(1).map(({ tags }) => (tags as { is_anomaly: string }).is_anomaly);
  expect(flags).toEqual(["True", "True", "True"]);
  expect(target.written[2]).toMatchObject({ fields: { "@f": null, score: 0 } });
});

test("without detection there is no score", async () => {
  await start(false);
  expect(target.written[0]).toMatchObject({ fields: { f: 10, "@f": 10 } });
  expect(target.written[0]!.fields).not.toHaveProperty("score");
});

test("a bucket that is down blocks no detection, is reported, and gets what it missed in order", async () => {
  target.behaviour = "refuse";
  world.bucket.values.set(NOON, 90);
  await start();
  await world.pass(2 * MINUTE);
  expect(world.notified()).toEqual(["start", "end"]);
  expect(world.output.problemOf("m")).toMatchObject({
    code: "bucket_unavailable",
    message: "connection refused",
  });
  target.behaviour = "well";
  await world.pass(MINUTE);
  expect(world.output.problemOf("m")).toBeUndefined();
  expect(minutes().at(-1)).toBe(2);
  expect(minutes()).toEqual([...minutes()].sort((a, b) => a - b));
});

test("gives up points after repeated failures, and counts them", async () => {
  target.behaviour = "error";
  await start();
  await world.pass(5 * MINUTE);
  expect(world.output.problemOf("m")!.dropped).toBeGreaterThan(1);
  target.behaviour = "bug";
  await world.pass(MINUTE);
  expect(world.output.problemOf("m")).toMatchObject({ code: "internal" });
  expect(world.errors.length).toBeGreaterThan(0);
});

test("a bucket that does not answer is left after a while", async () => {
  target.behaviour = "deaf";
  await start();
  await world.pass(MINUTE);
  expect(world.output.problemOf("m")).toMatchObject({ code: "deadline" });
  expect(await world.row()).toMatchObject({ failures: 0, missed: 0 });
});

test("a stopped model writes no more, and its trouble is forgotten", async () => {
  target.behaviour = "refuse";
  await start();
  await world.stop(["m"]);
  target.behaviour = "well";
  await world.pass(MINUTE);
  expect(minutes()).toEqual([]);
  expect(world.output.problemOf("m")).toBeUndefined();
});
