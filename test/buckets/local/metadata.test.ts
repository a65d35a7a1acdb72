// Metadata of metrics in a local bucket: kept over restarts, up to a cap, in files of older versions once they are written to.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { local } from "../../../src/buckets/local/index.ts";
import { MetadataSet, type MetricMetadata, metadataCaps } from "../../../src/core/series/metric-metadata.ts";
import { pathOf } from "../../../src/tsdb/file.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { idle, T0 } from "../support.ts";

const aMetric = (name: string, own: Partial<MetricMetadata> = {}): MetricMetadata => ({
  ...{ name, type: "gauge", help: "", unit: "" },
  ...own,
});
const dataDir = temporaryFolder();
const open = (name: string) => local.open(name, {}, { dataDir });

test("the last of each metric is there after a restart, and nothing after a clear", async () => {
  let bucket = open("kept");
  expect(await bucket.listMetadata!(idle())).toEqual([]);
  await bucket.describeMetrics!([aMetric("b"), aMetric("a", { help: "then" })], idle());
  await bucket.describeMetrics!([aMetric("a", { help: "now", unit: "s" })], idle());
  bucket.close();
  bucket = open("kept");
  const kept = [aMetric("a", { help: "now", unit: "s" }), aMetric("b")];
  expect(await bucket.listMetadata!(idle())).toEqual(kept);
  await bucket.clear!(idle());
  expect(await bucket.listMetadata!(idle())).toEqual([]);
  await bucket.describeMetrics!([aMetric("b")], idle());
  expect(await bucket.listMetadata!(idle())).toEqual([aMetric("b")]);
  bucket.close();
});

test("beyond the cap no further metrics are kept, and known ones still change", async () => {
  const bucket = open("full");
  const metrics = Array.from({ length: metadataCaps.metrics }, (_, i) => aMetric(`m${i}`));
  await bucket.describeMetrics!(metrics, idle());
  await bucket.describeMetrics!([aMetric("further"), aMetric("m7", { unit: "s" })], idle());
  const kept = await bucket.listMetadata!(idle());
  expect(kept).toHaveLength(metadataCaps.metrics);
  expect(kept.find(({ name }) => name === "m7")).toEqual(aMetric("m7", { unit: "s" }));
  bucket.close();
});

test("a file of version 3 has none until it is written to", async () => {
  let bucket = open("old");
  await bucket.write!([{ at: T0, fields: { v: 1 }, tags: {} }], {}, idle());
  bucket.close();
  const db = new Database(pathOf("old", dataDir));
  db.run("DROP TABLE metadata");
  db.run("DROP TABLE head");
  db.run("PRAGMA user_version = 3");
  db.close();
  bucket = open("old");
  expect(await bucket.listMetadata!(idle())).toEqual([]);
  await bucket.describeMetrics!([aMetric("a")], idle());
  expect(await bucket.listMetadata!(idle())).toEqual([aMetric("a")]);
  bucket.close();
});

test("of one push names that cannot be, and what says nothing, are left out; long texts are cut", () => {
  const set = new MetadataSet();
  for (const name of ["", "time", "x".repeat(257)]) set.add(aMetric(name));
  set.add(aMetric("silent", { type: "unknown" }));
  set.add(aMetric("long", { help: "h".repeat(5000), unit: "u".repeat(5000) }));
  const [only, ...others] = set.list();
  expect(others).toEqual([]);
  expect([only!.help.length, only!.unit.length]).toEqual([metadataCaps.helpCharacters, 256]);
});
