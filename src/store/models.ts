// SQL of models: settings by name, with the active version and the last training.

import { and, asc, desc, eq, gt, inArray, lt, type SQL, sql } from "drizzle-orm";
import { TorusError } from "../core/errors.ts";
import type { VersionSummary } from "../core/model/version-summary.ts";
import { yieldToEventLoop } from "../runtime/steps.ts";
import { assertCalendars } from "./calendars.ts";
import { readCached } from "./db/cached-query.ts";
import { assertBelowCap, caps } from "./db/caps.ts";
import type { Db } from "./db/database.ts";
import { KeyedQuery } from "./db/keyed-query.ts";
import type { Store } from "./db/open.ts";
import { countOf, NO_LIMIT, readInPages } from "./db/pages.ts";
import { prepareOnce } from "./db/prepared.ts";
import { jobs, models, versions } from "./db/schema.ts";
import { announce, read, type Tx, write } from "./db/transaction.ts";
import { transitionJob } from "./jobs/transitions.ts";

type Settings = ModelRow["settings"];

export type ModelRow = typeof models.$inferSelect & {
  /** The active version; null = not trained. */
  readonly version: {
    readonly name: string;
    readonly createdAt: number;
    readonly fromAt: number;
    readonly toAt: number;
    readonly summary: VersionSummary;
    /** Settings the version was trained with. */
    readonly settings: Readonly<Settings>;
  } | null;
  /** The training submitted last; null once retention has removed its job. */
  readonly training: { readonly id: string; readonly state: (typeof jobs.$inferSelect)["state"] } | null;
};

/** A page of a list, in SQL. */
export interface Page {
  readonly offset: number;
  readonly limit: number;
  readonly descending: boolean;
}

/** Some 5 ms. */
const PAGE_ROWS = 500;

const allModels: Page = { offset: 0, limit: NO_LIMIT, descending: false };

/** Models in the order of their names: all of them, or a page. */
export function listModels(store: Store, page = allModels): Promise<readonly ModelRow[]> {
  const { descending, offset, limit } = page;
  const key = `${descending} ${offset} ${limit}`;
  const select = descending ? selectDescending : selectAscending;
  const list = async (db: Db) => (await prepareOnce(db, select).all({ offset, limit })).map(toModelRow);
  return readCached(store, { kind: "models", key, read: list });
}

/** All models in the order of their names, in pages; other work runs between two pages. */
export function pageModels(store: Store, { descending = false } = {}): AsyncGenerator<readonly ModelRow[]> {
  return readInPages({
    size: PAGE_ROWS,
    readBeyond: (last) =>
      read(store, async (db) => (await selectBeyond(db, last, descending).all()).map(toModelRow)),
    keyOf: ({ name }) => name,
  });
}

/** All models by name, read in pages. */
export async function readAllModels(store: Store): Promise<readonly ModelRow[]> {
  return (await Array.fromAsync(pageModels(store))).flat();
}

/** Models by name, read in groups; names that are not there are left out. */
export async function readModels(
  store: Store,
  names: readonly string[],
): Promise<ReadonlyMap<string, ModelRow>> {
  const found = new Map<string, ModelRow>();
  for (let from = 0; from < names.length; from += PAGE_ROWS) {
    if (from > 0) await yieldToEventLoop();
    const isOne = inArray(models.name, names.slice(from, from + PAGE_ROWS));
    const rows = await read(store, (db) => selectModels(db).where(isOne).all());
    for (const row of rows) found.set(row.model.name, toModelRow(row));
  }
  return found;
}

/** @throws TorusError `not_found` */
export async function loadModel(store: Store, name: string): Promise<ModelRow> {
  return (await readCached(store, { kind: "model", key: name, read: modelByName })) ?? failUnknown(name);
}

const modelByName = new KeyedQuery({
  prepare: (db, names) => selectModels(db).where(inArray(models.name, names)).prepare(),
  keyOf: (row) => row.model.name,
  toValue: (row) => row && toModelRow(row),
});

function selectAscending(db: Db) {
  return selectPage(db, asc(models.name));
}

/** How many models there are. */
export function countModels(store: Store): Promise<number> {
  const find = (db: Db) => countOf(db, models);
  return readCached(store, { kind: "models", key: "count", read: find });
}

function selectDescending(db: Db) {
  return selectPage(db, desc(models.name));
}

function selectPage(db: Db, order: SQL) {
  const { placeholder } = sql;
  return selectModels(db).orderBy(order).limit(placeholder("limit")).offset(placeholder("offset")).prepare();
}

function selectBeyond(db: Db, last: string | undefined, descending: boolean) {
  const isBeyond = last === undefined ? undefined : (descending ? lt : gt)(models.name, last);
  return selectModels(db)
    .where(isBeyond)
    .orderBy((descending ? desc : asc)(models.name))
    .limit(PAGE_ROWS);
}

/** Models with their active versions and last trainings. */
export function selectModels(db: Pick<Tx, "select">) {
  return db
    .select({
      model: models,
      version: {
        name: versions.name,
        createdAt: versions.createdAt,
        fromAt: versions.fromAt,
        toAt: versions.toAt,
        summary: versions.summary,
        settings: versions.settings,
      },
      training: { id: jobs.id, state: jobs.state },
    })
    .from(models)
    .leftJoin(versions, and(eq(versions.model, models.name), eq(versions.name, models.activeVersion)))
    .leftJoin(jobs, eq(jobs.id, models.lastTraining));
}

export function toModelRow({
  model,
  ...rest
}: {
  model: typeof models.$inferSelect;
} & Pick<ModelRow, "version" | "training">): ModelRow {
  return { ...model, ...rest };
}

/**
 * Creates a model.
 * @param at ms since the epoch
 * @throws TorusError `already_exists`
 */
export function createModel(store: Store, model: NewModel, at: number): Promise<void> {
  return write(store, (tx) => insertModel(tx, model, at));
}

export interface NewModel {
  readonly name: string;
  readonly settings: Settings;
}

/** As `createModel`, inside a transaction. @throws TorusError `already_exists`, `invalid` beyond the cap */
export async function insertModel(tx: Tx, { name, settings }: NewModel, at: number): Promise<void> {
  if (await tx.select({ name: models.name }).from(models).where(eq(models.name, name)).get())
    throw new TorusError(
      "already_exists",
      `model ${name} exists already: change it with PATCH, or delete it first`,
    );
  await assertCalendars(tx, settings);
  await assertBelowCap(tx, caps.models);
  await tx.insert(models).values({ name, settings, createdAt: at, updatedAt: at }).run();
  announce(tx, { type: "model", model: name, step: "created" });
}

/**
 * Changes the settings of models, all or none.
 * @param change gets the settings and returns the new ones; a throw undoes everything
 * @throws TorusError `not_found` naming the first unknown one
 */
export function patchModels(
  store: Store,
  names: readonly string[],
  { at, change }: { at: number; change: (settings: Settings, name: string) => Settings },
): Promise<void> {
  return write(store, async (tx) => {
    for (const name of names) {
      const row = await requireModel(tx, name);
      const settings = change(row.settings, name);
      await assertCalendars(tx, settings);
      const patch = { settings, generation: row.generation + 1, updatedAt: at };
      await tx.update(models).set(patch).where(eq(models.name, name)).run();
      announce(tx, { type: "model", model: name, step: "changed" });
    }
  });
}

/**
 * Deletes models with their versions for good, all or none, and cancels their active jobs, inside a transaction.
 * @returns ids of the jobs canceled
 * @throws TorusError `not_found` naming the first unknown one
 */
export async function deleteModels(tx: Tx, names: readonly string[], at: number): Promise<string[]> {
  const list = [...new Set(names)];
  for (const name of list) await requireModel(tx, name);
  const active = await tx
    .select({ id: jobs.id, state: jobs.state })
    .from(jobs)
    .where(and(inArray(jobs.model, list), inArray(jobs.state, ["waiting", "running"])))
    .all();
  for (const { id, state } of active)
    await transitionJob(tx, { id, from: state, to: "canceled" }, { endedAt: at });
  await tx.delete(models).where(inArray(models.name, list)).run();
  for (const model of list) announce(tx, { type: "model", model, step: "deleted" });
  return active.map(({ id }) => id);
}

/** The row of the table alone. @throws TorusError `not_found` */
export async function requireModel(
  tx: Pick<Tx, "select">,
  name: string,
): Promise<typeof models.$inferSelect> {
  const row = await tx.select().from(models).where(eq(models.name, name)).get();
  return row ?? failUnknown(name);
}

function failUnknown(name: string): never {
  throw new TorusError("not_found", `model ${name} does not exist`);
}
