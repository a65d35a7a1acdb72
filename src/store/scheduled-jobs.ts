// SQL of scheduled jobs: definitions by name, with the outcome of the last run.
import { and, asc, desc, eq, gt, inArray, lt, ne, type SQL } from "drizzle-orm";
import type { Creator } from "../core/access/token.ts";
import { invalid, TorusError } from "../core/errors.ts";
import type { ScheduledJob } from "../core/time/scheduled-job.ts";
import type { JobOrigin } from "../core/time/scheduled-plan.ts";
import { type Deletion, moveToBin, trimBin } from "./bin/move.ts";
import { assertBelowCap, caps } from "./db/caps.ts";
import { mapInOrder } from "./db/in-order.ts";
import type { Store } from "./db/open.ts";
import { countOf, NO_LIMIT, readInPages } from "./db/pages.ts";
import { scheduledJobs } from "./db/schema.ts";
import { read, signal, type Tx, write } from "./db/transaction.ts";
import type { Page } from "./models.ts";
import type { Place } from "./secrets/seal.ts";

/** Names per statement: SQLite limits its parameters. */
export const MAX_NAMES = 500;
/** Some 5 ms. */
const PAGE_ROWS = 500;
const allJobs: Page = { offset: 0, limit: NO_LIMIT, descending: false };

export type ScheduledJobRow = typeof scheduledJobs.$inferSelect;

/** A definition, its origin and its creator. */
export interface NewDefinition {
  readonly definition: ScheduledJob;
  readonly origin: JobOrigin;
  /** The token whose rights its runs have; absent: created without one. */
  readonly creator?: Creator | undefined;
  /** ms since the epoch */
  readonly at: number;
}

interface Change {
  readonly change: (definition: ScheduledJob) => ScheduledJob;
}

/** All scheduled jobs, by name, or a page of them. */
export function listScheduledJobs(store: Store, page = allJobs): Promise<ScheduledJobRow[]> {
  return selectPage(store, page);
}

/** All scheduled jobs, by name, in pages; other work runs between two pages. */
export function pageScheduledJobs(
  store: Store,
  { descending = false } = {},
): AsyncGenerator<readonly ScheduledJobRow[]> {
  const { name } = scheduledJobs;
  const beyond = (last: string) => (descending ? lt : gt)(name, last);
  return readInPages({
    size: PAGE_ROWS,
    readBeyond: (last) => {
      const where = last === undefined ? undefined : beyond(last);
      return selectPage(store, { where, descending, limit: PAGE_ROWS, offset: 0 });
    },
    keyOf: (row) => row.name,
  });
}

/** How many scheduled jobs there are. */
export function countScheduledJobs(store: Store): Promise<number> {
  return read(store, (db) => countOf(db, scheduledJobs));
}

function selectPage(
  store: Store,
  { where, descending, limit, offset }: Page & { readonly where?: SQL | undefined },
): Promise<ScheduledJobRow[]> {
  return read(store, async (db) =>
    (
      await db
        .select()
        .from(scheduledJobs)
        .where(where)
        .orderBy((descending ? desc : asc)(scheduledJobs.name))
        .limit(limit)
        .offset(offset)
        .all()
    ).map((row) => openRow(store, row)),
  );
}

/** @returns undefined where there is none */
export function findScheduledJob(store: Store, name: string): Promise<ScheduledJobRow | undefined> {
  return read(store, async (db) => {
    const row = await findJob(db, name);
    return row && openRow(store, row);
  });
}

/** @throws TorusError `not_found` */
export function loadScheduledJob(store: Store, name: string): Promise<ScheduledJobRow> {
  return read(store, async (db) => openRow(store, await requireJob(db, name)));
}

/** Creates or replaces a job; of the old one only claimed slots remain. @throws TorusError `invalid` */
export function putScheduledJob(store: Store, made: NewDefinition): Promise<void> {
  return write(store, async (tx) => {
    await assertNotOwnedByModel(tx, [made.definition.name]);
    await putJob(tx, store, made);
  });
}

/** @returns the origin of the job; undefined where there is none */
export function findOrigin(store: Store, name: string): Promise<JobOrigin | undefined> {
  return read(store, async (db) => (await findJob(db, name))?.origin);
}

/**
 * Changes definitions, all or none; the outcome of the last run stays.
 * @param creator the token of the change, whose rights later runs have
 * @param change gets the definition and returns the new one; a throw undoes everything
 * @throws TorusError `not_found` naming the first unknown one, `invalid` for one that belongs to a model
 */
export function patchScheduledJobs(
  store: Store,
  names: readonly string[],
  { at, creator, change }: Omit<NewDefinition, "definition" | "origin"> & Change,
): Promise<void> {
  return write(store, async (tx) => {
    await assertNotOwnedByModel(tx, names);
    for (const name of names) {
      const row = openRow(store, await requireJob(tx, name));
      const definition = store.vault.seal(placeOf(name), change(row.definition));
      const patch = { definition, creator: creator ?? null, generation: row.generation + 1, updatedAt: at };
      await tx.update(scheduledJobs).set(patch).where(eq(scheduledJobs.name, name)).run();
      signal(tx, { topic: "scheduled_jobs", name });
    }
  });
}

/**
 * Deletes jobs; unknown names are skipped.
 * @param deletion absent: for good
 * @returns entries of the bin
 * @throws TorusError `invalid` for one that belongs to a model
 */
export function removeScheduledJobs(
  store: Store,
  names: readonly string[],
  deletion?: Deletion,
): Promise<string[]> {
  return write(store, async (tx) => {
    await assertNotOwnedByModel(tx, names);
    const found = deletion ? await mapInOrder(new Set(names), (name) => findJob(tx, name)) : [];
    const binned = await binJobs(tx, found, deletion);
    await removeJobs(tx, names);
    return binned;
  });
}

/** Puts jobs into the bin, those of the settings file too. @returns entries of the bin */
async function binJobs(
  tx: Tx,
  rows: readonly (ScheduledJobRow | undefined)[],
  deletion: Deletion | undefined,
): Promise<string[]> {
  if (!deletion) return [];
  const found = rows.filter((row) => row !== undefined);
  const binned = await mapInOrder(found, (row) => {
    const rows = [["scheduledJobs", row]] as const;
    return moveToBin(tx, { kind: "scheduled_job", name: row.name, rows }, deletion);
  });
  await trimBin(tx);
  return binned;
}

/**
 * Deletes all jobs except those that belong to models.
 * @param deletion absent: for good
 * @returns entries of the bin
 */
export function clearScheduledJobs(store: Store, deletion?: Deletion): Promise<string[]> {
  return write(store, async (tx) => {
    const others = ne(scheduledJobs.origin, "model");
    const found = deletion ? await tx.select().from(scheduledJobs).where(others).all() : [];
    const binned = await binJobs(tx, found, deletion);
    await tx.delete(scheduledJobs).where(others).run();
    signal(tx, { topic: "scheduled_jobs" });
    return binned;
  });
}

/** @throws TorusError `invalid`: jobs that belong to a model change with its settings only */
async function assertNotOwnedByModel(tx: Tx, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const { name: column, origin } = scheduledJobs;
    const isModels = and(eq(column, name), eq(origin, "model"));
    if (!(await tx.select({ name: column }).from(scheduledJobs).where(isModels).get())) continue;
    const way = "change `retrain` in the model's settings; null there removes the job";
    throw invalid("name", `${name} belongs to a model: ${way}`);
  }
}

function placeOf(name: string): Place {
  return { table: "scheduled_jobs", row: [name] };
}

/** With its secrets in the clear. */
export function openRow<R extends Pick<ScheduledJobRow, "name" | "definition">>({ vault }: Store, row: R): R {
  return { ...row, definition: vault.open(placeOf(row.name), row.definition) };
}

/** Creates or replaces a job; within a transaction. */
export async function putJob(
  tx: Tx,
  { vault }: Store,
  { definition: open, origin, creator, at }: NewDefinition,
): Promise<void> {
  const { name } = open;
  signal(tx, { topic: "scheduled_jobs", name });
  const old = await findJob(tx, name);
  const definition = vault.seal(placeOf(name), open);
  const fresh = { definition, origin, creator: creator ?? null, updatedAt: at };
  // Jobs of the configuration, which the operator writes, and of models have no cap, and do not count.
  if (!old && origin === "api") await assertBelowCap(tx, caps.scheduledJobs, eq(scheduledJobs.origin, "api"));
  if (!old)
    await tx
      .insert(scheduledJobs)
      .values({ name, ...fresh, createdAt: at })
      .run();
  else
    await tx
      .update(scheduledJobs)
      .set({
        ...fresh,
        generation: old.generation + 1,
        lastRunAt: null,
        lastStatus: null,
        lastError: null,
        lastErrorCode: null,
      })
      .where(eq(scheduledJobs.name, name))
      .run();
}

/** Within a transaction. */
export async function removeJobs(tx: Tx, names: readonly string[]): Promise<void> {
  for (const name of names) signal(tx, { topic: "scheduled_jobs", name });
  for (let i = 0; i < names.length; i += MAX_NAMES)
    await tx
      .delete(scheduledJobs)
      .where(inArray(scheduledJobs.name, names.slice(i, i + MAX_NAMES)))
      .run();
}

function findJob(tx: Pick<Tx, "select">, name: string): Promise<ScheduledJobRow | undefined> {
  return tx.select().from(scheduledJobs).where(eq(scheduledJobs.name, name)).get();
}

async function requireJob(tx: Pick<Tx, "select">, name: string): Promise<ScheduledJobRow> {
  const row = await findJob(tx, name);
  if (!row) throw new TorusError("not_found", `scheduled job ${name} does not exist`);
  return row;
}
