// Kind `opentsdb` on a stand-in of its API: the contract and its own rules.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Bucket } from "../../src/buckets/kind.ts";
import { opentsdb } from "../../src/buckets/opentsdb/index.ts";
import type { FeatureQuery } from "../../src/core/series/query.ts";
import { type OpentsdbStandIn, startOpentsdb } from "../support/opentsdb.ts";
import { NONE } from "./cases.ts";
import { runContract } from "./contract.ts";
import { marker, runFaults } from "./faults.ts";
import { expectColumn, featuresOf, idle, MINUTE, readColumn, T0 } from "./support.ts";
import { expectYear } from "./year.ts";

const open = (addr: string, more = {}) => opentsdb.open("b", { addr, ...more }, { dataDir: "" });

runContract({
  kind: "opentsdb",
  texts: false,
  ancient: false,
  allowsName: (name) => /^[\p{L}0-9_./-]+$/u.test(name),
  create: async () => {
    const server = startOpentsdb();
    const bucket = open(server.addr);
    return {
      bucket,
      seed: (points, measurement) => bucket.write!(points, measurement ? { measurement } : {}, idle()),
      dispose: () => server.stop(),
    };
  },
});

runFaults({
  kind: "opentsdb",
  open: (addr, timeout) => open(addr, { timeout, user: `user-${marker}`, password: marker }),
});

describe("opentsdb", () => {
  let server: OpentsdbStandIn;
  let bucket: Bucket;
  beforeEach(() => {
    server = startOpentsdb();
    bucket = open(server.addr);
  });
  afterEach(() => server.stop());

  const read = (feature: Partial<FeatureQuery>, minutes = 3) => readColumn(bucket, feature, minutes);

  test("series with gaps are combined as they are, nothing is made up between their points", async () => {
    const rows = [
      [0, 10, "a"],
      [120_000, 30, "a"],
      [60_000, 5, "b"],
      [61_000, 7, "b"],
    ] as const;
    await bucket.write!(
      rows.map(([at, v, host]) => ({ at: T0 + at, fields: { v }, tags: { host } })),
      {},
      idle(),
    );
    expectColumn(await read({ metric: "sum" }), [10, 12, 30]);
    expectColumn(await read({ metric: "avg" }), [10, 6, 30]);
    expectColumn(await read({ metric: "spread" }), [0, 2, 0]);
    expectColumn(await read({ metric: "count" }, 4), [1, 2, 1, 0]);
    expectColumn(await read({ metric: "min", tags: [{ tag: "host", value: "a" }] }), [10, NONE, 30]);
  });

  test("a year of minutes: in parts of 10 000 intervals, and raw points with bounded memory", async () => {
    await expectYear(bucket);
    expect(Math.max(...server.queries.slice(0, 53).map(({ start, end }) => end - start))).toBeLessThan(
      10_000 * MINUTE,
    );
  }, 180_000);

  test("every point carries the global tag; texts and times it cannot hold are refused", async () => {
    const marked = open(server.addr, { global_tag: "ours" });
    await marked.write!([{ at: T0, fields: { v: 1, w: 2 }, tags: { host: "a" } }], {}, idle());
    expect(server.points.map(({ metric, tags }) => [metric, tags])).toEqual([
      ["v", { host: "a", loudml: "ours" }],
      ["w", { host: "a", loudml: "ours" }],
    ]);
    for (const point of [
      { at: T0, fields: { v: "text" }, tags: {} },
      { at: 1000, fields: { v: 1 }, tags: {} },
      { at: T0, fields: { v: 1 }, tags: { host: "a|b" } },
    ])
      await expect(bucket.write!([point], {}, idle())).rejects.toMatchObject({ code: "invalid" });
    await expect(read({ tags: [{ tag: "host", value: "*" }] })).rejects.toMatchObject({ code: "invalid" });
  });

  test("cleared, points without the bucket's tag stay", async () => {
    const others = open(server.addr, { global_tag: "others" });
    const write = (into: Bucket, v: number) =>
      into.write!([{ at: T0, fields: { v }, tags: { host: "a" } }], {}, idle());
    await write(bucket, 1);
    await write(others, 10);
    await bucket.clear!(idle());
    expectColumn(await read({}, 1), [10]);
    await others.clear!(idle());
    expectColumn(await read({}, 1), [NONE]);
  });

  test("a server that allows no deletions says which setting does", async () => {
    const strict = startOpentsdb({ allowsDelete: false });
    try {
      const kept = open(strict.addr);
      await kept.clear!(idle());
      await kept.write!([{ at: T0, fields: { v: 1 }, tags: {} }], {}, idle());
      await expect(kept.clear!(idle())).rejects.toMatchObject({
        code: "bucket_rejected",
        message: expect.stringContaining("tsd.http.query.allow_delete"),
      });
    } finally {
      strict.stop();
    }
  });

  test("explored, metrics are measurements with fields; tags where the server keeps a table of series", async () => {
    for (const keepsMeta of [true, false]) {
      const one = startOpentsdb({ keepsMeta });
      try {
        const explored = open(one.addr);
        const points = [{ at: T0, fields: { load: 1, "user.time": 2 }, tags: { host: "a" } }];
        await explored.write!(points, { measurement: "cpu" }, idle());
        await explored.write!([{ at: T0, fields: { v: 1 }, tags: {} }], {}, idle());
        const limits = { measurements: 10, names: 10, values: 10 };
        const { measurements } = await explored.explore!({ limits }, idle());
        expect(measurements.map(({ name, fields }) => [name, fields.map((field) => field.name)])).toEqual([
          [null, ["v"]],
          ["cpu", ["load", "user.time"]],
        ]);
        expect(measurements[1]!.tags).toEqual(
          keepsMeta
            ? [
                { name: "host", values: ["a"] },
                { name: "loudml", values: ["loudml"] },
              ]
            : [],
        );
        const only = await explored.explore!({ limits, measurement: "cpu" }, idle());
        expect(only.measurements.map(({ name }) => name)).toEqual(["cpu"]);
      } finally {
        one.stop();
      }
    }
  });

  test("a range before the first instant it can hold asks for nothing, one that begins there for the rest", async () => {
    await bucket.write!([{ at: T0, fields: { v: 1 }, tags: {} }], {}, idle());
    const features = featuresOf(["sum", "last"]);
    const day = 86_400_000;
    const early = { range: { fromAt: 0, toAt: 10 * day }, intervalMs: day, features };
    for (const column of Object.values((await bucket.read(early, idle())).columns))
      expectColumn(column, new Array(10).fill(NONE));
    expect(server.queries).toEqual([]);
    const toAt = Math.ceil(T0 / day) * day;
    const all = { range: { fromAt: 0, toAt }, intervalMs: day, features };
    for (const column of Object.values((await bucket.read(all, idle())).columns))
      expect(column.at(-1)).toBe(1);
  });

  test("asked, it names its version", async () => {
    expect(await bucket.probe!(idle())).toEqual({ version: "OpenTSDB 2.4.1" });
  });
});
