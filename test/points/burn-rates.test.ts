// Burn rates as columns of a read: of one series, and of each series of a fleet.
import { beforeEach, expect, test } from "bun:test";
import type { Bucket } from "../../src/buckets/kind.ts";
import { local } from "../../src/buckets/local/index.ts";
import type { Feature } from "../../src/core/model/feature.ts";
import { readFeatureGroups, readFeatures } from "../../src/points/features.ts";
import { temporaryFolder } from "../support/folder.ts";

const { signal } = new AbortController();
const features: Feature[] = [
  { name: "burn", budget: { total: "requests", bad: "errors", objective: "90%" } },
  { name: "requests", metric: "sum", field: "requests" },
  { name: "errors", metric: "sum", field: "errors", default: 0 },
];
const range = { fromAt: 0, toAt: 3000 };
const read = { features, bucket: "web", range, intervalMs: 1000 };

let bucket: Bucket;
const open = async () => bucket;

beforeEach(async () => {
  bucket = local.open("web", {}, { dataDir: temporaryFolder() });
  const points = [
    { at: 0, fields: { requests: 100, errors: 20 }, tags: { host: "a" } },
    { at: 0, fields: { requests: 100 }, tags: { host: "b" } },
    { at: 1000, fields: { requests: 0 }, tags: { host: "a" } },
  ];
  await bucket.write!(points, {}, signal);
});

const rounded = (column: Float64Array) => [...column].map((value) => Number(value.toFixed(9)));

test("a burn rate is a column beside the others, absent without requests", async () => {
  const { columns } = await readFeatures(open, read, signal);
  expect(Object.keys(columns)).toEqual(["burn", "requests", "errors"]);
  expect(rounded(columns.burn!)).toEqual([1, Number.NaN, Number.NaN]);
});

test("series of a fleet have their own", async () => {
  const { series } = await readFeatureGroups(open, { ...read, groupBy: ["host"], maxSeries: 9 }, signal);
  expect(series.map(({ tags, grid }) => [tags.host, rounded(grid.columns.burn!)[0]])).toEqual([
    ["a", 2],
    ["b", 0],
  ]);
  const one = await readFeatures(open, { ...read, series: { host: "a" } }, signal);
  expect(rounded(one.columns.burn!)[0]).toBe(2);
});
