// Buckets of the API: create, replace, patch, delete, and the jobs that write and read.
import { beforeEach, expect, test } from "bun:test";
import { parseIfMatch } from "../../../src/core/input/etag.ts";
import type { Point } from "../../../src/core/series/query.ts";
import { codeOf, dump } from "../../store/temporary.ts";
import { useWorld } from "../world.ts";

const world = useWorld();
beforeEach(async () => {
  for (const name of ["b", "a"]) await world.buckets.put({ name, type: "local" });
});

const { signal } = new AbortController();
const point = (at: number): Point => ({ at, fields: { x: 1 }, tags: {} });
const count = async (name: string) => {
  const bucket = await world.buckets.open(name);
  const features = [{ name: "n", metric: "count", field: "x", tags: [] }];
  const grid = await bucket.read(
    { range: { fromAt: 0, toAt: 60_000 }, intervalMs: 60_000, features },
    signal,
  );
  return grid.columns.n![0];
};

test("lists by name, gets by name in the requested order, duplicates kept", async () => {
  expect((await world.buckets.list()).entries).toEqual([
    { name: "a", type: "local" },
    { name: "b", type: "local" },
  ]);
  expect((await world.buckets.get(["b", "a", "b"], { fields: "type" })).entries).toEqual([
    { name: "b" },
    { name: "a" },
    { name: "b" },
  ]);
  await expect(world.buckets.get(["a", "x", "y"])).rejects.toThrow("bucket x does not exist");
  expect(await codeOf(world.buckets.list({ page: "x" }))).toBe("invalid");
});

test("a bad bucket is refused and nothing changes", async () => {
  const before = await dump(world.store);
  expect(await codeOf(world.buckets.put({ name: "c", type: "nothing" }))).toBe("invalid");
  expect(await codeOf(world.buckets.patch(["a", "b"], { measuremant: "m" }))).toBe("invalid");
  expect(await codeOf(world.buckets.patch(["a", "x"], { measurement: "m" }))).toBe("not_found");
  expect(await codeOf(world.buckets.remove(["a", "x"], { force: false }))).toBe("not_found");
  expect(await dump(world.store)).toBe(before);
});

test("replace and patch keep the points; an open bucket gets its new settings", async () => {
  const bucket = await world.buckets.open("a");
  expect(await world.buckets.open("a")).toBe(bucket);
  await bucket.write!([point(1000)], { measurement: "m" }, signal);
  await world.buckets.put({ name: "a", type: "local", measurement: "other" });
  expect(await count("a")).toBe(0);
  await world.buckets.patch(["a"], { measurement: "m" });
  expect(await count("a")).toBe(1);
  expect((await world.buckets.get(["a"])).entries).toEqual([{ name: "a", type: "local", measurement: "m" }]);
  expect(
    await codeOf(bucket.read({ range: { fromAt: 0, toAt: 1 }, intervalMs: 1, features: [] }, signal)),
  ).toBe("bucket_unavailable");
});

test("a deleted bucket takes its points with it", async () => {
  await (await world.buckets.open("a")).write!([point(1000)], {}, signal);
  await world.buckets.remove(["a", "a"], { force: false });
  expect(await codeOf(world.buckets.open("a"))).toBe("not_found");
  await world.buckets.put({ name: "a", type: "local" });
  expect(await count("a")).toBe(0);
});

test("a bucket a live model uses stays, unless by force", async () => {
  world.live.models.set("m", "b");
  await expect(world.buckets.remove(["a", "b"], { force: false })).rejects.toThrow("used by live model m");
  expect((await world.buckets.list()).entries).toHaveLength(2);
  await world.buckets.remove(["a", "b"], { force: true });
  expect(world.live.stopped).toEqual(["m"]);
  expect((await world.buckets.list()).entries).toEqual([]);
});

test("write checks all points and hands them to a job", async () => {
  const id = await world.buckets.write("a", [{ timestamp: "10", x: 1, tags: { host: "h" } }], {
    measurement: "m",
  });
  expect((await world.call(id)).job).toMatchObject({
    type: "write",
    input: { bucket: "a", measurement: "m", points: [{ at: 10_000, fields: { x: 1 }, tags: { host: "h" } }] },
  });
  await world.finish(id, { result: null });
  expect(await world.jobs.get([id])).toMatchObject([{ state: "done", result: null }]);
});

test("write refuses malformed points by index, too many, and unknown buckets", async () => {
  const write = (body: unknown, name = "a") => world.buckets.write(name, body);
  await expect(world.buckets.write("a", [], { measurement: "m".repeat(257) })).rejects.toThrow(
    "measurement: must have at most 256 characters",
  );
  await expect(write([{ timestamp: 1, x: 1 }, { x: 1 }])).rejects.toThrow("1.timestamp: is required");
  await expect(write(Array(6).fill({ timestamp: 1, x: 1 }))).rejects.toThrow(
    "holds 6 points, at most 5 are allowed",
  );
  expect(await codeOf(write({}))).toBe("invalid");
  expect(await codeOf(write([], "x"))).toBe("not_found");
  expect((await world.jobs.list()).entries).toEqual([]);
});

test("read resolves range, interval and features now", async () => {
  world.clock.at = 600_000;
  const params = { from: "now-5m", bucket_interval: "1m", features: "avg(x);count(m.y)" };
  const id = await world.buckets.read("a", params);
  expect((await world.call(id)).job.input).toEqual({
    bucket: "a",
    range: { fromAt: 300_000, toAt: 600_000 },
    intervalMs: 60_000,
    features: [
      { name: "avg_x", metric: "avg", field: "x", tags: [] },
      { name: "count_y", metric: "count", field: "y", measurement: "m", tags: [] },
    ],
  });
  await world.finish(id);
});

const good = { from: 0, to: 600, bucket_interval: "1m", features: "avg(x)" };
test.each([
  ["from: is required", { from: undefined }],
  ["from: must be a date", { from: "soon" }],
  ["from: must not be after to", { from: 601 }],
  ["to: must be after from", { from: 600 }],
  ["bucket_interval: is required", { bucket_interval: "" }],
  ["bucket_interval: must be longer than 0", { bucket_interval: 0 }],
  ["bucket_interval: must be a duration", { bucket_interval: "soon" }],
  ["features: is required", { features: undefined }],
  ["features.0: metric", { features: "most(x)" }],
  [
    "the range has 600 intervals, at most 500 are allowed",
    { bucket_interval: "1s", features: "avg(x);max(x)" },
  ],
])("read refuses: %s", async (message, change) => {
  await expect(world.buckets.read("a", { ...good, ...change })).rejects.toThrow(message);
});

test("read of an unknown bucket is not found", async () => {
  expect(await codeOf(world.buckets.read("x", good))).toBe("not_found");
});

test("clear deletes the points", async () => {
  await (await world.buckets.open("a")).write!([point(1000)], {}, signal);
  await world.buckets.clear("a");
  expect(await count("a")).toBe(0);
  expect(await codeOf(world.buckets.clear("x"))).toBe("not_found");
});

test("settings are tested without being stored; a stored bucket fills in its secrets, but not elsewhere", async () => {
  const influx = { name: "i", type: "influxdb", addr: "127.0.0.1:9", database: "d", measurement: "m" };
  const before = await dump(world.store);
  expect(await world.buckets.testSettings({ name: "new", type: "local" })).toMatchObject({ ok: true });
  expect(await world.buckets.testSettings(influx)).toMatchObject({ ok: false, code: "bucket_unavailable" });
  expect(await codeOf(world.buckets.testSettings({ name: "new", type: "x" }))).toBe("invalid");
  expect(await codeOf(world.buckets.testSettings([]))).toBe("invalid");
  expect(await dump(world.store)).toBe(before);
  await world.buckets.put({ ...influx, dbuser: "u", dbuser_password: "hunter2" });
  const part = { name: "i", type: "influxdb", database: "e" };
  expect(await world.buckets.testSettings(part)).toMatchObject({ ok: false, code: "bucket_unavailable" });
  await expect(world.buckets.testSettings({ ...part, addr: "127.0.0.1:10" })).rejects.toThrow(
    "must be given again",
  );
});

test("a change of a secret alone changes the tag, which does not derive from it", async () => {
  await world.buckets.put({
    name: "i",
    type: "influxdb",
    addr: "127.0.0.1:9",
    database: "d",
    measurement: "m",
  });
  const tag = async () => (await world.buckets.get(["i"])).etag!;
  const before = await tag();
  world.clock.at += 1;
  await world.buckets.patch(["i"], { dbuser_password: "secret-1" });
  const after = await tag();
  expect(after).not.toBe(before);
  const stale = parseIfMatch(before);
  expect(await codeOf(world.buckets.patch(["i"], { database: "e" }, stale))).toBe("precondition_failed");
  expect(await tag()).toBe(after);
});
