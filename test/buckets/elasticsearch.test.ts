// Kind `elasticsearch` on a stand-in of its API: the contract and its own rules.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { elasticsearch } from "../../src/buckets/elasticsearch/index.ts";
import type { Bucket } from "../../src/buckets/kind.ts";
import type { FeatureQuery } from "../../src/core/series/query.ts";
import { type ElasticStandIn, startElastic } from "../support/elasticsearch.ts";
import { NONE } from "./cases.ts";
import { runContract } from "./contract.ts";
import { marker, runFaults } from "./faults.ts";
import { aFeature, aQuery, expectColumn, idle, MINUTE, readColumn, T0 } from "./support.ts";
import { expectYear } from "./year.ts";

const open = (addr: string, more = {}) =>
  elasticsearch.open("b", { addr, index: "points", ...more }, { dataDir: "" });

for (const totalAsNumber of [false, true]) {
  runContract({
    kind: `elasticsearch, hits.total ${totalAsNumber ? "a number" : "an object"}`,
    measurements: false,
    oneNamespace: true,
    ancient: false,
    allowsName: (name) => !name.includes("*"),
    allowsValue: () => true,
    create: async (settings) => {
      const server = startElastic({ totalAsNumber });
      const bucket = open(server.addr, settings);
      return {
        bucket,
        seed: (points) => bucket.write!(points, {}, idle()),
        dispose: () => server.stop(),
      };
    },
  });
}

runFaults({
  kind: "elasticsearch",
  open: (addr, timeout) => open(addr, { timeout, dbuser: `user-${marker}`, dbuser_password: marker }),
});

describe("elasticsearch", () => {
  let server: ElasticStandIn;
  let bucket: Bucket;
  beforeEach(() => {
    server = startElastic();
    bucket = open(server.addr);
  });
  afterEach(() => server.stop());

  test("a field of `series_by` that is not there is an error, and only where it is asked for", async () => {
    await bucket.write!([{ at: T0, fields: { v: 1 }, tags: {} }], {}, idle());
    const other = open(server.addr, { series_by: ["nope"] });
    const ask = async (metric: string) => {
      const features = [aFeature({ metric })];
      const query = aQuery(features, 1);
      return (await other.read(query, idle())).columns.f!;
    };
    await expect(ask("rate")).rejects.toMatchObject({ code: "invalid" });
    expectColumn(await ask("last"), [1]);
  });

  const write = (
    rows: readonly (readonly [
      atMs: number,
      fields: Record<string, number | string>,
      tags?: Record<string, string>,
    ])[],
    into = bucket,
  ) =>
    into.write!(
      rows.map(([atMs, fields, tags = {}]) => ({ at: T0 + atMs, fields, tags })),
      {},
      idle(),
    );

  const read = (feature: Partial<FeatureQuery>, minutes = 3, from = bucket) =>
    readColumn(from, feature, minutes);

  test("a year of minutes: in parts of at most 10 000 buckets, and raw points with bounded memory", () =>
    expectYear(bucket));

  test("more points than a page of documents holds, many at one instant", async () => {
    const rows = Array.from(
      { length: 25_000 },
      (_, i) => [Math.floor(i / 50) * 100, { v: i }, { s: `${i % 50}` }] as const,
    );
    await write(rows);
    expectColumn(await read({ metric: "median" }, 1), [12_499.5]);
    const same = Array.from({ length: 10_001 }, (_, i) => [0, { w: i }, { s: `${i}` }] as const);
    await write(same);
    await expect(read({ metric: "median", field: "w" }, 1)).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining("at one instant"),
    });
  });

  test.each([
    [{ timed_out: true }, /a part of the answer/],
    [
      {
        _shards: {
          total: 5,
          successful: 3,
          failed: 2,
          failures: [{ reason: { type: "x", reason: "shard is gone" } }],
        },
      },
      /2 of its shards failed: shard is gone/,
    ],
  ])("%j is an error and no data", async (flaw, message) => {
    await write([[0, { v: 1 }]]);
    server.flaw = flaw;
    for (const metric of ["sum", "mode"]) {
      await expect(read({ metric })).rejects.toMatchObject({
        code: "bucket_rejected",
        message: expect.stringMatching(message),
      });
    }
  });

  test("by group, feature queries are answered too", async () => {
    await write([
      [0, { v: 2 }, { host: "a", level: "error" }],
      [1000, { v: 7 }, { host: "a", level: "error" }],
      [2000, { v: 5 }, { host: "b", level: "error" }],
      [3000, { v: 4 }, { host: "c", level: "info" }],
    ]);
    const clause = { term: { level: { value: "error" } } };
    const features = [clause, { query: clause, agg: { max: { field: "v" } } }].map((query, i) =>
      aFeature({ name: `f${i}`, query: JSON.stringify(query) }),
    );
    const query = { ...aQuery(features, 2), groupBy: ["host"], maxSeries: 9 };
    const { series } = await bucket.readGrouped!(query, idle());
    expect(series.map(({ tags }) => tags.host)).toEqual(["a", "b"]);
    expectColumn(series[0]!.grid.columns.f0!, [2, 0]);
    expectColumn(series[0]!.grid.columns.f1!, [7, NONE]);
    expectColumn(series[1]!.grid.columns.f0!, [1, 0]);
  });

  test.each([
    [1, 0],
    [2, 1],
  ])("by group, page by page as far as %d of three groups", async (maxSeries, later) => {
    const [length, count] = [2500, 3];
    await write(
      Array.from({ length: length * count }, (_, i) => [
        Math.floor(i / count) * MINUTE,
        { v: i },
        { host: `h${i % count}` },
      ]),
    );
    const query = { ...aQuery([aFeature()], length), groupBy: ["host"], maxSeries };
    const { series, truncated } = await bucket.readGrouped!(query, idle());
    expect([truncated, series.length]).toEqual([true, maxSeries]);
    for (const [i, { tags, grid }] of series.entries()) {
      expect(tags).toEqual({ host: `h${i}` });
      const expected = Array.from({ length }, (_, slot) => slot * count + i);
      expectColumn(grid.columns.f!, expected);
    }
    expect(server.requests.filter(({ body }) => body.includes('"after"'))).toHaveLength(later);
  });

  test("by group, a tag of analyzed text without a keyword field is refused", async () => {
    // An index of others, without our templates of fields.
    const lines = [
      { update: { _index: "points", _id: "1" } },
      { doc: { v: 1, host: "a b", timestamp: T0 }, doc_as_upsert: true },
    ];
    const body = `${lines.map((line) => JSON.stringify(line)).join("\n")}\n`;
    await fetch(`http://${server.addr}/_bulk`, {
      method: "POST",
      body,
    });
    const query = { ...aQuery([aFeature()]), groupBy: ["host"], maxSeries: 9 };
    await expect(bucket.readGrouped!(query, idle())).rejects.toMatchObject({
      code: "invalid",
      message: expect.stringContaining("analyzed text"),
    });
  });

  test("a query of the feature's own: documents counted, or any aggregation of one value", async () => {
    await write([
      [0, { v: 1, level: "error" }],
      [1000, { v: 5, level: "info" }],
      [2000, { v: 7, level: "error" }],
      [60_000, { v: 9, level: "info" }],
    ]);
    const clause = { term: { level: "error" } };
    expectColumn(await read({ query: JSON.stringify(clause) }), [2, 0, 0]);
    const agg = (body: object) => JSON.stringify({ query: clause, agg: body });
    expectColumn(await read({ query: agg({ max: { field: "v" } }) }), [7, NONE, NONE]);
    expectColumn(await read({ query: JSON.stringify({ agg: { avg: { field: "v" } } }) }, 2), [13 / 3, 9]);
    await expect(read({ query: agg({ extended_stats: { field: "v" } }) })).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining("does not answer one value"),
    });
    for (const query of ["level:error", "[]", '{"query": 1}', '{"agg": {}, "size": 1}'])
      await expect(read({ query })).rejects.toMatchObject({ code: "invalid" });
  });

  test("an index with a star: written by the day of the point, created with its mapping, read as one", async () => {
    const days = open(server.addr, { index: "logs-*", number_of_shards: 2 });
    await write(
      [
        [0, { v: 1 }],
        [86_400_000, { v: 2 }],
      ],
      days,
    );
    expect(server.documents("logs-2023.11.14").length).toBe(1);
    expect(server.documents("logs-2023.11.15").length).toBe(1);
    expect(server.indices.get("logs-2023.11.14")).toMatchObject({
      settings: { number_of_shards: 2, number_of_replicas: 0 },
      mappings: { properties: { timestamp: { type: "date" } } },
    });
    expectColumn(
      (await read({}, 1441, days)).filter((value) => value > 0),
      [1, 2],
    );
    await expect(write([[0, { v: 1 }]], open(server.addr, { index: "a,b" }))).rejects.toMatchObject({
      code: "invalid",
    });
  });

  test("reading creates nothing, and no index is no data", async () => {
    expectColumn(await read({ metric: "count" }), [0, 0, 0]);
    expect(server.requests.map(({ method }) => method)).not.toContain("PUT");
  });

  test("a point that is refused is an error with the store's reason", async () => {
    await write([[0, { v: 1 }]]);
    await expect(
      write([
        [1, { v: 2 }],
        [2, { v: "text" }],
      ]),
    ).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining("did not take 1 of 2 points: failed to parse field [v]"),
    });
  });

  test("cleared in rounds, what others change meanwhile too; documents without a time and the index stay", async () => {
    await write([
      [0, { v: 1 }],
      [1000, { v: 2 }],
    ]);
    const strangers = server.indices.get("points")!;
    server.busy = 1;
    await bucket.clear!(idle());
    expect(server.documents("points")).toEqual([]);
    expect(server.indices.get("points")).toBe(strangers);
    const { body } = server.requests.find(({ path }) => path.endsWith("/_delete_by_query"))!;
    expect(JSON.parse(body)).toEqual({ query: { exists: { field: "timestamp" } } });
  });

  test("what stays because others change it all the time is an error, and no index is nothing to clear", async () => {
    await bucket.clear!(idle());
    await write([[0, { v: 1 }]]);
    server.busy = Number.POSITIVE_INFINITY;
    await expect(bucket.clear!(idle())).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringContaining("kept 1 documents"),
    });
  });

  test.each([
    [{ timed_out: true }, /deleted only a part/],
    [{ failures: [{ cause: { type: "x", reason: "index is read-only" } }] }, /index is read-only/],
  ])("a deletion with %j is an error", async (flaw, message) => {
    await write([[0, { v: 1 }]]);
    server.flaw = flaw;
    await expect(bucket.clear!(idle())).rejects.toMatchObject({
      code: "bucket_rejected",
      message: expect.stringMatching(message),
    });
  });

  test("a first value with a fraction leaves all digits of those that follow", async () => {
    await write([
      [0, { v: 0.1 }],
      [60_000, { v: 1_234_567.891 }],
    ]);
    expect([...(await read({}, 2))]).toEqual([0.1, 1_234_567.891]);
  });

  test("more names than fit into one address are asked for in parts", async () => {
    const names = Array.from({ length: 64 }, (_, i) => `${"ö".repeat(60)}${i}`);
    await write([[0, Object.fromEntries(names.map((name, i) => [name, i]))]]);
    const features = names.map((field, i) => ({ name: `f${i}`, metric: "sum", field, tags: [] }));
    const query = aQuery(features, 1);
    const { columns } = await bucket.read(query, idle());
    expect(Object.values(columns).map(([value]) => value)).toEqual(names.map((_, i) => i));
  });

  test.each([
    [{ v: 1 }, { v: "x" }],
    [{ timestamp: 1 }, {}],
    [{ v: 1 }, { ".x": "1" }],
  ])("field %j beside tag %j cannot be one document", async (fields, tags) => {
    await expect(write([[0, fields as never, tags as never]])).rejects.toMatchObject({ code: "invalid" });
    expect(server.requests).toEqual([]);
  });

  test.each([
    [{ dbuser: "u", dbuser_password: "p" }, "Basic dTpw"],
    [{ api_key: "id:key" }, "ApiKey aWQ6a2V5"],
    [{ api_key: "aWQ6a2V5" }, "ApiKey aWQ6a2V5"],
    [{}, null],
  ])("credentials %j", async (credentials, header) => {
    await read({}, 1, open(server.addr, credentials));
    expect(server.requests[0]!.authorization).toBe(header);
  });
});
