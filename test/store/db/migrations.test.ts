// Bundled migrations are those of the folder.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { migrations } from "../../../src/store/db/migrations.ts";
import { openStore } from "../../../src/store/db/open.ts";
import { makeDir } from "../temporary.ts";

const folder = join(import.meta.dir, "../../../drizzle");

test("every migration of the folder is imported, in order and to the letter", () => {
  expect(migrations).toEqual(readMigrationFiles({ migrationsFolder: folder }));
});

test("every SQL file is in the journal", () => {
  expect(readdirSync(folder).filter((name) => name.endsWith(".sql"))).toHaveLength(migrations.length);
});

test("0004: resends lose the suffix of their id; the rows of a hook named again keep theirs", () => {
  const { dir, remove } = makeDir();
  const old = openStore({ dir, migrations: migrations.slice(0, 4) });
  const insert = old.sqlite.query(
    "insert into outbox (id, model, hook, kind, state, created_at, next_at, event, config) " +
      "values (?, 'm', ?, 'alertmanager', 'waiting', 0, 0, '{}', '{}')",
  );
  for (const [id, hook] of [
    ["e:start/ops", "ops"],
    ["e:start/ops/again", "ops"],
    ["f:start/again", "again"],
    ["f:start/again/again", "again"],
    ["f:end/again", "again"],
  ] as const)
    insert.run(id, hook);
  old.close();
  const store = openStore({ dir });
  expect(store.sqlite.query("select id, resend from outbox order by seq").values()).toEqual([
    ["e:start/ops", 0],
    ["e:start/ops", 1],
    ["f:start/again", 0],
    ["f:start/again", 1],
    ["f:end/again", 0],
  ]);
  store.close();
  remove();
});
