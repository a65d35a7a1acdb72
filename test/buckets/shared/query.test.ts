// Feature queries in SQL and InfluxQL: required terms, accepted answers, read-only execution.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { clickhouse } from "../../../src/buckets/clickhouse/index.ts";
import { checkBucketQuery, kindOf, openBucket } from "../../../src/buckets/index.ts";
import type { Bucket } from "../../../src/buckets/kind.ts";
import { postgres } from "../../../src/buckets/postgres/index.ts";
import type { FeatureQuery } from "../../../src/core/series/query.ts";
import { clickhouseMissing, startClickhouse } from "../../support/clickhouse.ts";
import { influxdMissing, startInfluxd } from "../../support/influxd.ts";
import { owner, postgresMissing, startPostgres } from "../../support/postgres.ts";
import { NONE } from "../cases.ts";
import { makeQuery, open as openInflux } from "../influxdb/support.ts";
import { aQuery, expectColumn, idle, MINUTE, T0 } from "../support.ts";

/** A bucket with 1, 3 and 5 in the first, third and fourth minute, and 100 before and after. */
interface Subject {
  readonly bucket: Bucket;
  stop(): void | Promise<void>;
}

/** What one language calls things. */
interface Dialect {
  readonly kind: string;
  readonly missing: string | undefined;
  start(): Promise<Subject>;
  /** One row per interval: the mean. */
  readonly mean: string;
  /** All points as they are. */
  readonly points: string;
  /** Queries that are refused, and what is said. */
  readonly refused: readonly (readonly [query: string, message: string, code?: "invalid"])[];
}

const values = [
  [-1, 100],
  [0, 1],
  [2 * MINUTE, 2],
  [3 * MINUTE - 1, 4],
  [3 * MINUTE, 5],
  [4 * MINUTE, 100],
] as const;
const seeds = values.map(([atMs, v]) => ({ at: T0 + atMs, fields: { v }, tags: { h: `h${v}` } }));
const range = "at >= {from} AND at < {to}";
const timeRange = "time >= {from} AND time < {to}";

const dialects: readonly Dialect[] = [
  {
    kind: "postgres",
    missing: postgresMissing,
    async start() {
      const server = await startPostgres();
      await server.run("CREATE TABLE t (at timestamptz, v float8, h text)");
      const where = { addr: server.addr, database: server.database, table: "t", time_column: "at" };
      const bucket = postgres.open("b", { ...where, ...owner, writable: true } as never, { dataDir: "" });
      await bucket.write!(seeds, {}, idle());
      const stop = async () => {
        bucket.close();
        await server.stop();
      };
      return { bucket, stop };
    },
    mean: `SELECT date_bin({interval}, at, {from}) AS time, avg(v) AS value FROM t WHERE ${range} GROUP BY 1 -- end`,
    points: `SELECT extract(epoch FROM at) AS time, v::numeric AS value FROM t WHERE ${range}`,
    refused: [
      [`SELECT at AS time, v AS value FROM t WHERE {to} > {from}`, "outside of the range"],
      [`SELECT at AS time, v AS val FROM t WHERE ${range}`, "two columns", "invalid"],
      [`SELECT at AS time, v AS value, h FROM t WHERE ${range}`, "two columns", "invalid"],
      [`SELECT at AS time, h AS value FROM t WHERE ${range}`, "two columns", "invalid"],
      [`SELECT NULL::timestamptz AS time, v AS value FROM t WHERE ${range}`, "without a time"],
      [`SELECT at AS time, v AS value FROM nothing WHERE ${range}`, "nothing"],
      [
        `WITH gone AS (DELETE FROM t WHERE ${range} RETURNING at, v) SELECT at AS time, v AS value FROM gone`,
        "WITH",
      ],
      [
        `SELECT at AS time, v AS value FROM t WHERE ${range}) AS source LIMIT 0; COMMIT; DELETE FROM t; SELECT * FROM (SELECT at, v FROM t`,
        "multiple commands",
      ],
      [`SELECT {from} AS time, nextval('s') AS value WHERE {to} > {from}`, `"s"`],
    ],
  },
  {
    kind: "clickhouse",
    missing: clickhouseMissing,
    async start() {
      const server = await startClickhouse();
      await server.addColumns({ v: 1, h: "" });
      await server.run("CREATE VIEW t AS SELECT *, time AS at FROM points");
      const bucket = clickhouse.open("b", { addr: server.addr, table: "points" }, { dataDir: "" });
      await bucket.write!(seeds, {}, idle());
      return { bucket, stop: () => server.stop() };
    },
    mean: `SELECT toStartOfInterval(time, {interval}) AS time, avg(v) AS value FROM points WHERE ${timeRange} GROUP BY time;`,
    points: `SELECT time AS time, v AS value FROM points WHERE ${timeRange}`,
    refused: [
      ["SELECT time AS time, v AS value FROM points WHERE {to} >= {from}", "outside of the range"],
      [
        `SELECT time AS time, assumeNotNull(h) AS value FROM points WHERE ${timeRange}`,
        "Cannot parse Float64 from String",
      ],
      [`SELECT at AS time, [v] AS value FROM t WHERE at >= {from} AND at < {to}`, "type Array"],
      [`SELECT NULL AS time, v AS value FROM t WHERE ${range}`, "without a time"],
      [`SELECT nothing AS time, v AS value FROM points WHERE ${timeRange}`, "`nothing`"],
      [`SELECT time AS time, v AS value FROM nothing WHERE ${timeRange}`, "nothing"],
      [`SELECT at AS when, v AS value FROM t WHERE ${range}`, "`time`"],
      [`SELECT time AS time, v AS value FROM points WHERE ${timeRange}; SELECT 1`, "Syntax error"],
      [
        `SELECT at AS time, v AS value FROM t WHERE ${range}); TRUNCATE TABLE points; SELECT 1, 2 FROM (SELECT 1`,
        "Syntax error",
      ],
      [
        `SELECT {from} AS time, number AS value FROM url('http://127.0.0.1:1/', CSV, 'number Int8') WHERE {to} > {from} SETTINGS/**/readonly = 0`,
        "SETTINGS",
        "invalid",
      ],
      [
        `SELECT {from} AS time, number AS value FROM url('http://127.0.0.1:1/', CSV, 'number Int8') WHERE {to} > {from}`,
        "readonly",
      ],
    ],
  },
  {
    kind: "influxdb",
    missing: influxdMissing,
    async start() {
      const server = await startInfluxd();
      const bucket = openInflux(server, { database: "d" });
      await bucket.write!(seeds, {}, idle());
      return { bucket, stop: () => server.stop() };
    },
    mean: `select mean(v) from m where ${timeRange} group by time({interval});`,
    points: `SELECT v FROM m WHERE ${timeRange}`,
    refused: [
      ["select v from m where {to} > {from}", "outside of the range"],
      [`select v, h from m where ${timeRange}`, "2 values in a row"],
      [`select mean(v) from m where ${timeRange} group by time({interval}), h`, "series"],
      [`select mean( from m where ${timeRange}`, "error parsing query"],
      [`select mean(v) into w from m where ${timeRange}`, "INTO", "invalid"],
      [`select mean(v)*1INTO w from m where ${timeRange}`, "INTO", "invalid"],
      [`select v from m where ${timeRange}; drop measurement m`, "semicolon", "invalid"],
      [`select v from m where h =~ /'/ and ${timeRange}; drop measurement m -- '`, "semicolon", "invalid"],
      [`drop measurement m -- ${timeRange}`, "must be a SELECT", "invalid"],
    ],
  },
];

describe.each(dialects.filter(({ missing }) => !missing))("$kind", (dialect) => {
  let subject: Subject;
  const { kind, mean, points } = dialect;
  beforeAll(async () => {
    subject = await dialect.start();
  });
  afterAll(() => subject?.stop());

  /** As the service reads: the query is checked first. */
  async function read(features: Partial<FeatureQuery>[], minutes = 4, intervalMs = MINUTE) {
    const wanted = makeQuery(features, minutes, intervalMs);
    for (const { query } of wanted.features)
      if (query) checkBucketQuery({ name: "b", type: kind } as never, query, "query");
    return (await subject.bucket.read(wanted, idle())).columns;
  }

  test("a row per interval, beside features that bring no query, in their order", async () => {
    const columns = await read([{}, { query: mean }, { metric: "mode" }, { query: mean }]);
    expect(Object.keys(columns)).toEqual(["f0", "f1", "f2", "f3"]);
    expectColumn(columns.f0!, [1, NONE, 6, 5]);
    for (const name of ["f1", "f3"]) expectColumn(columns[name]!, [1, NONE, 3, 5]);
    expectColumn(columns.f2!, [1, NONE, 2, 5]);
  });

  test("the query of the pages works as it stands there", async () => {
    const [, query] = /as in `(select [^`]+)`/i.exec(kindOf({ type: kind }).description) ?? [];
    expectColumn((await read([{ query: query! }])).f0!, [1, NONE, 3, 5]);
    if (kind !== "clickhouse")
      expect(await Bun.file("docs/getting-started.md").text()).toContain(`\`${query}\``);
  });

  test("nothing there, and nothing asked for", async () => {
    const far = { fromAt: T0 + 1000 * MINUTE, toAt: T0 + 1003 * MINUTE };
    const features = [{ name: "f", metric: "sum", field: "v", tags: [], query: mean }];
    const { columns } = await subject.bucket.read({ range: far, intervalMs: MINUTE, features }, idle());
    expectColumn(columns.f!, [NONE, NONE, NONE]);
    expectColumn((await read([{ query: mean }], 0)).f0!, []);
  });

  test("rows lie in the interval of their time; two in one are an error", async () => {
    expectColumn((await read([{ query: points }], 2)).f0!, [1, NONE]);
    await expect(read([{ query: points }])).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining(
        "the query of f0 answers an interval twice; let it group by {interval}",
      ),
    });
  });

  test("a long range is asked in parts", async () => {
    const { f0 } = await read([{ query: mean }], 25_000);
    expect([...f0!.entries()].filter(([, value]) => !Number.isNaN(value))).toEqual([
      [0, 1],
      [2, 3],
      [3, 5],
      [4, 100],
    ]);
  });

  test.each(dialect.refused.map((row) => [row]))("refused: %j", async ([
    query,
    message,
    code = "bucket_rejected",
  ]) => {
    await expect(read([{ query }])).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
    const { f0 } = await read([{ metric: "count" }]);
    expectColumn(f0!, [1, 0, 2, 1]);
  });

  test.each([
    ["select 1", "needs {from} and {to}"],
    ["select {from}", "needs {to}"],
  ])("without the ends of the range, %s: refused when it is checked, and when a bucket is read", async (query, says) => {
    expect(() => checkBucketQuery({ name: "b", type: kind } as never, query, "features.0.query")).toThrow(
      says,
    );
    const settings = { addr: "127.0.0.1:1", database: "d", measurement: "m", table: "t", time_column: "at" };
    const bucket = openBucket({ name: "b", type: kind, ...settings } as never, { dataDir: "" });
    const features = [{ name: "f", metric: "sum", field: "v", tags: [], query }];
    const wanted = aQuery(features, 1);
    await expect(bucket.read(wanted, idle())).rejects.toMatchObject({
      code: "invalid",
      details: { path: "query" },
    });
    bucket.close();
  });

  test("by group it is refused, and says what to do", async () => {
    const query = { ...makeQuery([{}, { query: mean }]), groupBy: ["h"], maxSeries: 9 };
    await expect(subject.bucket.readGrouped!(query, idle())).rejects.toMatchObject({
      code: "not_supported",
      message: expect.stringContaining("the query of f1 cannot be read by group"),
    });
  });

  test("aborted, it ends", async () => {
    const features = [{ name: "f", metric: "sum", field: "v", tags: [], query: mean }];
    const wanted = aQuery(features, 1);
    await expect(subject.bucket.read(wanted, AbortSignal.abort())).rejects.toMatchObject({
      code: "canceled",
    });
  });
});

test.skipIf(clickhouseMissing !== undefined)(
  "what goes to ClickHouse: the query within a selection of ours, read-only, in the bucket's database",
  async () => {
    const server = await startClickhouse();
    try {
      await server.addColumns({ v: 1 });
      const settings = { addr: server.addr, table: "points" };
      const query = `SELECT time AS time, v AS value FROM points WHERE ${timeRange} -- end`;
      const features = [{ name: "f", metric: "sum", field: "v", tags: [], query }];
      const wanted = aQuery(features, 2);
      await clickhouse.open("b", settings, { dataDir: "" }).read(wanted, idle());
      const readOnly = (await server.requests()).filter(({ params }) => params.readonly === "1");
      expect(readOnly.map(({ statement }) => statement)).toEqual([
        "SELECT toUnixTimestamp64Milli(toDateTime64(time, 3)) AS torus_at, toFloat64(value) AS torus_value " +
          `FROM (SELECT time AS time, v AS value FROM points WHERE time >= fromUnixTimestamp64Milli(toInt64(${T0})) ` +
          `AND time < fromUnixTimestamp64Milli(toInt64(${T0 + 2 * MINUTE})) -- end\n) LIMIT 3 FORMAT JSONCompact`,
      ]);
      const elsewhere = clickhouse.open("b", { ...settings, database: "other" }, { dataDir: "" });
      await expect(elsewhere.read(wanted, idle())).rejects.toMatchObject({ code: "bucket_rejected" });
    } finally {
      await server.stop();
    }
  },
);
