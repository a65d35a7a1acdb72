// Kind `local`: the contract, durability, atomicity, retention, full disk, file modes.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readlinkSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Bucket } from "../../../src/buckets/kind.ts";
import { createLocalKind, local } from "../../../src/buckets/local/index.ts";
import type { FieldValue, Point, ReadQuery } from "../../../src/core/series/query.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { countTurns } from "../../support/turns.ts";
import { runContract } from "../contract.ts";
import { aFeature, aQuery, expectColumn, idle, MINUTE, T0 } from "../support.ts";

runContract({
  kind: "local",
  async create() {
    const dataDir = temporaryFolder();
    const bucket = local.open("contract", {}, { dataDir });
    return {
      bucket,
      seed: (points, measurement) => bucket.write!(points, measurement ? { measurement } : {}, idle()),
      dispose: () => bucket.close(),
    };
  },
});

describe("local only", () => {
  let dataDir: string;
  let opened: Bucket[];
  beforeEach(() => {
    dataDir = temporaryFolder();
    opened = [];
  });
  afterEach(() => {
    for (const bucket of opened) bucket.close();
  });

  function open(settings = {}, options = {}, name = "b"): Bucket {
    const bucket = createLocalKind(options).open(name, settings, { dataDir });
    opened.push(bucket);
    return bucket;
  }

  function write(
    bucket: Bucket,
    points: [atMs: number, value: FieldValue][],
    measurement?: string,
  ): Promise<void> {
    const rows = points.map(([at, v]) => ({ at: T0 + at, fields: { v }, tags: {} }));
    return bucket.write!(rows, measurement ? { measurement } : {}, idle());
  }

  function makeQuery(metric: string, minutes = 3): ReadQuery {
    const features = [aFeature({ metric })];
    return aQuery(features, minutes);
  }

  async function read(bucket: Bucket, metric = "sum", minutes = 3): Promise<Float64Array> {
    return (await bucket.read(makeQuery(metric, minutes), idle())).columns.f!;
  }

  test("promise 1: what was written is there after reopening", async () => {
    const before = open();
    await write(before, [
      [0, 1],
      [60_000, 2],
      [61_000, "text"],
    ]);
    before.close();
    const after = open();
    expectColumn(await read(after), [1, 2, Number.NaN]);
    await write(after, [[1, 10]]);
    expectColumn(await read(after, "count"), [2, 2, 0]);
  });

  test("tags in another order name the same series", async () => {
    const bucket = open();
    const writeTagged = (v: number, tags: Point["tags"]) =>
      bucket.write!([{ at: T0, fields: { v }, tags }], {}, idle());
    await writeTagged(1, { a: "1", b: "2" });
    await writeTagged(5, { b: "2", a: "1" });
    expectColumn(await read(bucket, "count", 1), [1]);
    expectColumn(await read(bucket, "sum", 1), [5]);
  });

  test("reading creates no file; writing creates one whose name says nothing of the bucket's", async () => {
    const name = "..@secret-bucket";
    const bucket = open({}, {}, name);
    expectColumn(await read(bucket, "count", 1), [0]);
    expect(readdirSync(dataDir)).toEqual([]);
    await write(bucket, [[0, 1]]);
    const files = readdirSync(join(dataDir, "buckets"));
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) expect(file).toMatch(/^[0-9a-f]{32}\.db(-wal|-shm|-head-1)?$/);
    expect(statSync(join(dataDir, "buckets")).mode & 0o077).toBe(0);
  });

  test("buckets do not share points, and destroy removes one of them only", async () => {
    const [one, two] = [open({}, {}, "one"), open({}, {}, "two")];
    await write(one, [[0, 1]]);
    await write(two, [[0, 2]]);
    one.close();
    local.destroy!("one", { dataDir });
    expect(readdirSync(join(dataDir, "buckets")).filter((file) => file.endsWith(".db"))).toHaveLength(1);
    expectColumn(await read(open({}, {}, "one")), [Number.NaN, Number.NaN, Number.NaN]);
    expectColumn(await read(two, "sum", 1), [2]);
  });

  test("a closed bucket does not come back to life", async () => {
    const bucket = open();
    bucket.close();
    await expect(write(bucket, [[0, 1]])).rejects.toMatchObject({ code: "bucket_unavailable" });
    await expect(read(bucket)).rejects.toMatchObject({ code: "bucket_unavailable" });
    expect(existsSync(join(dataDir, "buckets"))).toBe(false);
  });

  test("promise 3: a write that fails in the middle leaves nothing, and the next one works", async () => {
    const bucket = open();
    await write(bucket, [[0, 1]]);
    const broken = new Proxy(
      { at: T0, fields: {}, tags: {} },
      {
        get() {
          throw new Error("broken point");
        },
      },
    ) as Point;
    const good = { at: T0 + 1, fields: { v: 5, other: 1 }, tags: { fresh: "series" } };
    await expect(bucket.write!([good, broken], {}, idle())).rejects.toThrow("broken point");
    expectColumn(await read(bucket, "count", 1), [1]);
    await bucket.write!([good], {}, idle());
    expectColumn(await read(bucket, "sum", 1), [6]);
  });

  test("promise 4: a full disk is storage_full, all or nothing; reads go on, later writes too", async () => {
    const bucket = open({}, { maxPages: 40 });
    await write(bucket, [[0, 1]]);
    const many = Array.from({ length: 50_000 }, (_, i): [number, number] => [i + 1, i]);
    await expect(write(bucket, many)).rejects.toMatchObject({ code: "storage_full" });
    expectColumn(await read(bucket, "count", 1), [1]);
    await write(bucket, [[5, 1]]);
    expectColumn(await read(bucket, "count", 1), [2]);
  });

  test("a damaged file and one of a newer version are named, never overwritten", async () => {
    const bucket = open();
    await write(bucket, [[0, 1]]);
    bucket.close();
    const file = join(dataDir, "buckets", readdirSync(join(dataDir, "buckets"))[0]!);
    const db = new Database(file);
    db.run("PRAGMA user_version = 99");
    db.close();
    await expect(read(open())).rejects.toMatchObject({ code: "bucket_unavailable" });
    await expect(write(open(), [[0, 2]])).rejects.toMatchObject({ code: "bucket_unavailable" });
    writeFileSync(file, "not a database, but long enough to be taken for one ".repeat(100));
    await expect(read(open())).rejects.toThrow("damaged");
    await expect(write(open(), [[0, 2]])).rejects.toThrow("damaged");
    writeFileSync(file, "");
    writeFileSync(`${file}-wal`, "what is left of a log");
    await expect(read(open())).rejects.toThrow("damaged");
    await expect(write(open(), [[0, 2]])).rejects.toThrow("damaged");
    expect(statSync(`${file}-wal`).size).toBe(21);
  });

  test("retention: expired points are not returned, then removed with their series", async () => {
    let nowAt = T0 + 2 * MINUTE;
    const bucket = open({ retention: "2m" }, { now: () => nowAt });
    await write(bucket, [
      [-1, 50],
      [0, 1],
      [60_000, 2],
      [119_000, 3],
    ]);
    expectColumn(await read(bucket), [1, 5, Number.NaN]);
    expectColumn(await read(bucket, "derivative"), [Number.NaN, 2 / 119, Number.NaN]);
    nowAt += 61_000;
    expectColumn(await read(bucket), [Number.NaN, 3, Number.NaN]);
    expectColumn(await read(bucket, "median"), [Number.NaN, 3, Number.NaN]);
    nowAt += 5 * MINUTE;
    await bucket.write!([{ at: nowAt, fields: { w: 1 }, tags: { new: "series" } }], {}, idle());
    bucket.close();
    const db = new Database(join(dataDir, "buckets", readdirSync(join(dataDir, "buckets"))[0]!));
    for (const table of ["series", "fields", "blocks", "tags"]) {
      expect(db.query(`SELECT count(*) AS n FROM ${table}`).get()).toEqual({ n: 1 });
    }
    db.close();
  });

  test("retention: a write reports how many points were too old; the others are stored", async () => {
    const bucket = open({ retention: "2m" }, { now: () => T0 + 3 * MINUTE });
    const expired: number[] = [];
    const onExpired = (count: number) => void expired.push(count);
    const at = (minute: number) => ({ at: T0 + minute * MINUTE, fields: { v: minute }, tags: {} });
    await bucket.write!([at(0), at(1), at(2), { ...at(0), at: T0 + 59_999 }], { onExpired }, idle());
    await bucket.write!([at(2)], { onExpired }, idle());
    expect(expired).toEqual([2]);
    expectColumn(await read(bucket, "sum", 3), [Number.NaN, 1, 2]);
  });

  test("after a removal by retention the same series can be written again", async () => {
    let nowAt = T0;
    const bucket = open({ retention: "1h" }, { now: () => nowAt });
    await write(bucket, [[0, 1]]);
    nowAt += 3 * 60 * MINUTE;
    await bucket.write!([{ at: nowAt, fields: { other: 1 }, tags: {} }], {}, idle());
    await bucket.write!([{ at: nowAt, fields: { v: 4 }, tags: {} }], {}, idle());
    const query = { ...makeQuery("sum"), range: { fromAt: nowAt, toAt: nowAt + MINUTE } };
    expectColumn((await bucket.read(query, idle())).columns.f!, [4]);
  });

  test("the measurement of the settings is written to and read from where none is named", async () => {
    const all = open();
    const cpu = open({ measurement: "cpu" });
    await write(cpu, [[0, 1]]);
    await write(cpu, [[0, 2]], "disk");
    expectColumn(await read(cpu, "sum", 1), [1]);
    expectColumn(await read(all, "sum", 1), [3]);
  });

  test("two openings of one bucket see each other's writes and removals", async () => {
    const [one, two] = [open(), open()];
    await write(one, [[0, 1]]);
    await write(two, [[1, 2]]);
    await two.clear!(idle());
    await write(one, [[2, 4]]);
    expectColumn(await read(two, "sum", 1), [4]);
  });

  test("a read is one snapshot: writes meanwhile are seen by the next one", async () => {
    const bucket = open();
    const minutes = 4000;
    await write(
      bucket,
      Array.from({ length: 200_000 }, (_, i): [number, number] => [i * 1200, 1]),
    );
    const reading = read(bucket, "median", minutes);
    let isRead = false;
    void reading.then(() => {
      isRead = true;
    });
    await bucket.clear!(idle());
    expect(isRead).toBe(false);
    expectColumn(await reading, new Array(minutes).fill(1));
    expectColumn(await read(bucket, "count", 2), [0, 0]);
  });

  test("an abort in the middle of a read ends it", async () => {
    const bucket = open();
    await write(
      bucket,
      Array.from({ length: 200_000 }, (_, i): [number, number] => [i, i]),
    );
    const controller = new AbortController();
    // It has begun, and goes on once this test waits.
    const reading = bucket.read(makeQuery("mode", 4), controller.signal);
    controller.abort();
    await expect(reading).rejects.toMatchObject({ code: "canceled" });
  });

  test("a number that is not finite is not stored", async () => {
    const bucket = open();
    await write(bucket, [
      [0, Number.NaN],
      [1, Infinity],
      [2, 3],
    ]);
    expectColumn(await read(bucket, "count", 1), [1]);
  });

  test("a point without a value leaves no series behind", async () => {
    const bucket = open();
    await bucket.write!(
      [{ at: T0, fields: { v: Number.NaN, w: null }, tags: { host: "a" } }],
      { measurement: "m" },
      idle(),
    );
    expect(await bucket.probe!(idle())).toMatchObject({ series: 0, newestAt: null });
    const limits = { measurements: 10, names: 10, values: 10 };
    expect(await bucket.explore!({ limits }, idle())).toEqual({ measurements: [], truncated: false });
  });

  test("explored for one field, it has the tags of the series with that field alone, as remote write mixes all", async () => {
    const bucket = open();
    const point = (field: string, device: string, at = T0) => ({
      at,
      fields: { [field]: 1 },
      tags: { device },
    });
    const points = [point("received", "eth0", T0 + 5), point("received", "lo"), point("read", "vda", T0 + 9)];
    await bucket.write!(points, { measurement: "" }, idle());
    const limits = { measurements: 10, names: 10, values: 10 };
    const explore = async (options: object) => {
      const { measurements } = await bucket.explore!({ limits, ...options }, idle());
      return measurements.map(({ fields, tags, lastAt }) => [fields.map(({ name }) => name), tags, lastAt]);
    };
    const device = (...values: string[]) => [{ name: "device", values }];
    const received = [["received"], device("eth0", "lo"), T0 + 5];
    expect(await explore({ field: "received" })).toEqual([received]);
    expect(await explore({ field: "received", tag: "device" })).toEqual([
      [[], device("eth0", "lo"), undefined],
    ]);
    expect(await explore({ tag: "device" })).toEqual([[[], device("eth0", "lo", "vda"), undefined]]);
    expect(await explore({ field: "none" })).toEqual([]);
  });

  test("explored, it names the tags of each field of points without a measurement", async () => {
    const bucket = open();
    const cpu = { at: T0, fields: { seconds: 1, up: 1 }, tags: { cpu: "0", host: "a" } };
    const points = [
      cpu,
      { at: T0, fields: { up: 1 }, tags: { job: "node" } },
      { at: T0, fields: { plain: 1 }, tags: {} },
    ];
    await bucket.write!(points, { measurement: "" }, idle());
    await bucket.write!([cpu], { measurement: "m" }, idle());
    const limits = { measurements: 10, names: 10, values: 10 };
    const { measurements } = await bucket.explore!({ limits }, idle());
    expect(measurements.map(({ fields }) => fields.map(({ name, tags }) => [name, tags]))).toEqual([
      [
        ["plain", []],
        ["seconds", ["cpu", "host"]],
        ["up", ["cpu", "host", "job"]],
      ],
      [
        ["seconds", undefined],
        ["up", undefined],
      ],
    ]);
  });

  test("explored, it lets other work in between, and tells numbers from texts", async () => {
    const bucket = open();
    const point = (i: number) => ({ at: T0 + i, fields: { v: i, note: "x" }, tags: { id: `s${i}` } });
    await bucket.write!(
      Array.from({ length: 20_000 }, (_, i) => point(i)),
      { measurement: "m" },
      idle(),
    );
    const endCount = countTurns();
    const limits = { measurements: 10, names: 10, values: 3 };
    const { measurements } = await bucket.explore!({ limits }, idle());
    expect(endCount()).toBeGreaterThan(3);
    expect(measurements).toEqual([
      {
        name: "m",
        fields: [
          { name: "note", type: "string" },
          { name: "v", type: "number" },
        ],
        tags: [{ name: "id", values: ["s0", "s1", "s10"] }],
        firstAt: T0,
        lastAt: T0 + 19_999,
      },
    ]);
    expect(await bucket.probe!(idle())).toMatchObject({ series: 20_000, newestAt: T0 + 19_999 });
  });

  test("values of one millisecond replace each other, field by field; those of another series stay", async () => {
    const bucket = open();
    const at = T0;
    await bucket.write!(
      [
        { at, fields: { v: 1, w: 10 }, tags: {} },
        { at: at + 0.4, fields: { v: 2 }, tags: {} },
        { at, fields: { v: 4 }, tags: { n: "1" } },
      ],
      {},
      idle(),
    );
    expectColumn(await read(bucket, "sum", 1), [6]);
    const w = { ...makeQuery("sum", 1), features: [{ name: "f", metric: "sum", field: "w", tags: [] }] };
    expectColumn((await bucket.read(w, idle())).columns.f!, [10]);
  });

  test.skipIf(process.platform !== "linux")("a damaged file that cannot be held is let go", async () => {
    const bucket = open();
    await write(bucket, [[0, 1]]);
    bucket.close();
    const file = join(dataDir, "buckets", readdirSync(join(dataDir, "buckets"))[0]!);
    writeFileSync(file, "not a database, but long enough to be taken for one ".repeat(100));
    expect(() => local.takeSnapshot!("b", { dataDir })).toThrow("damaged");
    const isOpen = (descriptor: string) => {
      try {
        return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(file);
      } catch {
        // The listing's own descriptor is gone by now.
        return false;
      }
    };
    expect(readdirSync("/proc/self/fd").filter(isOpen)).toEqual([]);
  });
});
