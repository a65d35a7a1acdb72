// A state database in a temporary directory, with failures at a chosen statement and a record of events.
import { expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { eventTopics, type HookEvent } from "../../src/core/anomaly/event.ts";
import type { Change } from "../../src/core/change.ts";
import { Feed } from "../../src/runtime/feed.ts";
import { createSharedCache } from "../../src/store/db/cached-query.ts";
import { openStore, type SqliteStore, type Store } from "../../src/store/db/open.ts";
import { Connection } from "../../src/store/postgres/connection.ts";
import { openPostgres, type SharedStore } from "../../src/store/postgres/open.ts";
import { WeightsCache } from "../../src/store/postgres/weights-cache.ts";
import { temporaryFolder } from "../support/folder.ts";
import { perTest } from "../support/per-test.ts";

export function makeDir(): { dir: string; remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), "torus-test-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

export interface TemporaryStore extends SqliteStore {
  /** Closes the store and removes its directory, or its schema. */
  remove(): void | Promise<void>;
}

/** Address of a PostgreSQL that `useStore` takes in place of files; absent: files. */
const postgresUrl = process.env.TEST_POSTGRES;
/** Whether `useStore` makes stores on PostgreSQL. */
export const isPostgres = postgresUrl !== undefined;
/** Bytes in a statement. @param hex two digits each */
export const bytes = (hex: string) => (isPostgres ? `'\\x${hex}'::bytea` : `x'${hex}'`);
/** `test` of a rule of SQLite alone. */
export const testSqlite = test.skipIf(isPostgres);

export function openTemporary(): TemporaryStore {
  const { dir, remove } = makeDir();
  const store = openStore({ dir });
  return {
    ...store,
    remove: () => {
      store.close();
      remove();
    },
  };
}

/** A store for each test of a file. */
export function useStore(): TemporaryStore {
  const make = postgresUrl === undefined ? openTemporary : () => openOnPostgres(postgresUrl);
  return perTest(make, (store) => store.remove());
}

/** An open store on a schema of its own, and the statements that empty it. */
interface SchemaStore {
  readonly store: SharedStore;
  readonly schema: string;
  readonly reset: string;
}

/** Those that no test uses, empty but for what a fresh one holds: their connections have read the catalog and planned. */
const freeStores: SchemaStore[] = [];

/** A store in a schema of its own; without `sqlite`. To migrate and to connect take longer than most tests: both stay. */
async function openOnPostgres(url: string): Promise<TemporaryStore> {
  const made = freeStores.pop() ?? (await makeSchemaStore(url));
  const { store, schema, reset } = made;
  const remove = async () => {
    // After what is still being written.
    await store.engine.write(async () => {});
    await onSchema(url, schema, (connection) => connection.run(reset));
    freeStores.push(made);
  };
  const inMemory = {
    changes: new Feed<Change>(),
    rowCache: createSharedCache(),
    weights: new WeightsCache(temporaryFolder()),
  };
  return { ...store, ...inMemory, remove } as Partial<TemporaryStore> as TemporaryStore;
}

async function makeSchemaStore(url: string): Promise<SchemaStore> {
  const schema = `test_${crypto.randomUUID().replaceAll("-", "")}`;
  const store = await openPostgres({ url, dir: temporaryFolder(), schema });
  return { store, schema, reset: await makeReset(url, schema) };
}

/** The statements that take a fresh schema back to what it holds now; triggers and what is in progress go, too. */
async function makeReset(url: string, schema: string): Promise<string> {
  return await onSchema(url, schema, async (connection) => {
    const list = async (query: string) => (await connection.query(query)).map(([text]) => String(text));
    const tables = await list(
      `select quote_ident(tablename) from pg_tables where schemaname = '${schema}' order by 1`,
    );
    const sequences = await list(
      `select quote_literal(quote_ident(schemaname) || '.' || quote_ident(sequencename)) from pg_sequences where schemaname = '${schema}'`,
    );
    const kept: string[] = [];
    for (const table of tables) {
      const fresh = await list(`select quote_literal(to_jsonb(t)::text) from ${table} t`);
      for (const row of fresh)
        kept.push(`insert into ${table} select * from jsonb_populate_record(null::${table}, ${row}::jsonb)`);
    }
    return [
      `do $$ declare t record; begin for t in select tgname, tgrelid::regclass as place from pg_trigger
        where not tgisinternal and tgname = 'broken' and tgrelid::regclass::text = any (array[${tables.map((table) => `'${table}'`).join(", ")}])
        loop execute format('drop trigger %I on %s', t.tgname, t.place); end loop; end $$`,
      "set session_replication_role = replica",
      ...tables.map((table) => `delete from ${table}`),
      ...kept,
      ...sequences.map((sequence) => `select setval(${sequence}, 1, false)`),
    ].join("; ");
  });
}

/** One for all schemas: to open one takes longer than all statements over it. */
let shared: Promise<Connection> | undefined;

async function onSchema<T>(
  url: string,
  schema: string,
  work: (connection: Connection) => Promise<T>,
): Promise<T> {
  shared ??= Connection.open(url, schema);
  const connection = await shared;
  await connection.run(`set search_path = "${schema}"`);
  return await work(connection);
}

/** Values of the rows of a query, on what is committed. */
export function rows(store: Store, query: string): Promise<unknown[][]> {
  return store.engine.read((db) => db.values(sql.raw(query)));
}

/** Runs statements in one transaction, beside the verbs. */
export async function execute(store: Store, ...statements: readonly string[]): Promise<void> {
  await store.engine.write(async (db) => {
    for (const statement of statements) await db.run(sql.raw(statement));
  });
  store.rowCache.invalidate();
}

/** From now on the statement fails: `breakAt(store, "update on models")`; the function returned repairs it. */
export async function breakAt(store: Store, event: string, when = "1"): Promise<() => Promise<void>> {
  if (!isOnPostgres(store)) {
    const body = `when ${when} begin select raise(abort, 'broken on purpose'); end`;
    await execute(store, `create temp trigger broken before ${event} ${body}`);
    return () => execute(store, "drop trigger broken");
  }
  const [table] = event.split(" ").slice(-1);
  const condition = when === "1" ? "" : `when (${when})`;
  await execute(
    store,
    "create or replace function broken() returns trigger language plpgsql as $$ begin raise exception 'broken on purpose'; end $$",
    `create trigger broken before ${event} for each row ${condition} execute function broken()`,
  );
  return () => execute(store, `drop trigger broken on ${table}`);
}

function isOnPostgres(store: Store): boolean {
  return !("sqlite" in store);
}

/** Breaks a statement under work, which then has to fail and to change nothing. */
export async function expectUndone(
  store: Store,
  [event, when]: readonly [event: string, when?: string],
  act: () => Promise<unknown>,
): Promise<void> {
  const before = await dump(store);
  const repair = await breakAt(store, event, when);
  await expect(act()).rejects.toThrow("broken on purpose");
  await repair();
  expect(await dump(store)).toBe(before);
}

/** An event as it was put into the outbox, and when it is due, ms since the epoch. */
export type QueuedEvent = HookEvent & { readonly dueAt: number };

/**
 * Records committed events of every model, in order; an event that is put into the outbox twice is recorded twice.
 * @returns what was recorded so far
 */
export function recordEvents(store: SqliteStore): () => QueuedEvent[] {
  const config = JSON.stringify({ url: "http://recorder" });
  store.sqlite.run("insert into global_hooks values ('recorder', 'webhook', 'recorder', 0, 0, '{}', ?, ?)", [
    config,
    JSON.stringify({ events: eventTopics }),
  ]);
  store.sqlite.run("create temp table queued_events (seq integer primary key, event, due_at)");
  store.sqlite.run(
    "create temp trigger record_event before insert on outbox when new.is_global and new.hook = 'recorder' begin " +
      "insert into queued_events (event, due_at) values (new.event, new.created_at); end",
  );
  const select = "select event, due_at from queued_events order by seq";
  return () => {
    const rows = store.sqlite.query(select).all() as { event: string; due_at: number }[];
    return rows.map((row) => ({ ...JSON.parse(row.event), dueAt: row.due_at }));
  };
}

/** As `recordEvents`, on every engine; from the outbox, so while their model is there. */
export async function recordQueued(store: Store): Promise<() => Promise<QueuedEvent[]>> {
  const config = JSON.stringify({ url: "http://recorder" });
  const options = JSON.stringify({ events: eventTopics });
  await execute(
    store,
    `insert into global_hooks values ('recorder', 'webhook', 'recorder', 0, 0, '{}', '${config}', '${options}')`,
  );
  return async () => {
    const query =
      "select event, created_at from outbox where is_global = 1 and hook = 'recorder' order by seq";
    const found = (await rows(store, query)) as [string, number][];
    return found.map(([event, dueAt]) => ({ ...JSON.parse(event), dueAt }));
  };
}

/** Every row of every table, to compare before and after. */
export async function dump(store: Store): Promise<string> {
  const tables = [
    "meta",
    "buckets",
    "models",
    "versions",
    "fit_sets",
    "version_series",
    "live_series",
    "live_series_states",
    "live_series_memories",
    "jobs",
    "job_results",
    "calendars",
    "templates",
    "hooks",
    "global_hooks",
    "scheduled_jobs",
    "scheduled_runs",
    "labels",
    "recorded_changes",
    "bin",
    "bin_rows",
  ];
  const contents = [];
  for (const table of tables)
    contents.push(await rows(store, `select * from ${table} order by 1, 2${table === "meta" ? "" : ", 3"}`));
  return JSON.stringify(contents);
}

/** Leaves no room for another page; the function returned makes room. */
export function fillDisk(store: SqliteStore): () => void {
  const { page_count } = store.sqlite.query("PRAGMA page_count").get() as { page_count: number };
  store.sqlite.run(`PRAGMA max_page_count = ${page_count}`);
  return () => store.sqlite.run("PRAGMA max_page_count = 1000000");
}

/** The code of the TorusError a promise rejects with; anything else is thrown on. */
export async function codeOf(promise: Promise<unknown>): Promise<string> {
  try {
    await promise;
    return "nothing thrown";
  } catch (error) {
    return String((error as { code?: unknown }).code ?? error);
  }
}
