// Bucket files: durability of commits, rollback on errors, file modes.
import type { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { openReader, openWriter, runTransaction } from "../../src/tsdb/file.ts";
import { temporaryFolder } from "../support/folder.ts";

let dir: string;
let path: string;
const open: Database[] = [];
const writer = () => {
  const db = openWriter(path);
  open.push(db);
  return db;
};
beforeEach(() => {
  dir = temporaryFolder();
  path = join(dir, "buckets", "a.db");
});
afterEach(() => {
  for (const db of open.splice(0)) db.close();
});

const countSeries = (db: Database) =>
  db.query<{ n: number }, []>("SELECT count(*) AS n FROM series").get()!.n;
const addSeries = (db: Database, name: string) =>
  db.query("INSERT INTO series (measurement, tags) VALUES (?, '')").run(name);

test("promise 1: every commit waits for the disk", () => {
  const pragma = (name: string) => Object.values(writer().query(`PRAGMA ${name}`).get() as object)[0];
  expect([pragma("journal_mode"), pragma("synchronous")]).toEqual(["wal", 2]);
});

test("promise 3: an error after a statement undoes it, and the next transaction works", () => {
  const db = writer();
  const failing = () =>
    runTransaction(db, () => {
      addSeries(db, "half");
      throw new Error("in the middle");
    });
  expect(failing).toThrow("in the middle");
  expect([db.inTransaction, countSeries(db)]).toEqual([false, 0]);
  runTransaction(db, () => addSeries(db, "whole"));
  expect(countSeries(db)).toBe(1);
});

test("its files are for the owner alone, those of an older version too", () => {
  const modes = () =>
    readdirSync(join(dir, "buckets")).map((name) => statSync(join(dir, "buckets", name)).mode & 0o777);
  addSeries(writer(), "x");
  expect(modes()).toEqual([0o600, 0o600, 0o600]);
  for (const suffix of ["", "-wal", "-shm"]) chmodSync(path + suffix, 0o644);
  writer();
  expect(modes()).toEqual([0o600, 0o600, 0o600]);
});

test("a small file with damage inside a page is refused at its first opening", () => {
  const db = openWriter(path);
  for (let i = 0; i < 2000; i++) addSeries(db, `series ${i}`);
  db.run("PRAGMA wal_checkpoint(TRUNCATE)");
  db.close();
  const bytes = readFileSync(path);
  for (let at = 4096 * 4; at < bytes.length; at += 4096) bytes.fill(0xff, at, at + 64);
  // Another path: this one was found sound in this process.
  path = join(dir, "buckets", "b.db");
  writeFileSync(path, bytes);
  expect(() => openReader(path)).toThrow("the bucket's file is damaged; restore it, or delete the bucket");
  expect(() => openWriter(path)).toThrow("the bucket's file is damaged; restore it, or delete the bucket");
});
