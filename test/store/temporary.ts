// A state database in a temporary directory, with failures at a chosen statement and a record of events.
import { expect } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventTopics, type HookEvent } from "../../src/core/anomaly/event.ts";
import { openStore, type Store } from "../../src/store/db/open.ts";
import { perTest } from "../support/per-test.ts";

export function makeDir(): { dir: string; remove: () => void } {
  const dir = mkdtempSync(join(tmpdir(), "torus-test-"));
  return { dir, remove: () => rmSync(dir, { recursive: true, force: true }) };
}

export interface TemporaryStore extends Store {
  /** Closes the store and removes its directory. */
  remove(): void;
}

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
  return perTest(openTemporary, (store) => store.remove());
}

/** From now on the statement fails: `breakAt(store, "update on models")`; the function returned repairs it. */
export function breakAt(store: Store, event: string, when = "1"): () => void {
  store.sqlite.run(
    `create temp trigger broken before ${event} when ${when} begin select raise(abort, 'broken on purpose'); end`,
  );
  return () => store.sqlite.run("drop trigger broken");
}

/** Breaks a statement under work, which then has to fail and to change nothing. */
export async function expectUndone(
  store: Store,
  [event, when]: readonly [event: string, when?: string],
  act: () => Promise<unknown>,
): Promise<void> {
  const before = dump(store);
  const repair = breakAt(store, event, when);
  await expect(act()).rejects.toThrow("broken on purpose");
  repair();
  expect(dump(store)).toBe(before);
}

/** An event as it was put into the outbox, and when it is due, ms since the epoch. */
export type QueuedEvent = HookEvent & { readonly dueAt: number };

/**
 * Records committed events of every model, in order; an event that is put into the outbox twice is recorded twice.
 * @returns what was recorded so far
 */
export function recordEvents(store: Store): () => QueuedEvent[] {
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

/** Every row of every table, to compare before and after. */
export function dump(store: Store): string {
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
    "templates",
    "hooks",
    "global_hooks",
    "scheduled_jobs",
    "scheduled_runs",
  ];
  return JSON.stringify(
    tables.map((table) => store.sqlite.query(`select * from ${table} order by rowid`).all()),
  );
}

/** Leaves no room for another page; the function returned makes room. */
export function fillDisk(store: Store): () => void {
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
