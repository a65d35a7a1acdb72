// Bundled migrations are those of the folder.
import { expect, test } from "bun:test";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { readMigrationFiles } from "drizzle-orm/migrator";
import { listEvaluations, recordEvaluation } from "../../../src/store/anomalies/evaluations.ts";
import { migrations } from "../../../src/store/db/migrations.ts";
import { openStore } from "../../../src/store/db/open.ts";
import { loadLive } from "../../../src/store/live.ts";
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

test("0018: the newest 20 evaluations of each live model stay, in their order, and later ones replace the oldest", async () => {
  const { dir, remove } = makeDir();
  const old = openStore({ dir, migrations: migrations.slice(0, 17) });
  for (const name of ["m", "k", "idle"])
    old.sqlite.run(
      `insert into models (name, created_at, updated_at, settings) values ('${name}', 1, 1, '{}')`,
    );
  for (const name of ["m", "k"])
    old.sqlite.run(
      `insert into live (model, started_at, options, state, last_slot) values ('${name}', 1, '{}', '{"run":"r"}', 9)`,
    );
  const insert = old.sqlite.query(
    "insert into evaluations (model, window_at, evaluated_at, duration_ms, outcome, score, error) values (?, ?, 2, 3, 'ok', 4, null)",
  );
  for (let window = 1; window <= 23; window++) {
    insert.run("m", window);
    if (window <= 3) insert.run("k", window);
  }
  old.close();
  const store = openStore({ dir });
  const windowsOf = async (model: string) =>
    (await listEvaluations(store, model)).map(({ windowAt }) => windowAt);
  const countDown = (newest: number, length: number) => Array.from({ length }, (_, i) => newest - i);
  expect([await windowsOf("m"), await windowsOf("k")]).toEqual([countDown(23, 20), countDown(3, 3)]);
  expect((await listEvaluations(store, "k"))[0]).toMatchObject({ evaluatedAt: 2, durationMs: 3, score: 4 });
  for (const [model, windowAt] of [
    ["m", 24],
    ["m", 25],
    ["k", 4],
  ] as const) {
    const before = (await loadLive(store, model))!;
    const basics = { model, before, slot: windowAt, intervalMs: 1, windowAt, evaluatedAt: 2, durationMs: 3 };
    const found = { outcome: "ok", score: 4, state: before.state, episodes: [], events: [] } as const;
    expect(await recordEvaluation(store, { ...basics, missed: 0, ...found })).toBe(true);
  }
  expect([await windowsOf("m"), await windowsOf("k")]).toEqual([countDown(25, 20), countDown(4, 4)]);
  store.close();
  remove();
});
