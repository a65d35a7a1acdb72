// Kind `postgres` on the real server: the contract and its own rules.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { checkBucket } from "../../../src/buckets/index.ts";
import type { Bucket } from "../../../src/buckets/kind.ts";
import { postgres } from "../../../src/buckets/postgres/index.ts";
import type { PostgresSettings } from "../../../src/buckets/postgres/settings.ts";
import type { FeatureQuery, FieldValue, Point } from "../../../src/core/series/query.ts";
import { makeCertificate } from "../../support/certificate.ts";
import { owner, type Postgres, postgresMissing, startPostgres } from "../../support/postgres.ts";
import { isServerRequired } from "../../support/spawned.ts";
import { NONE } from "../cases.ts";
import { runContract } from "../contract.ts";
import { marker, runFaults } from "../faults.ts";
import { aFeature, aQuery, expectColumn, idle, MINUTE, readColumn, T0 } from "../support.ts";

if (postgresMissing) console.warn(postgresMissing);

test.if(isServerRequired)("the real server is there where it must be", () => {
  expect(postgresMissing).toBeUndefined();
});

const quote = (name: string) => `"${name.replaceAll('"', '""')}"`;
const typeOf = (value: FieldValue) =>
  typeof value === "number" ? "float8" : typeof value === "boolean" ? "boolean" : "text";

function open(server: Pick<Postgres, "addr" | "database">, more: Partial<PostgresSettings> = {}): Bucket {
  const where = { addr: server.addr, database: server.database, time_column: "at" };
  const settings = { ...where, ...owner, ...more } as PostgresSettings;
  return postgres.open("b", settings, { dataDir: "" });
}

runFaults({
  kind: "postgres",
  http: false,
  open: (addr, timeout) =>
    open({ addr, database: "d" }, { table: "t", user: `user-${marker}`, password: marker, timeout }),
});

describe.skipIf(Boolean(postgresMissing))("real server", () => {
  const certificate = makeCertificate();
  let server: Postgres;
  let tables = 0;
  let table: string;
  beforeAll(async () => {
    server = await startPostgres({ tls: certificate });
  });
  afterAll(() => server.stop());
  beforeEach(() => {
    table = `t${tables++}`;
  });

  /** Adds the columns that the points need. */
  async function addColumns(name: string, points: readonly Point[]): Promise<void> {
    const columns = new Map<string, string>();
    for (const { fields, tags } of points) {
      for (const [field, value] of Object.entries(fields))
        if (value !== null || !columns.has(field)) columns.set(field, typeOf(value ?? 0));
      for (const tag of Object.keys(tags)) columns.set(tag, "text");
    }
    if (columns.size === 0) return;
    const adds = [...columns].map(([column, type]) => `ADD COLUMN IF NOT EXISTS ${quote(column)} ${type}`);
    await server.run(`ALTER TABLE ${name} ${adds.join(", ")}`);
  }

  runContract({
    kind: "postgres",
    replaces: false,
    oneNamespace: true,
    async create(settings = {}) {
      const name = `t${tables++}`;
      await server.run(`CREATE TABLE ${name} (at timestamptz, measurement text)`);
      const where = { table: name, measurement_column: "measurement", writable: true };
      const bucket = open(server, { ...where, ...settings });
      return {
        bucket,
        async seed(points, measurement) {
          await addColumns(name, points);
          await bucket.write!(points, measurement ? { measurement } : {}, idle());
        },
        dispose: () => bucket.close(),
      };
    },
  });

  async function use<T>(bucket: Bucket, work: (bucket: Bucket) => Promise<T>): Promise<T> {
    try {
      return await work(bucket);
    } finally {
      bucket.close();
    }
  }

  const read = (settings: Partial<PostgresSettings>, feature: Partial<FeatureQuery> = {}, minutes = 3) =>
    use(open(server, settings), (bucket) => readColumn(bucket, feature, minutes));

  const instant = (atMs: number) => `'${new Date(T0 + atMs).toISOString()}'`;

  test("a column of `series_by` that is not there is an error, and only where it is asked for", async () => {
    await server.run(`CREATE TABLE ${table} (at timestamptz, v float8)`);
    await server.run(`INSERT INTO ${table} VALUES (${instant(0)}, 1)`);
    const reading = read({ table, series_by: ["nope"] }, { metric: "rate" });
    await expect(reading).rejects.toMatchObject({ code: "invalid" });
    expectColumn(await read({ table, series_by: ["nope"] }, { metric: "last" }), [1, NONE, NONE]);
  });

  describe("the time column may be", () => {
    test.each([
      ["timestamptz", "timestamptz", (ms: number) => `'${new Date(ms).toISOString()}'`, {}],
      ["timestamp, in UTC", "timestamp", (ms: number) => `'${new Date(ms).toISOString().slice(0, -1)}'`, {}],
      ["int4 in s", "int4", (ms: number) => String(ms / 1000), {}],
      ["int8 in ms", "int8", String, { time_unit: "ms" }],
      ["int8 in us", "int8", (ms: number) => `${ms}000`, { time_unit: "us" }],
      ["int8 in ns", "int8", (ms: number) => `${ms}000000`, { time_unit: "ns" }],
      ["float8 in s", "float8", (ms: number) => String(ms / 1000), { time_unit: "s" }],
      ["numeric in s", "numeric", (ms: number) => String(ms / 1000), {}],
    ] as const)("%s", async (_, type, format, more) => {
      const times = [-1000, 0, 59_000, 60_000, 179_000, 180_000].map((ms) => format(T0 + ms));
      await server.run(`CREATE TABLE ${table} (at ${type} PRIMARY KEY, v int);
        INSERT INTO ${table} VALUES ${times.map((at, i) => `(${at}, ${2 ** i})`).join(", ")}`);
      for (const metric of ["sum", "mode"])
        expectColumn(await read({ table, ...more }, { metric }), metric === "sum" ? [6, 8, 16] : [2, 8, 16]);
      const { newestAt } = await use(open(server, { table, ...more }), (bucket) => bucket.probe!(idle()));
      expect(newestAt).toBe(T0 + 180_000);
    });

    test("a date", async () => {
      await server.run(`CREATE TABLE ${table} (at date, v int);
        INSERT INTO ${table} VALUES ('2023-11-14', 1), ('2023-11-15', 2)`);
      const range = { fromAt: Date.UTC(2023, 10, 14), toAt: Date.UTC(2023, 10, 16) };
      const features = [aFeature()];
      const grid = await use(open(server, { table }), (bucket) =>
        bucket.read({ range, intervalMs: 86_400_000, features }, idle()),
      );
      expectColumn(grid.columns.f!, [1, 2]);
    });

    test("nothing else", async () => {
      await server.run(`CREATE TABLE ${table} (at text, v int)`);
      for (const time_column of ["at", "missing"])
        await expect(read({ table, time_column })).rejects.toMatchObject({
          code: "invalid",
          details: { path: "time_column" },
        });
    });
  });

  test("microseconds do not cross the end of an interval", async () => {
    await server.run(`CREATE TABLE ${table} (at timestamptz, v int);
      INSERT INTO ${table} SELECT ${instant(60_000)}::timestamptz - interval '1 microsecond', 1`);
    expectColumn(await read({ table }), [1, NONE, NONE]);
    expectColumn(await read({ table }, { metric: "last" }), [1, NONE, NONE]);
  });

  test("numbers of every type, NaN and infinities left out", async () => {
    await server.run(`CREATE TABLE ${table} (at timestamptz, i2 int2, i8 int8, n numeric(20, 3), r real, d float8);
      INSERT INTO ${table} VALUES
        (${instant(0)}, 1, 9007199254740991, 1.125, 0.5, 2),
        (${instant(1)}, 2, 0, 'NaN', 'Infinity', 'NaN'),
        (${instant(2)}, NULL, NULL, NULL, '-Infinity', 4)`);
    const expected = { i2: [3, 2], i8: [9_007_199_254_740_991, 2], n: [1.125, 1], r: [0.5, 1], d: [6, 2] };
    for (const [field, [sum, count]] of Object.entries(expected)) {
      expectColumn(await read({ table }, { field }, 1), [sum!]);
      expectColumn(await read({ table }, { field, metric: "count" }, 1), [count!]);
    }
    for (const metric of ["max", "median", "last", "p90"])
      expectColumn(await read({ table }, { field: "d", metric }, 1), [metric === "median" ? 3 : 4]);
  });

  test("a query in place of a table, a schema, tags that are no texts", async () => {
    await server.run(`CREATE SCHEMA "odd schema"; CREATE TABLE "odd schema".${table} (at timestamptz, v int, host int);
      INSERT INTO "odd schema".${table} VALUES (${instant(0)}, 1, 7), (${instant(1)}, 2, 8)`);
    const tags = [{ tag: "host", value: "7" }];
    expectColumn(await read({ schema: "odd schema", table }, { tags }, 1), [1]);
    const query = `SELECT at, v * 10 AS v, host FROM "odd schema".${table} -- a comment ;`;
    for (const metric of ["sum", "last"]) {
      expectColumn(await read({ query }, { tags, metric }, 1), [10]);
      expectColumn(await read({ query: `${query}\n; ` }, { tags, metric }, 1), [10]);
    }
  });

  test("a measurement is described also where there are more than may be listed", async () => {
    await server.run(`CREATE TABLE ${table} (at timestamptz, "$&m" text, v int);
      INSERT INTO ${table} SELECT ${instant(0)}, 'm' || i, i FROM generate_series(10, 99) i`);
    const limits = { measurements: 5, names: 5, values: 5 };
    const options = { table, measurement_column: "$&m" };
    await use(open(server, options), async (bucket) => {
      expect(await bucket.explore!({ limits }, idle())).toMatchObject({ truncated: true });
      const [one, none] = [
        await bucket.explore!({ limits, measurement: "m99" }, idle()),
        await bucket.explore!({ limits, measurement: "m100" }, idle()),
      ];
      expect(one.measurements).toMatchObject([{ name: "m99", firstAt: T0, lastAt: T0 }]);
      expect(none.measurements).toEqual([]);
    });
  });

  test("a time column may have any name", async () => {
    await server.run(`CREATE TABLE ${table} ("at $& $1" timestamptz, v int);
      INSERT INTO ${table} VALUES (${instant(0)}, 1)`);
    const settings = { table, time_column: "at $& $1" };
    expectColumn(await read(settings), [1, NONE, NONE]);
    const { newestAt } = await use(open(server, settings), (bucket) => bucket.probe!(idle()));
    expect(newestAt).toBe(T0);
  });

  test("a year of minutes: in parts, and a million rows by a cursor", async () => {
    await server.run(`CREATE TABLE ${table} (at timestamptz PRIMARY KEY, v float8);
      INSERT INTO ${table} SELECT ${instant(0)}::timestamptz + i * interval '1 minute', i FROM generate_series(0, 525599) i`);
    const minutes = 525_600;
    for (const metric of ["avg", "last"]) {
      const column = await read({ table }, { metric }, minutes);
      expect(column.length).toBe(minutes);
      expect(column.every((value, i) => value === i)).toBe(true);
    }
  }, 180_000);

  test("nothing can be written but where it is allowed, whatever the query is", async () => {
    await server.run(`CREATE TABLE ${table} (at timestamptz, v int)`);
    expect(open(server, { table }).write).toBeUndefined();
    expect(open(server, { table }).clear).toBeUndefined();
    const query = `WITH gone AS (INSERT INTO ${table} VALUES (now(), 1) RETURNING at, v) SELECT * FROM gone`;
    await expect(read({ query })).rejects.toMatchObject({ code: "bucket_rejected" });
    const second = `SELECT at, v FROM ${table}) AS source; INSERT INTO ${table} VALUES (now(), 1); SELECT (1`;
    await expect(read({ query: second })).rejects.toMatchObject({ code: "bucket_rejected" });
    await expect(read({ query: `SELECT now() AS at, setval('nothing', 5) AS v` })).rejects.toMatchObject({
      code: "bucket_rejected",
    });
    const ending = `SELECT at, v FROM ${table}) AS source LIMIT 0; COMMIT; INSERT INTO ${table} VALUES (now(), 1); SELECT * FROM (SELECT at, v FROM ${table}`;
    await expect(read({ query: ending })).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining("multiple commands"),
    });
    await read({ query: `SELECT ${instant(0)}::timestamptz AS at, lo_create(0)::int8 AS v` }).catch(() => {});
    const objects = `SELECT ${instant(0)}::timestamptz AS at, count(*) AS v FROM pg_largeobject_metadata`;
    expectColumn(await read({ query: objects }, {}, 1), [0]);
    expectColumn(await read({ table }, { metric: "count" }, 3), [0, 0, 0]);
    expectColumn(
      await read({ query: `SELECT ${instant(0)}::timestamptz AS at, count(*) AS v FROM ${table}` }, {}, 1),
      [0],
    );
  });

  test("a write is all or nothing", async () => {
    await server.run(`CREATE TABLE ${table} (at timestamptz, v float8 CHECK (v < 100), host text)`);
    await use(open(server, { table, writable: true }), async (bucket) => {
      const point = (fields: Record<string, FieldValue>, tags = {}) => ({ at: T0, fields, tags });
      const many = Array.from({ length: 6000 }, (_, i) => point({ v: i === 5999 ? 100 : 1 }));
      await expect(bucket.write!(many, {}, idle())).rejects.toMatchObject({ code: "bucket_rejected" });
      for (const points of [
        [point({ v: 1 }), point({ unknown: 1 })],
        [point({ v: 1 }), point({ v: "no number" })],
      ])
        await expect(bucket.write!(points, {}, idle())).rejects.toMatchObject({ code: "bucket_rejected" });
      for (const points of [
        [point({ v: 1 }), point({ at: 1 })],
        [point({ v: 1 }), point({ host: 1 }, { host: "a" })],
        [point({ v: 1 }), point({ ["x".repeat(64)]: 1 })],
      ])
        await expect(bucket.write!(points, {}, idle())).rejects.toMatchObject({ code: "invalid" });
      await expect(bucket.write!([point({ v: 1 })], { measurement: "m" }, idle())).rejects.toMatchObject({
        code: "invalid",
      });
    });
    expectColumn(await read({ table }, { metric: "count" }, 1), [0]);
  });

  test("times are written in the unit of the column", async () => {
    for (const [time_unit, expected] of [
      ["s", T0 / 1000],
      ["ms", T0],
      ["ns", T0 * 1e6],
    ] as const) {
      const name = `${table}${time_unit}`;
      await server.run(`CREATE TABLE ${name} (at int8, v float8)`);
      const settings = { table: name, time_unit, writable: true };
      await use(open(server, settings), (bucket) =>
        bucket.write!([{ at: T0, fields: { v: 3 }, tags: {} }], {}, idle()),
      );
      expectColumn(await read(settings), [3, NONE, NONE]);
      const stored = await read({ query: `SELECT to_timestamp(${T0 / 1000}) AS at, at AS v FROM ${name}` });
      expect(stored[0]).toBe(expected);
    }
  });

  test.each([
    ["a wrong password", { password: `wrong-${marker}` }, "bucket_auth"],
    ["an unknown user", { user: `user-${marker}` }, "bucket_auth"],
    ["a missing database", { database: "nope" }, "bucket_rejected"],
    ["a missing table", { table: "nope" }, "bucket_rejected"],
    ["a broken query", { table: undefined, query: "SELEKT" }, "bucket_rejected"],
  ] as const)("%s: %j", async (_, more, code) => {
    await server.run(`CREATE TABLE ${table} (at timestamptz, v int)`);
    const { table: __, ...rest } = { table, ...more };
    const settings = "query" in more ? rest : { table, ...more };
    const error = await read(settings as Partial<PostgresSettings>).catch((thrown) => thrown);
    expect(error).toMatchObject({ code });
    const text = `${error.message} ${error.stack}`;
    for (const secret of [marker, owner.password]) expect(text).not.toContain(secret);
  });

  test("a user without rights gets an error that says so", async () => {
    await server.run(
      `CREATE TABLE ${table} (at timestamptz, v int); CREATE ROLE reader_${table} LOGIN PASSWORD 'pw-of-reader'`,
    );
    const user = { user: `reader_${table}`, password: "pw-of-reader" };
    await expect(read({ table, ...user })).rejects.toMatchObject({ code: "bucket_auth" });
    await server.run(`GRANT SELECT ON ${table} TO reader_${table}`);
    expectColumn(await read({ table, ...user }, { metric: "count" }), [0, 0, 0]);
  });

  test("a statement that takes too long is ended there too, and the next one works", async () => {
    await server.run(`CREATE TABLE ${table} (at timestamptz, v int)`);
    const query = `SELECT ${instant(0)}::timestamptz AS at, 1 AS v FROM pg_sleep(30)`;
    const startedAt = performance.now();
    await expect(read({ query, timeout: "0.3s" })).rejects.toMatchObject({
      code: "bucket_unavailable",
      message: expect.stringContaining("longer than timeout"),
    });
    expect(performance.now() - startedAt).toBeLessThan(3000);
    expectColumn(await read({ table }, { metric: "count" }), [0, 0, 0]);
  });

  test("an abort ends the statement there too, a connection is cut: the bucket goes on", async () => {
    await server.run(`CREATE TABLE ${table} (seconds float8); INSERT INTO ${table} VALUES (30)`);
    const query = `SELECT ${instant(0)}::timestamptz AS at, 1 AS v FROM pg_sleep((SELECT seconds FROM ${table}))`;
    const bucket = open(server, { query });
    const features = [aFeature()];
    const start = (signal = idle()) => bucket.read(aQuery(features, 1), signal);
    const sql = server.connect();
    const running = `FROM pg_stat_activity WHERE state = 'active' AND query LIKE '%FROM ${table}))%' AND pid <> pg_backend_pid()`;
    const count = async () => Number((await sql.unsafe(`SELECT count(*) ${running}`).values())[0][0]);
    const until = async (wanted: number) => {
      while ((await count()) !== wanted) await Bun.sleep(10);
    };
    const controller = new AbortController();
    const aborted = start(controller.signal);
    aborted.catch(() => {});
    await until(1);
    controller.abort();
    await expect(aborted).rejects.toMatchObject({ code: "canceled" });
    await until(0);
    const cut = start();
    cut.catch(() => {});
    await until(1);
    await sql.unsafe(`SELECT pg_terminate_backend(pid) ${running}`);
    await expect(cut).rejects.toMatchObject({ code: "bucket_unavailable" });
    await sql.unsafe(`UPDATE ${table} SET seconds = 0`);
    expectColumn((await start()).columns.f!, [1]);
    bucket.close();
    await sql.close({ timeout: 0 });
  });

  test("TLS: verified by the authority, refused without it, by name and by address", async () => {
    await server.run(`CREATE TABLE ${table} (at timestamptz, v int)`);
    const [, port] = server.addr.split(":");
    const secure = { table, use_ssl: true, verify_ssl: true };
    const ca_certs = certificate.certFile;
    const query =
      "SELECT now() AS at, CASE WHEN ssl THEN 1 ELSE 0 END AS v FROM pg_stat_ssl WHERE pid = pg_backend_pid()";
    for (const addr of [`127.0.0.1:${port}`, `localhost:${port}`]) {
      await use(open({ addr, database: "postgres" }, { ...secure, ca_certs }), (bucket) =>
        bucket.probe!(idle()),
      );
      await expect(
        use(open({ addr, database: "postgres" }, secure), (bucket) => bucket.probe!(idle())),
      ).rejects.toMatchObject({ code: "bucket_unavailable", message: expect.stringContaining("TLS failed") });
    }
    const now = Math.floor(Date.now() / MINUTE) * MINUTE;
    const range = { fromAt: now - MINUTE, toAt: now + 2 * MINUTE };
    const features = [aFeature({ metric: "max" })];
    for (const [use_ssl, expected] of [
      [true, 1],
      [false, 0],
    ] as const) {
      const grid = await use(open(server, { query, use_ssl }), (bucket) =>
        bucket.read({ range, intervalMs: MINUTE, features }, idle()),
      );
      expect(grid.columns.f!.filter((value) => !Number.isNaN(value))).toEqual(Float64Array.of(expected));
    }
  });

  test("a server without TLS is not spoken to in the open where TLS was asked for", async () => {
    const plain = await startPostgres();
    try {
      await expect(
        use(open(plain, { query: "SELECT now() AS at", use_ssl: true }), (bucket) => bucket.probe!(idle())),
      ).rejects.toMatchObject({ code: "bucket_unavailable" });
    } finally {
      await plain.stop();
    }
  }, 180_000);
});

test.each([
  [{}, "table"],
  [{ table: "t", query: "SELECT 1" }, "table"],
  [{ query: "SELECT 1", writable: true }, "writable"],
  [{ table: "t", addr: "http://h/x" }, "addr"],
  [{ table: "" }, "table"],
  [{ table: "t", time_unit: "min" }, "time_unit"],
])("settings that do not go together: %j", (more, path) => {
  const base = { name: "p", type: "postgres", addr: "h:5432", database: "d", time_column: "at" };
  expect(() => checkBucket({ ...base, ...more })).toThrow(path);
  expect(checkBucket({ ...base, table: "t" })).toMatchObject({ table: "t" });
});
