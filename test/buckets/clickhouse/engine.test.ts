// Kind `clickhouse` on the engine: column types, error codes, settings, far instants.
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readException, temporary } from "../../../src/buckets/clickhouse/exception.ts";
import { clickhouse } from "../../../src/buckets/clickhouse/index.ts";
import type { FeatureQuery } from "../../../src/core/series/query.ts";
import { exploreLimits } from "../../../src/resources/buckets/probe.ts";
import { type Clickhouse, clickhouseMissing, shareClickhouse } from "../../support/clickhouse.ts";
import { NONE } from "../cases.ts";
import { aFeature, expectColumn, idle, readColumn, T0 } from "../support.ts";

// Every request opens a session of the engine, some ms each; hundreds of them on a busy machine take their time.
setDefaultTimeout(180_000);

describe.skipIf(clickhouseMissing !== undefined)("engine", () => {
  const start = shareClickhouse();
  let server: Clickhouse;
  beforeEach(async () => {
    server = await start();
  });
  afterEach(() => server.stop());

  const open = (more = {}) =>
    clickhouse.open("b", { addr: server.addr, table: "t", ...more }, { dataDir: "" });

  async function read(
    feature: Partial<FeatureQuery>,
    { minutes = 1, ...more }: { minutes?: number } & object = {},
  ) {
    return readColumn(open(more), feature, minutes);
  }

  test.each([
    ["Int128", "-5", -5],
    ["UInt64", "18446744073709551615", 2 ** 64],
    ["BFloat16", "1.5", 1.5],
    ["Decimal(18, 4)", "1.25", 1.25],
    ["Nullable(Decimal(38, 10))", "2.5", 2.5],
    ["LowCardinality(Nullable(Float64))", "3", 3],
    ["SimpleAggregateFunction(sum, Float64)", "4", 4],
  ])("a column of type %s is a field with numbers", async (type, text, expected) => {
    await server.run(
      `SET allow_suspicious_low_cardinality_types = 1; CREATE TABLE t (time DateTime, v ${type}) ENGINE = MergeTree ORDER BY time`,
    );
    await server.run(`INSERT INTO t VALUES (fromUnixTimestamp(${T0 / 1000}), ${text})`);
    for (const metric of ["sum", "max", "last"]) expectColumn(await read({ metric }), [expected]);
    const { measurements } = await open().explore!({ limits: exploreLimits }, idle());
    expect(measurements).toMatchObject([{ fields: [{ name: "v", type }], tags: [] }]);
  });

  test.each([
    ["LowCardinality(String)", "k"],
    ["FixedString(2)", "ab"],
    ["Enum8('a b' = 1, 'c' = 2)", "a b"],
    ["Nullable(Enum16('x' = 1))", "x"],
    ["UUID", "61f0c404-5cb3-11e7-907b-a6006ad3dba0"],
    ["IPv4", "127.0.0.1"],
    ["Nullable(IPv6)", "::1"],
  ])("a column of type %s is a tag", async (type, value) => {
    await server.run(
      `CREATE TABLE t (time DateTime64(3), v Float64, h ${type}) ENGINE = MergeTree ORDER BY time`,
    );
    await open().write!([{ at: T0, fields: { v: 2 }, tags: { h: value } }], {}, idle());
    expectColumn(await read({ tags: [{ tag: "h", value }] }), [2]);
    expectColumn(await read({ tags: [{ tag: "h", value: "other" }] }), [NONE]);
    const { measurements } = await open().explore!({ limits: exploreLimits }, idle());
    expect(measurements).toMatchObject([{ fields: [{ name: "v" }], tags: [{ name: "h", values: [value] }] }]);
  });

  test.each([
    "Array(String)",
    "Array(Float64)",
    "Map(String, Bool)",
    "Tuple(a String, b Float64)",
    "AggregateFunction(argMax, String, DateTime)",
    "DateTime",
  ])("a column of type %s is neither field nor tag", async (type) => {
    await server.run(`CREATE TABLE t (time DateTime, h ${type}) ENGINE = MergeTree ORDER BY time`);
    await server.run(`INSERT INTO t (time) VALUES (fromUnixTimestamp(${T0 / 1000}))`);
    const { measurements } = await open().explore!({ limits: exploreLimits }, idle());
    expect(measurements).toMatchObject([{ fields: [], tags: [], firstAt: T0, lastAt: T0 }]);
    expectColumn(await read({ field: "h" }), [NONE]);
    expectColumn(await read({ field: "h", metric: "count" }), [1]);
  });

  test("a Bool is counted, and read as a tag by its name", async () => {
    await server.run(
      "CREATE TABLE t (time DateTime, v Float64, up Nullable(Bool)) ENGINE = MergeTree ORDER BY time",
    );
    await open().write!([{ at: T0, fields: { v: 1, up: true }, tags: {} }], {}, idle());
    expectColumn(await read({ tags: [{ tag: "up", value: "true" }] }), [1]);
    expectColumn(await read({ field: "up", metric: "count" }), [1]);
    expectColumn(await read({ field: "up" }), [NONE]);
  });

  test.each([
    ["DateTime", 0],
    ["DateTime('Asia/Kolkata')", 0],
    ["DateTime64(0)", 0],
    ["DateTime64(9, 'America/New_York')", 123],
    ["Nullable(DateTime64(6))", 123],
    ["LowCardinality(DateTime)", 0],
  ])("a time of type %s, over ranges as far as instants reach", async (type, ms) => {
    await server.run(
      `SET allow_suspicious_low_cardinality_types = 1; CREATE TABLE t (time ${type}, v Float64) ENGINE = MergeTree ORDER BY tuple()`,
    );
    await open().write!([{ at: T0 + 123, fields: { v: 1 }, tags: {} }], {}, idle());
    expect(await open().probe!(idle())).toMatchObject({ newestAt: T0 + ms });
    const DAY = 86_400_000;
    // Ends that overflow when they are compared in nanoseconds.
    const range = { fromAt: -200_000 * DAY, toAt: 200_000 * DAY };
    for (const metric of ["sum", "last"]) {
      const features = [aFeature({ metric })];
      const { columns } = await open().read({ range, intervalMs: DAY, features }, idle());
      expect([...columns.f!.entries()].filter(([, value]) => value > 0)).toEqual([
        [Math.floor((T0 - range.fromAt) / DAY), 1],
      ]);
    }
  });

  test.each([
    ["SELECT time AS time, sum(v) AS value FROM t WHERE {to} > {from}", "NOT_AN_AGGREGATE"],
    ["SELECT time AS time, plus(v) AS value FROM t WHERE {to} > {from}", "NUMBER_OF_ARGUMENTS_DOESNT_MATCH"],
    ["SELECT time AS time, nope(v) AS value FROM t WHERE {to} > {from}", "UNKNOWN_FUNCTION"],
    ["SELECT time AS time FRM t WHERE {to} > {from}", "SYNTAX_ERROR"],
  ])("a mistake in a query is rejected in the words of the engine, whatever its status: %s", async (query, name) => {
    await server.run("CREATE TABLE t (time DateTime, v Float64) ENGINE = MergeTree ORDER BY time");
    await expect(read({ query })).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringMatching(/answered [45]\d\d: \S/),
    });
    expect(JSON.stringify(await read({ query }).catch(({ message }) => message))).toMatch(
      new RegExp(`${name}|\\.\\.\\."$`),
    );
  });

  test("a statement that runs out of its time or its memory may succeed later", async () => {
    await server.run("CREATE TABLE t (time DateTime, v Float64) ENGINE = MergeTree ORDER BY time");
    await server.stop();
    for (const profile of [{ max_execution_time: "0.05" }, { max_memory_usage: "5000000" }]) {
      server = await start({ profile });
      const query =
        "SELECT {from} AS time, length(groupArray(toString(number))) AS value FROM numbers(30000000) WHERE {to} > {from}";
      await expect(read({ query })).rejects.toMatchObject({ code: "bucket_unavailable" });
      await server.stop();
    }
    server = await start();
  });

  test("longer than the timeout of the bucket: an error at once, and the next statement works", async () => {
    const query = "SELECT {from} AS time, sleep(0.6) AS value WHERE {to} > {from}";
    await expect(read({ query }, { timeout: "0.2s" } as object)).rejects.toMatchObject({
      code: "bucket_unavailable",
      message: expect.stringContaining("within 0.2 s"),
    });
    expect(await open().probe!(idle()).catch(({ code }) => code)).toBe("bucket_rejected");
    expect(await open({ table: "points" }).probe!(idle())).toMatchObject({ newestAt: null });
  });

  test("an account that may only read: everything but writing", async () => {
    await server.stop();
    server = await start({ profile: { readonly: "1" } });
    const bucket = open({ table: "points" });
    expect(await bucket.probe!(idle())).toMatchObject({ version: expect.stringMatching(/^ClickHouse \d/) });
    const query = "SELECT {from} AS time, 7 AS value WHERE {to} > {from}";
    expectColumn(await read({ query }), [7]);
    const refused = { code: "bucket_rejected", message: expect.stringContaining("readonly") };
    await expect(bucket.write!([{ at: T0, fields: { v: 1 }, tags: {} }], {}, idle())).rejects.toMatchObject(
      refused,
    );
    await expect(bucket.clear!(idle())).rejects.toMatchObject(refused);
  });

  test("the codes of errors that pass are those of the engine", async () => {
    for (const [code, name] of Object.entries(temporary))
      expect([code, ...(await server.run(`SELECT errorCodeToName(${code})`))[0]!]).toEqual([code, name]);
  });
});

test.each([
  [
    "Code: 497. DB::Exception: u: Not enough privileges. (ACCESS_DENIED) (version 25.1 (official))\n",
    "bucket_auth",
  ],
  [
    "Code: 241. DB::Exception: Memory limit exceeded. (MEMORY_LIMIT_EXCEEDED) (version 25.1)",
    "bucket_unavailable",
  ],
  [
    '{"meta": [], "data": [[1]], "exception": "Code: 241. DB::Exception: Memory limit exceeded. (version 25.1)"}',
    "bucket_unavailable",
  ],
  ["Code: 43, e.displayText() = DB::Exception: Illegal type (version 20.3)", "bucket_rejected"],
  ["Code: 60. DB::Exception: Table default.t does not exist. Stack trace:", "bucket_rejected"],
])("an exception, also of older versions: %j", (body, code) => {
  const found = readException(body);
  expect(found).toMatchObject({ code: code as never });
  expect(found!.said).not.toMatch(/version|Code:|displayText/);
});

test.each(["", "<html>Code: 60</html>", '{"error": "x"}', "null"])("no exception: %j", (body) => {
  expect(readException(body)).toBeUndefined();
});
