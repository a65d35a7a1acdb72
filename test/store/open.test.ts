// Promises 1, 2 and 5: what opening a data directory does and refuses.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureMeta } from "../../src/store/meta.ts";
import { migrations, newestStamp } from "../../src/store/migrations.ts";
import { openStore } from "../../src/store/open.ts";
import { makeDir } from "./temporary.ts";

let dir: string;
let remove: () => void;
beforeEach(() => {
  ({ dir, remove } = makeDir());
});
afterEach(() => remove());

const later = (sql: string[]) => [
  ...migrations,
  { sql, bps: true, folderMillis: newestStamp + 1, hash: "test" },
];

test("makes the directory for the owner alone and sets every pragma", () => {
  const inner = join(dir, "a", "b");
  const store = openStore({ dir: inner });
  const pragma = (name: string) => Object.values(store.sqlite.query(`PRAGMA ${name}`).get() as object)[0];
  expect(statSync(inner).mode & 0o777).toBe(0o700);
  expect(pragma("journal_mode")).toBe("wal");
  expect(pragma("synchronous")).toBe(2);
  expect(pragma("foreign_keys")).toBe(1);
  expect(pragma("busy_timeout")).toBe(5000);
  expect(pragma("locking_mode")).toBe("exclusive");
  store.close();
});

test("promise 2: a second opener fails at once, names the directory and disturbs nothing", async () => {
  const store = openStore({ dir });
  expect(() => openStore({ dir })).toThrow(`the data directory ${dir} is in use by another server`);
  expect(await ensureMeta(store, "host_id", () => "me")).toBe("me");
  store.close();
  const again = openStore({ dir });
  expect(await ensureMeta(again, "host_id", () => "other")).toBe("me");
  again.close();
});

test("closing twice is fine and leaves one file", () => {
  const store = openStore({ dir });
  store.close();
  store.close();
  expect(readdirSync(dir)).toEqual(["torus.db"]);
});

test("promise 5: a database from a newer version is refused and not touched", () => {
  openStore({ dir, migrations: later(["create table future (x text)"]) }).close();
  expect(() => openStore({ dir })).toThrow("written by a newer version");
  const raw = new Database(join(dir, "torus.db"));
  expect(raw.query("select count(*) as n from future").get()).toEqual({ n: 0 });
  raw.close();
});

test("promise 5: an upgrade keeps a copy of the database as it was", async () => {
  const before = openStore({ dir });
  await ensureMeta(before, "host_id", () => "me");
  before.close();
  const copyFile = join(dir, `torus.db.before-${newestStamp}`);
  writeFileSync(`${copyFile}.part`, "left over by a crash");
  openStore({ dir, migrations: later(["alter table meta add column extra text"]) }).close();
  expect(existsSync(`${copyFile}.part`)).toBe(false);
  const copy = new Database(copyFile);
  expect(copy.query("select * from meta").all()).toEqual([{ key: "host_id", value: "me" }]);
  copy.close();
});

test("promise 5: a migration that fails in the middle changes nothing", () => {
  openStore({ dir }).close();
  const broken = later(["alter table meta add column extra text", "create table meta (x)"]);
  expect(() => openStore({ dir, migrations: broken })).toThrow();
  const store = openStore({ dir });
  expect(store.sqlite.query("select * from pragma_table_info('meta') where name = 'extra'").all()).toEqual(
    [],
  );
  store.close();
});

test("promise 5: a damaged file is reported with the steps and left alone", () => {
  const file = join(dir, "torus.db");
  writeFileSync(file, Buffer.alloc(8192, "not a database"));
  expect(() => openStore({ dir })).toThrow(/is damaged .*put a backup in their place/);
  expect(statSync(file).size).toBe(8192);
});

test("promise 5: flipped bytes inside a page are found", async () => {
  const store = openStore({ dir });
  for (let i = 0; i < 200; i++) await ensureMeta(store, `key-${i}`, () => "x".repeat(500));
  store.close();
  const file = join(dir, "torus.db");
  const bytes = new Uint8Array(await Bun.file(file).arrayBuffer());
  for (let at = 4096 * 12; at < bytes.length; at += 4096) bytes.fill(0xff, at, at + 64);
  writeFileSync(file, bytes);
  expect(() => openStore({ dir })).toThrow("is damaged");
});

test("a directory that cannot be made says which", () => {
  writeFileSync(join(dir, "file"), "");
  expect(() => openStore({ dir: join(dir, "file", "x") })).toThrow("cannot make the data directory");
});
