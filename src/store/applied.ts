// SQL of applied sets: the resources that an apply created and that were not replaced since.
import { and, eq, type SQL } from "drizzle-orm";
import type { ResourceKind } from "../core/apply/kinds.ts";
import { filterInOrder, mapInOrder } from "./db/in-order.ts";
import type { Store } from "./db/open.ts";
import {
  buckets,
  calendars,
  globalHooks,
  hooks,
  meta,
  models,
  scheduledJobs,
  templates,
} from "./db/schema.ts";
import { read, type Tx, writeUncached } from "./db/transaction.ts";

/** Identifies a resource of a set. */
export interface AppliedKey {
  readonly kind: ResourceKind;
  /** For hooks of a model only. */
  readonly model?: string;
  readonly name: string;
}

/** With its creation time, which changes when a resource is deleted and created again. */
interface AppliedEntry extends AppliedKey {
  readonly createdAt: number;
}

/** Resources of a set that were not replaced since. */
export function listApplied(store: Store, set: string): Promise<AppliedKey[]> {
  return read(store, async (db) =>
    (await loadSet(db, set)).map(({ kind, model, name }) => ({
      kind,
      ...(model !== undefined && { model }),
      name,
    })),
  );
}

/**
 * Adds created resources, and drops deleted ones.
 * @param replace drops all others too
 */
export function recordApplied(
  store: Store,
  set: string,
  created: readonly AppliedKey[],
  { replace = false } = {},
): Promise<void> {
  return writeUncached(store, async (tx) => {
    const added = await mapInOrder(created, async (key) => {
      const createdAt = await findCreatedAt(tx, key);
      return createdAt === undefined ? [] : [{ ...key, createdAt }];
    });
    const value = JSON.stringify([...(replace ? [] : await loadSet(tx, set)), ...added.flat()]);
    await tx
      .insert(meta)
      .values({ key: keyOf(set), value })
      .onConflictDoUpdate({ target: meta.key, set: { value } })
      .run();
  });
}

async function loadSet(db: Pick<Tx, "select">, set: string): Promise<AppliedEntry[]> {
  const row = await db
    .select()
    .from(meta)
    .where(eq(meta.key, keyOf(set)))
    .get();
  const entries: AppliedEntry[] = row ? JSON.parse(row.value) : [];
  return filterInOrder(entries, async (entry) => (await findCreatedAt(db, entry)) === entry.createdAt);
}

function keyOf(set: string): string {
  return `applied/${set}`;
}

/** @returns when a resource was created, ms since the epoch; undefined where there is none */
function findCreatedAt(
  db: Pick<Tx, "select">,
  { kind, model, name }: AppliedKey,
): Promise<number | undefined> {
  if (kind === "hook" && model !== undefined)
    return select(db, hooks, and(eq(hooks.model, model), eq(hooks.name, name)));
  const table = tables[kind];
  return select(db, table, eq(table.name, name));
}

/** Hooks of models are in a table of their own. */
const tables = {
  bucket: buckets,
  calendar: calendars,
  template: templates,
  model: models,
  hook: globalHooks,
  scheduled_job: scheduledJobs,
};

type Table = (typeof tables)[ResourceKind] | typeof hooks;

async function select(
  db: Pick<Tx, "select">,
  table: Table,
  where: SQL | undefined,
): Promise<number | undefined> {
  return (await db.select({ createdAt: table.createdAt }).from(table).where(where).get())?.createdAt;
}
