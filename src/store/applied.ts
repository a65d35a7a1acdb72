// SQL of applied sets: the resources that an apply created and that were not replaced since.
import { eq } from "drizzle-orm";
import type { ResourceKind } from "../core/apply/kinds.ts";
import { filterInOrder, mapInOrder } from "./db/in-order.ts";
import type { Store } from "./db/open.ts";
import { meta } from "./db/schema.ts";
import { read, type Tx, writeUncached } from "./db/transaction.ts";
import { isResource, tableOf } from "./resource-tables.ts";

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
async function findCreatedAt(db: Pick<Tx, "select">, key: AppliedKey): Promise<number | undefined> {
  const { table } = tableOf(key);
  const { createdAt } = table;
  return (await db.select({ createdAt }).from(table).where(isResource(key, key.name)).get())?.createdAt;
}
