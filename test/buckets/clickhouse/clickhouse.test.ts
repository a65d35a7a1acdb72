// Kind `clickhouse` on the engine: the contract and its own rules.
import { afterEach, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { clickhouse } from "../../../src/buckets/clickhouse/index.ts";
import type { Bucket } from "../../../src/buckets/kind.ts";
import type { Point } from "../../../src/core/series/query.ts";
import { closeServers, serve } from "../../net/fetch.support.ts";
import { type Clickhouse, clickhouseMissing, shareClickhouse } from "../../support/clickhouse.ts";
import { runContract } from "../contract.ts";
import { marker, runFaults } from "../faults.ts";
import { expectColumn, idle, MINUTE, readColumn, T0 } from "../support.ts";
import { expectYear } from "../year.ts";

// Every request opens a session of the engine, some ms each; hundreds of them on a busy machine take their time.
setDefaultTimeout(180_000);

const open = (addr: string, more = {}) =>
  clickhouse.open("b", { addr, table: "points", ...more }, { dataDir: "" });

async function seed(server: Clickhouse, bucket: Bucket, points: readonly Point[]): Promise<void> {
  for (const { fields, tags } of points) await server.addColumns({ ...fields, ...tags });
  await bucket.write!(points, {}, idle());
}

describe.skipIf(clickhouseMissing !== undefined)("the engine", () => {
  const start = shareClickhouse();
  runContract({
    kind: "clickhouse",
    measurements: false,
    oneNamespace: true,
    replaces: false,
    create: async (settings) => {
      const server = await start();
      const bucket = open(server.addr, settings);
      return { bucket, seed: (points) => seed(server, bucket, points), dispose: () => server.stop() };
    },
  });
});

runFaults({
  kind: "clickhouse",
  open: (addr, timeout) => open(addr, { timeout, user: `user-${marker}`, password: marker }),
});

test("rows before an exception are no answer, and the exception is the reason", async () => {
  const exception = "Code: 159. DB::Exception: Timeout exceeded: elapsed 5 seconds. (TIMEOUT_EXCEEDED)";
  const addr = serve(() => Response.json({ data: [["at", "DateTime"]], rows: 1, exception }));
  const bucket = open(addr);
  await expect(readColumn(bucket, { metric: "avg" }, 1)).rejects.toMatchObject({
    code: "bucket_unavailable",
    message: expect.stringContaining("answered with an error: Timeout exceeded: elapsed 5 seconds."),
  });
  bucket.close();
  closeServers();
});

describe.skipIf(clickhouseMissing !== undefined)("clickhouse", () => {
  const start = shareClickhouse();
  let server: Clickhouse;
  let bucket: Bucket;
  beforeEach(async () => {
    server = await start();
    bucket = open(server.addr);
  });
  afterEach(() => server.stop());

  const read = (metric: string, minutes: number, from = bucket) => readColumn(from, { metric }, minutes);

  test("a column of `series_by` that is not there is an error, and only where it is asked for", async () => {
    await seed(server, bucket, [{ at: T0, fields: { v: 1 }, tags: {} }]);
    const other = open(server.addr, { series_by: ["nope"] });
    await expect(read("rate", 1, other)).rejects.toMatchObject({ code: "invalid" });
    expectColumn(await read("last", 1, other), [1]);
  });

  test("a year of minutes: in parts, and raw rows with bounded memory", () =>
    expectYear(bucket, (points) => seed(server, bucket, points)));

  test("more rows than a page holds", async () => {
    const points = Array.from({ length: 120_000 }, (_, i) => ({
      at: T0 + Math.floor(i / 2),
      fields: { v: i },
      tags: {},
    }));
    await seed(server, bucket, points);
    expectColumn(await read("median", 1), [59_999.5]);
  });

  test("values that are no numbers count for nothing, and leave a full page full", async () => {
    await server.addColumns({ v: 1 });
    await server.run(
      `INSERT INTO points SELECT fromUnixTimestamp64Milli(${T0} + number), if(number % 5 = 0, nan, 1) FROM numbers(60000)`,
    );
    for (const [metric, expected] of [
      ["sum", 48_000],
      ["count", 48_000],
      ["max", 1],
      ["mode", 1],
      ["integral", 59.998],
    ] as const)
      expectColumn(await read(metric, 1), [expected]);
    await server.run(
      `INSERT INTO points SELECT fromUnixTimestamp64Milli(${T0 + MINUTE} + number), number FROM numbers(60000)`,
    );
    expectColumn(await read("median", 2), [1, 29_999.5]);
  });

  test("a column that is missing, and a text in a column of numbers, are errors of a write", async () => {
    await seed(server, bucket, [{ at: T0, fields: { v: 1 }, tags: {} }]);
    for (const fields of [{ nope: 1 }, { v: "text" }]) {
      const points = [
        { at: T0 + 1, fields: { v: 1 }, tags: {} },
        { at: T0 + 2, fields, tags: {} },
      ];
      await expect(bucket.write!(points as Point[], {}, idle())).rejects.toMatchObject({
        code: "bucket_rejected",
        message: expect.stringMatching(/nope|key v/),
      });
    }
    expectColumn(await read("count", 1), [1]);
  });

  test("a name of both a field and a tag, or of the time, is refused", async () => {
    for (const point of [
      { at: T0, fields: { v: 1 }, tags: { v: "x" } },
      { at: T0, fields: { time: 1 }, tags: {} },
      { at: T0, fields: { "a\0b": 1 }, tags: {} },
    ])
      await expect(bucket.write!([point], {}, idle())).rejects.toMatchObject({ code: "invalid" });
  });

  test("no such table: reading finds nothing, writing is an error", async () => {
    const elsewhere = open(server.addr, { table: "nope" });
    expectColumn(await read("count", 1, elsewhere), [0]);
    await expect(
      elsewhere.write!([{ at: T0, fields: { v: 1 }, tags: {} }], {}, idle()),
    ).rejects.toMatchObject({ code: "bucket_rejected" });
  });

  test("cleared, the table stays; no such table is nothing to clear", async () => {
    await seed(server, bucket, [{ at: T0, fields: { v: 1 }, tags: {} }]);
    await open(server.addr, { table: "nope" }).clear!(idle());
    expectColumn(await read("count", 1), [1]);
    await bucket.clear!(idle());
    expectColumn(await read("count", 1), [0]);
  });

  test("a table that shows the rows of others is not cleared, and says so", async () => {
    await seed(server, bucket, [{ at: T0, fields: { v: 1 }, tags: {} }]);
    await server.run("CREATE VIEW a AS SELECT * FROM points");
    await server.run("CREATE TABLE b AS points ENGINE = Merge(default, '^points$')");
    await server.run("CREATE MATERIALIZED VIEW c TO points AS SELECT * FROM points");
    for (const [table, engine] of [
      ["a", "engine View"],
      ["b", "engine Merge"],
      ["c", "engine MaterializedView TO"],
    ] as const)
      await expect(open(server.addr, { table }).clear!(idle())).rejects.toMatchObject({
        code: "bucket_rejected",
        message: expect.stringContaining(engine),
      });
    expectColumn(await read("count", 1), [1]);
  });

  test("a materialized view with a table of its own is cleared, and only it", async () => {
    await server.addColumns({ v: 1 });
    await server.run(
      "CREATE MATERIALIZED VIEW kept ENGINE = MergeTree ORDER BY time AS SELECT * FROM points",
    );
    await seed(server, bucket, [{ at: T0, fields: { v: 1 }, tags: {} }]);
    const view = open(server.addr, { table: "kept" });
    expectColumn(await read("count", 1, view), [1]);
    await view.clear!(idle());
    expectColumn(await read("count", 1, view), [0]);
    expectColumn(await read("count", 1), [1]);
  });

  test("credentials go into the header", async () => {
    await server.stop();
    server = await start({ account: "u:s3cret-pw" });
    expectColumn(await read("count", 1, open(server.addr, { user: "u", password: "s3cret-pw" })), [0]);
    const error = await read("count", 1, open(server.addr, { user: "u", password: "wr0ng-pw" })).catch(
      (thrown) => thrown,
    );
    expect(error).toMatchObject({
      code: "bucket_auth",
      message: expect.stringContaining("AUTHENTICATION_FAILED"),
    });
    expect(String(error)).not.toContain("wr0ng-pw");
  });
});
