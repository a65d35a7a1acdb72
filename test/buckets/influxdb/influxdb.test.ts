// Kind `influxdb` on the real server: the contract and its own rules.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import type { FeatureQuery, Point } from "../../../src/core/series/query.ts";
import { type Influxd, influxdMissing, startInfluxd } from "../../support/influxd.ts";
import { isServerRequired } from "../../support/spawned.ts";
import { NONE } from "../cases.ts";
import { runContract } from "../contract.ts";
import { expectColumn, idle, T0 } from "../support.ts";
import { makePoint, makeQuery, nextDatabase, open, readOne } from "./support.ts";

if (influxdMissing) console.warn(influxdMissing);

test.if(isServerRequired)("the real server is there where it must be", () => {
  expect(influxdMissing).toBeUndefined();
});

describe.skipIf(Boolean(influxdMissing))("real server", () => {
  let server: Influxd;
  let database: string;
  beforeAll(async () => {
    server = await startInfluxd();
  });
  afterAll(() => server.stop());

  runContract({
    kind: "influxdb",
    // No line break and no backslash at the end: the line protocol has no way to write them.
    allowsName: (name) => !/\n|\\$/.test(name),
    async create() {
      const own = nextDatabase();
      await server.query(`create database ${own}`);
      const bucket = open(server, { database: own });
      return {
        bucket,
        seed: (points, measurement) => bucket.write!(points, measurement ? { measurement } : {}, idle()),
        dispose: async () => void (await server.query(`drop database ${own}`)),
      };
    },
  });

  beforeEach(() => {
    database = nextDatabase();
  });
  afterEach(async () => void (await server.query(`drop database ${database}`)));

  async function listDatabases(): Promise<unknown[]> {
    const [result] = await server.query("show databases");
    return result!.series![0]!.values?.flat() ?? [];
  }

  test("a database is created by the first write, never by a read or a clear", async () => {
    const bucket = open(server, { database });
    await expect(readOne(bucket)).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining(`database not found: ${database}`),
    });
    await expect(bucket.clear!(idle())).rejects.toMatchObject({ code: "bucket_rejected" });
    await bucket.write!([makePoint(0, { v: null })], {}, idle());
    expect(await listDatabases()).not.toContain(database);
    await bucket.write!([makePoint(0, { v: 1 })], {}, idle());
    expectColumn(await readOne(bucket), [1, NONE, NONE]);
    await server.query(`drop database ${database}`);
    await bucket.write!([makePoint(0, { v: 2 })], {}, idle());
    expectColumn(await readOne(bucket), [2, NONE, NONE]);
  });

  test("without create_database a missing database is an error and stays missing", async () => {
    const bucket = open(server, { database, create_database: false });
    await expect(bucket.write!([makePoint(0, { v: 1 })], {}, idle())).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining("database not found"),
    });
    expect(await listDatabases()).not.toContain(database);
  });

  test("a retention policy is written to and read from, and one that is missing is named", async () => {
    await server.query(`create database ${database}`);
    await server.query(`create retention policy "long one" on ${database} duration inf replication 1`);
    const long = open(server, { database, retention_policy: "long one" });
    await long.write!([makePoint(0, { v: 1 })], {}, idle());
    expectColumn(await readOne(long), [1, NONE, NONE]);
    expectColumn(await readOne(long, { metric: "integral" }), [0, NONE, NONE]);
    expectColumn(await readOne(open(server, { database })), [NONE, NONE, NONE]);
    expect((await long.probe!(idle())).newestAt).toBe(T0);
    const limits = { measurements: 5, names: 5, values: 5 };
    const { measurements } = await long.explore!({ limits }, idle());
    expect(measurements).toMatchObject([{ name: "m", firstAt: T0, lastAt: T0 }]);
    const missing = open(server, { database, retention_policy: "nope" });
    const rejected = { code: "bucket_rejected", message: expect.stringContaining("retention policy") };
    await expect(readOne(missing)).rejects.toMatchObject(rejected);
    const both = missing.read(makeQuery([{ metric: "sum" }, { metric: "max" }]), idle());
    await expect(both).rejects.toMatchObject(rejected);
    await expect(missing.explore!({ limits, measurement: "m" }, idle())).rejects.toMatchObject(rejected);
    await expect(missing.write!([makePoint(0, { v: 1 })], {}, idle())).rejects.toMatchObject(rejected);
  });

  test("a conflict of types: the error names every point that was refused, all others are kept", async () => {
    const bucket = open(server, { database });
    await bucket.write!([makePoint(0, { v: 1 })], {}, idle());
    const expectRefused = async (points: Point[], refused: string, type: string) => {
      const counted = `partial write: refused ${refused.split(", ").length} of ${points.length} points: ${refused} (counted from 0)`;
      await expect(bucket.write!(points, {}, idle())).rejects.toMatchObject({
        code: "bucket_rejected",
        message: expect.stringMatching(
          RegExp(
            `${RegExp.escape(counted)}; kept the others: field type conflict: input field "\\w+" .* ${type}`,
          ),
        ),
      });
    };
    await expectRefused([makePoint(1, { v: "text" })], "0", "string");
    // The server itself would count two of these, and name the last field alone.
    const mixed = [{ v: "t" }, { v: true }, { w: 1 }, { w: "x" }, { v: 5, w: null }, { v: 1, w: false }];
    await expectRefused(
      mixed.map((fields, i) => makePoint(10 + i, fields)),
      "0, 1, 3, 5",
      "float",
    );
    expectColumn(await readOne(bucket), [6, NONE, NONE]);
    expectColumn(await readOne(bucket, { field: "w", metric: "count" }), [1, 0, 0]);
    await server.write(`m ints=3i ${T0}000000`, database);
    await expectRefused([makePoint(1, { ints: 4 })], "0", "integer");
  });

  test("a conflict of types in one batch: the other batches are written, and written again nothing changes", async () => {
    const bucket = open(server, { database });
    const points = Array.from({ length: 12_000 }, (_, i) =>
      makePoint(i * 10, { v: i === 40 || i === 7000 ? "x" : 1 }),
    );
    for (const _ of [1, 2]) {
      await expect(bucket.write!(points, {}, idle())).rejects.toMatchObject({
        message: expect.stringContaining("refused 2 of 12000 points: 40, 7000 (counted from 0)"),
      });
      expectColumn(
        await readOne(bucket, { metric: "count" }),
        [5999, 5999, NONE].map((count) => count || 0),
      );
    }
  });

  test("points older than a retention policy are an error with the server's message, the others are kept", async () => {
    await server.query(`create database ${database}`);
    await server.query(`create retention policy short on ${database} duration 1h replication 1`);
    const bucket = open(server, { database, retention_policy: "short" });
    const now = Date.now();
    const points = [T0, now].map((at) => ({ at, fields: { v: 1 }, tags: {} }));
    await expect(bucket.write!(points, {}, idle())).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining("partial write: points beyond retention policy dropped=1"),
    });
    const [result] = await server.query("select count(v) from short.m", database);
    expect(result!.series![0]!.values![0]![1]).toBe(1);
  });

  test("values come back as they were: texts, booleans, extreme numbers, integers of other programs", async () => {
    const bucket = open(server, { database });
    const text = 'say "hi"\\ to\nall, = ☃';
    const fields = { big: 1.7976931348623157e308, small: 5e-324, neg: -0.1, huge: 1e21, t: text, b: true };
    await bucket.write!([makePoint(0, fields)], {}, idle());
    const [result] = await server.query("select big, small, neg, huge, t, b from m", database);
    expect(result!.series![0]!.values).toEqual([
      [T0, 1.7976931348623157e308, 5e-324, -0.1, 1e21, text, true],
    ]);
    await server.write(`m ints=3i ${T0}000000\nm ints=4i ${T0 + 1}000000`, database);
    expectColumn(await readOne(bucket, { field: "ints" }), [7, NONE, NONE]);
    expectColumn(await readOne(bucket, { field: "ints", metric: "sum_of_squares" }), [25, NONE, NONE]);
  });

  test("whole numbers and booleans match tags and fields of that name", async () => {
    await server.query(`create database ${database}`);
    const rows = [
      "m,port=1 v=1",
      "m,port=2 v=2",
      "m,host=a v=4,port=1i",
      "m,host=b v=8,port=2i",
      "m v=16,up=true",
      "m,up=true v=32",
    ];
    await server.write(rows.map((row, i) => `${row} ${T0 + i}000000`).join("\n"), database);
    const bucket = open(server, { database });
    const sumOf = async (tag: string, value: string) =>
      (await readOne(bucket, { tags: [{ tag, value }] }))[0];
    expect(await sumOf("port", "1")).toBe(5);
    expect(await sumOf("port", "2")).toBe(10);
    expect(await sumOf("up", "true")).toBe(48);
    expect(await sumOf("host", "a")).toBe(4);
    expect(await sumOf("port", "3")).toBeNaN();
  });

  test("a name either comes back or is refused before anything is sent", async () => {
    const letters = ["a", "\\", ",", "=", '"', "'", " ", "#", "\n", "\0"];
    const names = [...letters, ...letters.flatMap((one) => letters.map((two) => one + two))];
    const bucket = open(server, { database });
    const refused = { field: 0, tag: 0, value: 0, measurement: 0 };
    const tryOne = async (part: keyof typeof refused, name: string, feature: Partial<FeatureQuery>) => {
      const tags = Object.fromEntries((feature.tags ?? []).map(({ tag, value }) => [tag, value]));
      const point = makePoint(0, { [feature.field ?? "v"]: 7 }, tags);
      const measurement = feature.measurement ?? `${part}${names.indexOf(name)}`;
      const error = await bucket.write!([point], { measurement }, idle()).catch((thrown) => thrown);
      if (error) {
        expect(error).toMatchObject({ code: "invalid" });
        refused[part]++;
      } else {
        expect([name, (await readOne(bucket, { measurement, ...feature }))[0]]).toEqual([name, 7]);
      }
    };
    for (const name of names) {
      await tryOne("field", name, { field: name });
      await tryOne("tag", name, { tags: [{ tag: name, value: "x" }] });
      await tryOne("value", name, { tags: [{ tag: "t", value: name }] });
      await tryOne("measurement", name, { measurement: name });
    }
    // Of 110: those with a line break or NUL (38), a backslash at the end (9); before a comma, space, quote, = (4); # first (8).
    expect(refused).toEqual({ field: 51, tag: 47, value: 47, measurement: 59 });
  });

  test("clear leaves other measurements and the database, and finds nothing to do where nothing is", async () => {
    const bucket = open(server, { database });
    await server.query(`create database ${database}`);
    await bucket.clear!(idle());
    await bucket.write!([makePoint(0, { v: 1 })], {}, idle());
    await bucket.write!([makePoint(0, { v: 2 })], { measurement: "other" }, idle());
    await bucket.clear!(idle());
    expectColumn(await readOne(bucket, { metric: "count" }), [0, 0, 0]);
    expectColumn(await readOne(bucket, { measurement: "other" }), [2, NONE, NONE]);
  });
});
