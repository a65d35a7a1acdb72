// Kind `opentsdb` against a stand-in of its API: the contract, and what only it has to get right.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { Bucket, FeatureQuery } from "../../src/buckets/kind.ts";
import { opentsdb } from "../../src/buckets/opentsdb/index.ts";
import { type OpentsdbStandIn, startOpentsdb } from "../support/opentsdb.ts";
import { NONE } from "./cases.ts";
import { runContract } from "./contract.ts";
import { marker, runMoods } from "./moods.ts";
import { expectColumn, idle, MINUTE, T0 } from "./support.ts";
import { expectYear } from "./year.ts";

const open = (addr: string, more = {}) => opentsdb.open("b", { addr, ...more }, { dataDir: "" });

runContract({
  kind: "opentsdb",
  supportsMetric: opentsdb.supportsMetric,
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

runMoods({
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

  async function read(feature: Partial<FeatureQuery>, minutes = 3) {
    const features = [{ name: "f", metric: "sum", field: "v", tags: [], ...feature }];
    const range = { fromAt: T0, toAt: T0 + minutes * MINUTE };
    return (await bucket.read({ range, intervalMs: MINUTE, features }, idle())).columns.f!;
  }

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
    await expectYear(bucket, T0, (metric, minutes) => read({ metric }, minutes));
    expect(Math.max(...server.queries.slice(0, 53).map(({ start, end }) => end - start))).toBeLessThan(
      10_000 * MINUTE,
    );
  });

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

  test("asked, it names its version", async () => {
    expect(await bucket.probe!(idle())).toEqual({ version: "OpenTSDB 2.4.1" });
  });
});
