// SQL of migrations: a fleet with copies of the anomalies, labels and hooks of single models, in one transaction.
import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import { invalid } from "../../core/errors.ts";
import { labelCap } from "../anomalies/labels.ts";
import { filterInOrder, mapInOrder } from "../db/in-order.ts";
import type { Store } from "../db/open.ts";
import { countOf } from "../db/pages.ts";
import { episodes, labels, models } from "../db/schema.ts";
import { read, type Tx, write } from "../db/transaction.ts";
import { endLive, findLive, type LiveStop } from "../live.ts";
import { deleteModels, insertModel, type NewModel } from "../models.ts";
import { compareHooks, copyHooks, type UncopiedHook } from "./migrated-hooks.ts";

/** Namespace of the ids of copies (RFC 9562, section 5.5): a copy of the same anomaly has the same id. */
const COPIES = "5c0b6e0c-5b7e-4d0a-9a53-3b1f2f0c7a4e";

/** A model that becomes a series. */
interface MigratedModel {
  readonly model: string;
  readonly series: Readonly<Record<string, string>>;
}

/** What a fleet takes over. */
export interface Inheritance {
  /** Anomalies and labels copied. */
  readonly anomalies: number;
  readonly labels: number;
  /** Names of the hooks that all models have, with equal settings. */
  readonly hooks: readonly string[];
  readonly uncopiedHooks: readonly UncopiedHook[];
  /** Models that are live. */
  readonly live: readonly string[];
}

/** A fleet to be created. */
export interface PlannedFleet {
  readonly fleet: NewModel;
  /** At least one. */
  readonly members: readonly MigratedModel[];
  /** Members that are not deleted. */
  readonly kept: ReadonlySet<string>;
}

export interface Migration<P extends PlannedFleet> extends Omit<LiveStop, "strict"> {
  /** Plans over the settings of all models, of which it chooses; a throw undoes everything. */
  readonly plan: (models: readonly NewModel["settings"][]) => P;
  /** Whether members are deleted, except those with hooks that were not copied. */
  readonly deletes: boolean;
}

interface Migrated<P> extends Inheritance {
  readonly planned: P;
  readonly deleted: readonly string[];
  /** Ids of jobs of deleted models. */
  readonly canceled: readonly string[];
}

/** What a migration of these models would copy and stop. */
export function previewMigration(store: Store, members: readonly MigratedModel[]): Promise<Inheritance> {
  return read(store, async (db) => {
    const sumOf = (table: typeof episodes | typeof labels) =>
      sumInOrder(members, ({ model }) => countOf(db, table, eq(table.model, model)));
    const { shared, uncopied } = await compareHooks(db, store, members);
    const names = members.map(({ model }) => model);
    const live = await filterInOrder(names, async (name) => (await findLive(db, name)) !== undefined);
    const hooks = shared.map(({ name }) => name);
    return {
      anomalies: await sumOf(episodes),
      labels: checkLabels(await sumOf(labels)),
      hooks,
      uncopiedHooks: uncopied,
      live,
    };
  });
}

/**
 * Plans, stops the members, creates the fleet with copies of what is known of them, and deletes them where asked to: all
 * or nothing. The fleet is as old as its oldest member, so that trainings take their feedback for its own.
 * @throws TorusError `already_exists`, `invalid` beyond a cap, and those of `plan`
 */
export function migrateModels<P extends PlannedFleet>(
  store: Store,
  { at, ending, plan, deletes }: Migration<P>,
): Promise<Migrated<P>> {
  return write<Migrated<P>>(store, async (tx) => {
    const rows = await tx.select().from(models).all();
    const planned = plan(rows.map(({ settings }) => settings));
    const { fleet, members, kept } = planned;
    const names = members.map(({ model }) => model);
    await insertModel(tx, fleet, at);
    const createdAt = oldestOf(rows, new Set(names));
    await tx.update(models).set({ createdAt }).where(eq(models.name, fleet.name)).run();
    const live = await endLive(tx, names, { at, ending, strict: false });
    const { shared, uncopied } = await compareHooks(tx, store, members);
    const incomplete = new Set([...kept, ...uncopied.map(({ model }) => model)]);
    const deleted = deletes ? names.filter((name) => !incomplete.has(name)) : [];
    const gone = new Set(deleted);
    const copied = {
      anomalies: await sumInOrder(members, (member) => {
        return (gone.has(member.model) ? moveEpisodes : copyEpisodes)(tx, member, fleet.name);
      }),
      labels: checkLabels(await sumInOrder(members, (member) => copyLabels(tx, member, fleet.name))),
    };
    await copyHooks(tx, store, { hooks: shared, model: fleet.name, at });
    const canceled = deleted.length > 0 ? await deleteModels(tx, deleted, at) : [];
    const hooks = shared.map(({ name }) => name);
    return { planned, ...copied, hooks, uncopiedHooks: uncopied, live, deleted, canceled };
  });
}

async function sumInOrder<T>(items: Iterable<T>, count: (item: T) => Promise<number>): Promise<number> {
  return sumOf(await mapInOrder(items, count), (number) => number);
}

function oldestOf(rows: readonly (typeof models.$inferSelect)[], names: ReadonlySet<string>): number {
  const ages = rows.flatMap(({ name, createdAt }) => (names.has(name) ? [createdAt] : []));
  return ages.reduce((oldest, createdAt) => Math.min(oldest, createdAt));
}

/** Copies closed anomalies; those that an earlier fleet of the name was given stay as they are. */
async function copyEpisodes(tx: Tx, { model, series }: MigratedModel, fleet: string): Promise<number> {
  const rows = await tx.select({ id: episodes.id }).from(episodes).where(eq(episodes.model, model)).all();
  const ids = JSON.stringify(rows.map(({ id }) => [id, copyId(fleet, id)]));
  await tx.run(sql`
    insert into episodes (id, model, series, ${sql.raw(copiedColumns)})
    select json_extract(map.value, '$[1]'), ${fleet}, ${JSON.stringify(series)}, ${sql.raw(copiedColumns)}
    from json_each(${ids}) as map join episodes as source on source.id = json_extract(map.value, '$[0]')
    where true on conflict (id) do nothing
  `);
  return rows.length;
}

const copiedColumns = Object.values(getTableColumns(episodes))
  .map(({ name }) => name)
  .filter((name) => !["id", "model", "series"].includes(name))
  .join(", ");

/** Anomalies outlive their model: those of a deleted one go to the fleet as they are, so that links to them stay. */
async function moveEpisodes(tx: Tx, { model, series }: MigratedModel, fleet: string): Promise<number> {
  const patch = { model: fleet, series: { ...series } };
  const { id } = episodes;
  return (await tx.update(episodes).set(patch).where(eq(episodes.model, model)).returning({ id }).all())
    .length;
}

async function copyLabels(tx: Tx, { model, series }: MigratedModel, fleet: string): Promise<number> {
  const rows = await tx
    .select()
    .from(labels)
    .where(eq(labels.model, model))
    .orderBy(asc(labels.fromAt))
    .all();
  for (const row of rows)
    await tx
      .insert(labels)
      .values({ ...row, id: copyId(fleet, row.id), model: fleet, series: { ...series } })
      .run();
  return rows.length;
}

function checkLabels(number: number): number {
  if (number <= labelCap.max) return number;
  const way = `a model has at most ${labelCap.max}: delete some, or name fewer models`;
  throw invalid("models", `must not have ${number} labels together, ${way}`);
}

function copyId(fleet: string, id: string): string {
  return Bun.randomUUIDv5(`${fleet}/${id}`, COPIES);
}

function sumOf<T>(items: readonly T[], numberOf: (item: T) => number): number {
  return items.reduce((sum, item) => sum + numberOf(item), 0);
}
