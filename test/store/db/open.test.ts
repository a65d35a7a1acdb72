// Promises 1, 2 and 5: opening a data directory, and the reasons to refuse it.
import { Database } from "bun:sqlite";
import { afterEach, beforeEach, expect, test } from "bun:test";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureMeta } from "../../../src/store/db/meta.ts";
import { migrations, newestStamp } from "../../../src/store/db/migrations.ts";
import { openStore } from "../../../src/store/db/open.ts";
import { putHook } from "../../../src/store/hooks.ts";
import { createModel } from "../../../src/store/models.ts";
import { aModel } from "../../support/builders.ts";
import { makeDir } from "../temporary.ts";

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

test("its files are for the owner alone, those of an older version too", async () => {
  const modes = () =>
    readdirSync(dir).map((name) => [name, (statSync(join(dir, name)).mode & 0o777).toString(8)]);
  const store = openStore({ dir });
  await ensureMeta(store, "host_id", () => "me");
  const expected = [
    ["torus.db", "600"],
    ["torus.db-wal", "600"],
  ];
  expect(modes().sort()).toEqual(expected);
  store.close();
  chmodSync(join(dir, "torus.db"), 0o644);
  const again = openStore({ dir, migrations: later(["create table t (x text)"]) });
  await ensureMeta(again, "other", () => "me");
  expect(modes().sort()).toEqual([...expected, [`torus.db.before-${newestStamp}`, "600"]]);
  again.close();
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

test("a database that a newer version has added to is used as it is, also by that version again", async () => {
  const added = later(["alter table meta add column extra text"]);
  openStore({ dir, migrations: added }).close();
  const old = openStore({ dir });
  expect(await ensureMeta(old, "host_id", () => "me")).toBe("me");
  old.close();
  const again = openStore({ dir, migrations: added });
  expect(again.sqlite.query("select * from meta").all()).toEqual([
    { key: "host_id", value: "me", extra: null },
  ]);
  again.close();
});

test("promise 5: a database that this version is too old for is refused and not touched", () => {
  const contracting = [
    "create table future (x text)",
    "insert into meta values ('oldest_version', '99.1.0')",
  ];
  openStore({ dir, migrations: later(contracting) }).close();
  expect(() => openStore({ dir })).toThrow(
    /cannot use it: start version 99\.1\.0 or newer, or restore a copy$/,
  );
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

test.each([
  ["a log", () => writeFileSync(join(dir, "torus.db-wal"), "x".repeat(5000)), "torus.db-wal"],
  ["a key", () => writeFileSync(join(dir, "torus.key"), "x".repeat(44)), "torus.key"],
  [
    "files of buckets",
    () => {
      mkdirSync(join(dir, "buckets"));
      writeFileSync(join(dir, "buckets", "a.db"), "x");
    },
    "buckets/",
  ],
])("promise 5: %s without a database is refused with the steps and left alone", (_, leave, name) => {
  leave();
  const message = `holds ${name}, but torus.db is missing or empty: put torus.db and buckets/ of a backup in place`;
  expect(() => openStore({ dir })).toThrow(message);
  expect(existsSync(join(dir, "torus.db"))).toBe(false);
  writeFileSync(join(dir, "torus.db"), "");
  expect(() => openStore({ dir })).toThrow(message);
  expect(statSync(join(dir, "torus.db")).size).toBe(0);
  expect(existsSync(join(dir, name))).toBe(true);
});

test("promise 5: an empty main file alone is a start that was cut short: it begins anew", () => {
  writeFileSync(join(dir, "torus.db"), "");
  openStore({ dir }).close();
});

test("promise 5: random bytes within a JSON text are found, the rows are named", async () => {
  const store = openStore({ dir });
  for (const name of ["cpu", "disk"])
    await createModel(store, { name, settings: aModel({ interval: "x".repeat(300) }) }, 1);
  await putHook(
    store,
    { model: "disk", name: "ops" },
    { at: 1, change: () => ({ kind: "mail", config: {} }) },
  );
  const damage = store.sqlite.query("update models set settings = cast(? as text) where name = 'cpu'");
  const text = Buffer.from(JSON.stringify({ a: "x".repeat(300) }));
  crypto.getRandomValues(text.subarray(100, 164));
  text[100] = 0x22;
  text[101] = 0x01;
  damage.run(text);
  store.sqlite.run("update hooks set config = '{\"to' where name = 'ops'");
  store.close();
  expect(() => openStore({ dir })).toThrow(
    /is damaged \(no valid JSON in hooks\.config of model "disk", name "ops" \(rowid 1\); models\.settings of name "cpu" \(rowid 1\)\): .*put a backup in their place.*delete these rows/,
  );
  const raw = new Database(join(dir, "torus.db"));
  raw.run("delete from models where rowid = 1");
  raw.run("delete from hooks where rowid = 1");
  raw.close();
  openStore({ dir }).close();
});

test("a directory that cannot be made says which", () => {
  writeFileSync(join(dir, "file"), "");
  expect(() => openStore({ dir: join(dir, "file", "x") })).toThrow("cannot create the data directory");
});
