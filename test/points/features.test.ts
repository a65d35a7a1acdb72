// Grouped reads of a model's features: several buckets, the limit, kinds that cannot, and the wrappers of buckets.
import { beforeEach, describe, expect, test } from "bun:test";
import type { Bucket } from "../../src/buckets/kind.ts";
import { local } from "../../src/buckets/local/index.ts";
import type { Feature } from "../../src/core/model/feature.ts";
import { BucketWatch } from "../../src/live/bucket-watch.ts";
import { CombinedReads } from "../../src/live/reads/index.ts";
import { readFeatureGroups } from "../../src/points/features.ts";
import { meterBucket } from "../../src/resources/buckets/metered-bucket.ts";
import { FakeClock } from "../jobs/fakes.ts";
import { temporaryFolder } from "../support/folder.ts";

const { signal } = new AbortController();
const feature = (name: string, own: Partial<Feature> = {}) =>
  ({ name, metric: "sum", field: "v", ...own }) as Feature;

let buckets: Map<string, Bucket>;
const open = async (name: string) => buckets.get(name)!;

async function fill(name: string, hosts: readonly string[]): Promise<void> {
  const bucket = local.open(name, {}, { dataDir: temporaryFolder() });
  buckets.set(name, bucket);
  const points = hosts.map((host, i) => ({ at: 0, fields: { v: i + 1 }, tags: { host } }));
  await bucket.write!(points, {}, signal);
}

beforeEach(async () => {
  buckets = new Map();
  await fill("one", ["c", "a"]);
  await fill("two", ["b", "a"]);
});

const read = (features: readonly Feature[], maxSeries = 9, from = open) =>
  readFeatureGroups(
    from,
    {
      ...{ features, bucket: "one", range: { fromAt: 0, toAt: 1000 }, intervalMs: 1000 },
      groupBy: ["host"],
      maxSeries,
    },
    signal,
  );

const both = [feature("x"), feature("y", { bucket: "two", metric: "count" })];

test("features of several buckets are joined by the values of the tags", async () => {
  const { series, truncated } = await read(both);
  const rows = series.map(({ tags, grid }) => [tags.host, grid.columns.x![0], grid.columns.y![0]]);
  expect([rows, truncated]).toEqual([
    [
      ["a", 2, 1],
      ["b", Number.NaN, 1],
      ["c", 1, 0],
    ],
    false,
  ]);
  expect(Object.keys(series[0]!.grid.columns)).toEqual(["x", "y"]);
});

test("the limit is that of all buckets together", async () => {
  const { series, truncated } = await read(both, 2);
  expect([series.map(({ tags }) => tags.host), truncated]).toEqual([["a", "b"], true]);
  expect((await read([both[0]!], 2)).truncated).toBe(false);
});

test("a bucket that cannot read by group is named", async () => {
  const { readGrouped: _, ...plain } = buckets.get("two")!;
  buckets.set("two", plain);
  await expect(read(both)).rejects.toMatchObject({
    code: "not_supported",
    message: expect.stringContaining("bucket two cannot read by group"),
  });
});

describe("buckets in wrappers", () => {
  const calls: string[] = [];
  const clock = new FakeClock();
  const sources = {
    onSuccess: (name: string) => void calls.push(`ok ${name}`),
    onFailure: (name: string) => void calls.push(`failed ${name}`),
  };
  const wrappers: Record<string, () => (name: string) => Promise<Bucket>> = {
    metered: () => async (name) =>
      meterBucket(await open(name), "local", ({ call, outcome }) => calls.push(`${call} ${outcome}`)),
    watched: () => new BucketWatch({ clock, onChange: () => {}, sources }).of("m", open),
    combined: () => {
      const reads = new CombinedReads({ openBucket: open, clock });
      return (name) => reads.open(name);
    },
  };
  beforeEach(() => void calls.splice(0));

  test.each([
    ["metered", ["read ok"]],
    ["watched", ["ok one"]],
    ["combined", []],
  ] as const)("%s: grouped reads pass through", async (name, expected) => {
    const { series } = await read([feature("x")], 9, wrappers[name]!());
    expect(series).toHaveLength(2);
    expect(calls).toEqual([...expected]);
    const { readGrouped: _, ...plain } = buckets.get("one")!;
    buckets.set("one", plain);
    await expect(read([feature("x")], 9, wrappers[name]!())).rejects.toMatchObject({ code: "not_supported" });
  });

  test("a grouped read that fails is a failure of its bucket", async () => {
    buckets.get("one")!.close();
    await expect(read([feature("x")], 9, wrappers.watched!())).rejects.toMatchObject({
      code: "bucket_unavailable",
    });
    expect(calls).toEqual(["failed one"]);
  });
});
