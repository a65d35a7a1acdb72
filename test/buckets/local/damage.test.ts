// Damage of the files of local buckets: blocks that have changed, files that are gone; each way out.
import { Database } from "bun:sqlite";
import { beforeEach, expect, test } from "bun:test";
import { rmSync, truncateSync } from "node:fs";
import { checkBuckets } from "../../../src/app/check-buckets.ts";
import type { PointHistory } from "../../../src/buckets/kind.ts";
import { local } from "../../../src/buckets/local/index.ts";
import { describeDamage } from "../../../src/buckets/stored/index.ts";
import { checkFile, listDamage, pathOf } from "../../../src/tsdb/index.ts";
import { temporaryFolder } from "../../support/folder.ts";
import { aFeature, aQuery, idle, MINUTE, T0 } from "../support.ts";

let dataDir: string;
let path: string;
beforeEach(() => {
  dataDir = temporaryFolder();
  path = pathOf("b", dataDir);
});

const open = (history?: PointHistory) => local.open("b", {}, { dataDir, ...(history && { history }) });
const points = (count: number) =>
  Array.from({ length: count }, (_, i) => ({ at: T0 + i * MINUTE, tags: {}, fields: { v: i } }));
const sum = aQuery([aFeature({ metric: "sum" })], 3);

/** Flips a bit in the values of the first block. */
function flip(): void {
  const db = new Database(path, { readwrite: true });
  const row = db.query<{ data: Uint8Array }, []>("SELECT data FROM blocks ORDER BY start_at").get()!;
  row.data[21]! ^= 4;
  db.query("UPDATE blocks SET data = ?1 WHERE start_at = (SELECT min(start_at) FROM blocks)").run(row.data);
  db.close();
}

test("a flipped bit is an error of reads and merges, never another number; readiness and the check name it", async () => {
  let bucket = open();
  await bucket.write!(points(1200), {}, idle());
  expect(checkFile(path)).toEqual({ blocks: 0, unchecked: 0, pending: 1200, damage: [] });
  bucket.close();
  expect(checkFile(path)).toEqual({ blocks: 3, unchecked: 0, pending: 0, damage: [] });
  flip();
  bucket = open();
  const damaged = {
    code: "bucket_damaged",
    message: expect.stringMatching(/^bucket b: a block .* from 2\d{3}-.*clear-bucket b$/),
  };
  expect(await bucket.read(sum, idle()).catch((error) => error)).toMatchObject(damaged);
  // The point is in the journal; what becomes of it is known once it is merged.
  await bucket.write!(points(1), {}, idle());
  expect(await bucket.probe!(idle()).catch((error) => error)).toMatchObject(damaged);
  expect(await bucket.write!(points(1), {}, idle()).catch((error) => error)).toMatchObject(damaged);
  expect(listDamage(dataDir).map(describeDamage)).toEqual([expect.stringContaining("bucket b: a block")]);
  expect(checkBuckets(dataDir)).toMatchObject([
    { blocks: 3, damage: [expect.stringMatching(/a block of points is damaged/)] },
  ]);
  // Other blocks are fine.
  const later = { ...sum, range: { fromAt: T0 + 700 * MINUTE, toAt: T0 + 702 * MINUTE } };
  expect([...(await bucket.read(later, idle())).columns.f!]).toEqual([700, 701]);
  await bucket.clear!(idle());
  expect(listDamage(dataDir)).toEqual([]);
  bucket.close();
});

test("blocks without a checksum are read, and get one when they are written again", async () => {
  let bucket = open();
  await bucket.write!(points(600), {}, idle());
  bucket.close();
  const db = new Database(path, { readwrite: true });
  db.run("ALTER TABLE blocks DROP COLUMN crc");
  db.run("DROP TABLE metadata");
  db.run("DROP TABLE head");
  db.run("PRAGMA user_version = 2");
  db.close();
  bucket = open();
  expect([...(await bucket.read(sum, idle())).columns.f!]).toEqual([0, 1, 2]);
  expect(checkFile(path)).toEqual({ blocks: 2, unchecked: 2, pending: 0, damage: [] });
  await bucket.write!(points(1), {}, idle());
  expect([...(await bucket.read(sum, idle())).columns.f!]).toEqual([0, 1, 2]);
  bucket.close();
  expect(checkFile(path)).toEqual({ blocks: 2, unchecked: 1, pending: 0, damage: [] });
});

test.each([
  ["gone", () => rmSync(path)],
  ["empty", () => truncateSync(path)],
])("a file that is %s is no new bucket: nothing is read or written until it is back, or cleared", async (_, lose) => {
  const kept: boolean[] = [];
  const history = () => ({ hasPoints: kept.length > 0, keep: async () => void kept.push(true) });
  let bucket = open(history());
  await bucket.read(sum, idle());
  expect(kept).toEqual([]);
  await bucket.write!(points(3), {}, idle());
  await bucket.write!(points(3), {}, idle());
  expect(kept).toEqual([true]);
  bucket.close();
  for (const suffix of ["-wal", "-shm"]) rmSync(path + suffix, { force: true });
  lose();
  bucket = open(history());
  const gone = {
    code: "bucket_damaged",
    message: expect.stringMatching(/^bucket b: the file of its points is gone or empty; restore/),
  };
  expect(await bucket.read(sum, idle()).catch((error) => error)).toMatchObject(gone);
  expect(await bucket.write!(points(3), {}, idle()).catch((error) => error)).toMatchObject(gone);
  expect(listDamage(dataDir)).toHaveLength(1);
  await bucket.clear!(idle());
  expect(listDamage(dataDir)).toEqual([]);
  await bucket.write!(points(3), {}, idle());
  expect([...(await bucket.read(sum, idle())).columns.f!]).toEqual([0, 1, 2]);
  bucket.close();
});

test("a write of no points makes no bucket one whose file is gone", async () => {
  const kept: boolean[] = [];
  const bucket = open({ hasPoints: false, keep: async () => void kept.push(true) });
  await bucket.write!([], {}, idle());
  expect([...(await bucket.read(sum, idle())).columns.f!]).toEqual([NaN, NaN, NaN]);
  expect(kept).toEqual([]);
  await bucket.write!(points(3), {}, idle());
  expect([...(await bucket.read(sum, idle())).columns.f!]).toEqual([0, 1, 2]);
  expect(kept).toEqual([true]);
  bucket.close();
});
