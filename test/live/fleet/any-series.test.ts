// Points of a fleet whichever series they are of: a query that answers by series is read by group.
import { expect, test } from "bun:test";
import type { Bucket } from "../../../src/buckets/kind.ts";
import type { Feature } from "../../../src/core/model/feature.ts";
import type { GroupedQuery } from "../../../src/core/series/query.ts";
import { readAnySeries } from "../../../src/live/fleet/any-series.ts";
import { aModel } from "../../support/builders.ts";

const none = Number.NaN;
const { signal } = new AbortController();
const plain: Feature = { name: "n", metric: "count", field: "v" };
const query: Feature = { name: "q", query: "max by (host) (v[{interval}])" };

/** Two hosts, three intervals; the reads so far. */
function hosts() {
  const reads: string[] = [];
  const gridOf = (q: number[], n: number[]) => {
    const columns = { q: Float64Array.from(q), n: Float64Array.from(n) };
    return { startAt: 0, intervalMs: 1000, length: 3, columns };
  };
  const bucket = {
    read: async () => {
      reads.push("whole");
      return gridOf([1, 1, 1], [1, 1, 1]);
    },
    readGrouped: async ({ groupBy, maxSeries }: GroupedQuery) => {
      reads.push(`by ${groupBy} ${maxSeries}`);
      const a = { tags: { host: "a" }, grid: gridOf([none, 2, 7], [0, 4, 1]) };
      const b = { tags: { host: "b" }, grid: gridOf([none, 5, none], [0, 0, 2]) };
      return { series: [a, b], truncated: false };
    },
  } as unknown as Bucket;
  const read = (over: object) => {
    const settings = aModel({ default_bucket: "b", group_by: ["host"], max_series: 9, ...over });
    const range = { fromAt: 0, toAt: 3000 };
    return readAnySeries(async () => bucket, { settings, range, intervalMs: 1000 }, signal);
  };
  return { reads, read };
}

test("an interval of a fleet with a query holds the highest value of any series", async () => {
  const { reads, read } = hosts();
  const { columns } = await read({ features: [query, plain] });
  expect([...columns.q!]).toEqual([none, 5, 7]);
  expect([...columns.n!]).toEqual([0, 4, 2]);
  expect(reads).toEqual(["by host 9"]);
});

test("without a query, or of one series, the points are one read", async () => {
  const { reads, read } = hosts();
  await read({ features: [plain] });
  await read({ features: [query], group_by: undefined });
  expect(reads).toEqual(["whole", "whole"]);
});
