// Saved output: after the evaluation, with retries, and its problems in the state of the model.
import { beforeEach, expect, test } from "bun:test";
import { breakAt } from "../store/temporary.ts";
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
const problem = async () => world.output.problemOf(await world.row());
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
  expect(await problem()).toMatchObject({
    code: "bucket_unavailable",
    message: "connection refused",
  });
  target.behaviour = "well";
  await world.pass(MINUTE);
  expect(await problem()).toBeNull();
  expect(minutes().at(-1)).toBe(2);
  expect(minutes()).toEqual([...minutes()].sort((a, b) => a - b));
});

test("gives up points after repeated failures, and counts them", async () => {
  target.behaviour = "error";
  await start();
  await world.pass(5 * MINUTE);
  expect((await problem())!.dropped).toBeGreaterThan(1);
  target.behaviour = "bug";
  await world.pass(MINUTE);
  expect(await problem()).toMatchObject({ code: "internal" });
  expect(world.errors.length).toBeGreaterThan(0);
});

test("a bucket that does not answer is left after a while", async () => {
  target.behaviour = "deaf";
  await start();
  await world.pass(MINUTE);
  expect(await problem()).toMatchObject({ code: "deadline" });
  expect(await world.row()).toMatchObject({ failures: 0, missed: 0 });
});

test("a stopped model writes no more, and its trouble is forgotten", async () => {
  target.behaviour = "refuse";
  await start();
  await world.stop(["m"]);
  target.behaviour = "well";
  await world.pass(MINUTE);
  expect(minutes()).toEqual([]);
  await start();
  expect(await problem()).toBeNull();
});

/** How often the problem in a live row has changed. */
function countStored(): () => number {
  const { sqlite } = world.store;
  sqlite.run("create temp table stored_problems (n integer)");
  sqlite.run(
    "create temp trigger stored_problem after update of output_error on live begin insert into stored_problems values (1); end",
  );
  return () => (sqlite.query("select count(*) as n from stored_problems").get() as { n: number }).n;
}

test("a problem is kept over a restart, stored once while it lasts, and gone with the first write that works", async () => {
  const stored = countStored();
  target.behaviour = "refuse";
  await start();
  await world.pass(3 * MINUTE);
  expect(stored()).toBe(1);
  await world.restart();
  expect(await problem()).toMatchObject({ code: "bucket_unavailable", message: "connection refused" });
  const { dropped } = (await problem())!;
  await world.pass(2 * MINUTE);
  expect(stored()).toBe(1);
  expect((await problem())!.dropped).toBeGreaterThan(dropped);
  target.behaviour = "error";
  await world.pass(MINUTE);
  expect(stored()).toBe(2);
  target.behaviour = "well";
  await world.pass(MINUTE);
  expect(await problem()).toBeNull();
  await world.restart();
  expect(await problem()).toBeNull();
  expect(stored()).toBe(3);
  expect(world.errors).toEqual([]);
});

test("a problem right before a stop of the server is stored", async () => {
  target.behaviour = "refuse";
  await start();
  expect((await world.row()).outputError).toBeNull();
  await world.restart();
  expect((await world.row()).outputError).toMatchObject({ code: "bucket_unavailable" });
});

test("a problem ends with the saving, and with detection; another bucket has to be written to first", async () => {
  target.behaviour = "refuse";
  const other = new FaultyBucket();
  world.buckets.set("other", other);
  await start();
  await world.pass(5000);
  await world.start(["m"], { detect: true, save: { bucket: "other" } });
  expect(await problem()).not.toBeNull();
  await world.start(["m"]);
  expect(await problem()).toBeNull();
  await start();
  await world.pass(2 * MINUTE);
  expect((await world.row()).outputError).not.toBeNull();
  await start(false);
  expect((await world.row()).outputError).toBeNull();
});

test("a problem that cannot be stored is stored as soon as that works again", async () => {
  target.behaviour = "refuse";
  const repair = await breakAt(world.store, "update of output_error on live");
  await start();
  await world.pass(5000);
  expect((await world.row()).outputError).toBeNull();
  expect(await problem()).toMatchObject({ code: "bucket_unavailable" });
  await repair();
  await world.pass(5000);
  expect((await world.row()).outputError).toMatchObject({ code: "bucket_unavailable" });
});
