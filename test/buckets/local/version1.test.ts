// Kind `local`: files of format version 1 are read, and upgraded by the first write.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import type { Bucket } from "../../../src/buckets/kind.ts";
import { local } from "../../../src/buckets/local/index.ts";
import type { FieldValue, Point } from "../../../src/core/series/query.ts";
import { pathOf } from "../../../src/tsdb/file.ts";
import { aggregatePoints } from "../../support/aggregate-points.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { aQuery, featuresOf, idle, T0 } from "../support.ts";

// As version 1 made them.
const tables = `
CREATE TABLE series (
  id INTEGER PRIMARY KEY, measurement TEXT NOT NULL, tags TEXT NOT NULL, UNIQUE (measurement, tags)
);
CREATE TABLE tags (
  tag TEXT NOT NULL, value TEXT NOT NULL, series_id INTEGER NOT NULL, PRIMARY KEY (tag, value, series_id)
) WITHOUT ROWID;
CREATE TABLE fields (
  id INTEGER PRIMARY KEY, name TEXT NOT NULL, series_id INTEGER NOT NULL REFERENCES series,
  UNIQUE (name, series_id)
);
CREATE INDEX fields_series ON fields (series_id);
CREATE TABLE blocks (
  field_id INTEGER NOT NULL REFERENCES fields,
  start_at INTEGER NOT NULL, end_at INTEGER NOT NULL, data BLOB NOT NULL, others TEXT,
  PRIMARY KEY (field_id, start_at)
);
INSERT INTO series VALUES (1, '', '[]');
INSERT INTO fields VALUES (1, 'v', 1);
PRAGMA user_version = 1;
`;
const metrics = ["count", "sum", "last", "rate", "integral", "mode", "median", "p95"];

let dataDir: string;
let path: string;
let bucket: Bucket;
beforeEach(() => {
  dataDir = temporaryFolder();
  path = pathOf("old", dataDir);
  mkdirSync(dirname(path), { recursive: true });
  bucket = local.open("old", {}, { dataDir });
});
afterEach(() => bucket.close());

/** Blocks of version 1: up to 512 points, the values as float64, then uint32 milliseconds since the block's start. */
function makeFile(points: readonly Point[]): void {
  const db = new Database(path, { create: true });
  db.run("PRAGMA journal_mode = WAL");
  db.run(tables);
  const put = db.query("INSERT INTO blocks VALUES (1, ?1, ?2, ?3, ?4)");
  for (let first = 0; first < points.length; first += 512) {
    const block = points.slice(first, first + 512).map(({ at, fields }) => ({ at, value: fields.v! }));
    const startAt = block[0]!.at;
    const data = new DataView(new ArrayBuffer(block.length * 12));
    for (const [i, { at, value }] of block.entries()) {
      data.setFloat64(i * 8, typeof value === "number" ? value : Number.NaN, true);
      data.setUint32(block.length * 8 + i * 4, at - startAt, true);
    }
    const others = block.filter(({ value }) => typeof value !== "number").map(({ at, value }) => [at, value]);
    const text = others.length > 0 ? JSON.stringify(others) : null;
    put.run(startAt, block[block.length - 1]!.at, new Uint8Array(data.buffer), text);
  }
  db.close();
}

function makePoint(at: number, v: FieldValue): Point {
  return { at, fields: { v }, tags: {} };
}

/** Some evenly spaced, some not, one a text. */
function makePoints(): Point[] {
  return Array.from({ length: 1300 }, (_, i) => {
    const at = T0 + i * 500 + (i < 700 ? 0 : (i * 37) % 400);
    return makePoint(at, i === 900 ? "text" : ((i * 7919) % 101) / 8);
  });
}

async function expectPoints(points: readonly Point[]): Promise<void> {
  const features = featuresOf(metrics);
  const query = aQuery(features, 15);
  const actual = await bucket.read(query, idle());
  const expected = await aggregatePoints(query, points, idle());
  for (const metric of metrics)
    expect([metric, ...actual.columns[metric]!]).toEqual([metric, ...expected.columns[metric]!]);
}

test("reads files of version 1 without upgrading them", async () => {
  const points = makePoints();
  makeFile(points);
  await expectPoints(points);
  const db = new Database(path);
  expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: 1 });
  db.close();
});

test("points are added before, between and behind, and an older server then refuses the file", async () => {
  const points = makePoints();
  makeFile(points);
  const added = [100, 100_250, 400_001, 649_999, 700_000, 701_000].map((ms) => makePoint(T0 + ms, ms));
  await bucket.write!(added, {}, idle());
  await expectPoints([...points, ...added]);
  const db = new Database(path);
  expect(db.query("PRAGMA user_version").get()).toEqual({ user_version: 5 });
  db.close();
});
