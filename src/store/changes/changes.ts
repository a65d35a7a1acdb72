// SQL of recorded changes: the newest are kept, each found by its id.
import { and, desc, eq, gte, inArray, lt, lte, or, type SQL } from "drizzle-orm";
import type { RecordedChange } from "../../core/changes/change.ts";
import { TorusError } from "../../core/errors.ts";
import type { Store } from "../db/open.ts";
import { countOf } from "../db/pages.ts";
import { recordedChanges } from "../db/schema.ts";
import { read, type Tx, writeUncached } from "../db/transaction.ts";
import { hasTags } from "../fleets/series-tags.ts";

/** The newest changes that are kept. */
export const MAX_KEPT_CHANGES = 100_000;

export type ChangeRow = typeof recordedChanges.$inferSelect;

/**
 * Records changes, all or none; one whose id is known replaces it.
 * @param at now, ms since the epoch
 * @param keep the newest that stay
 * @returns the rows in the order of the changes, and how many of them are new
 */
export function recordChanges(
  store: Store,
  changes: readonly RecordedChange[],
  { at, keep = MAX_KEPT_CHANGES }: { at: number; keep?: number },
): Promise<{ readonly rows: ChangeRow[]; readonly added: number }> {
  return writeUncached(store, async (tx) => {
    const known = await countKnown(tx, changes);
    const rows: ChangeRow[] = [];
    for (const { id, ...content } of changes) {
      const row = { ...content, tags: { ...content.tags }, createdAt: at };
      const { createdAt: _, ...patch } = row;
      const insert = tx.insert(recordedChanges).values({ id, ...row });
      const stored = insert.onConflictDoUpdate({ target: recordedChanges.id, set: patch });
      rows.push((await stored.returning().get())!);
    }
    await removeOldest(tx, keep);
    return { rows, added: new Set(changes.map(({ id }) => id)).size - known };
  });
}

/** How many of the changes are stored already. */
function countKnown(tx: Tx, changes: readonly RecordedChange[]): Promise<number> {
  const ids = changes.map(({ id }) => id);
  return countOf(tx, recordedChanges, inArray(recordedChanges.id, ids));
}

/** Removes what is older than the newest `keep`. */
async function removeOldest(tx: Tx, keep: number): Promise<void> {
  const { id, at } = recordedChanges;
  const last = await tx
    .select({ id, at })
    .from(recordedChanges)
    .orderBy(desc(at), desc(id))
    .limit(1)
    .offset(keep)
    .get();
  if (!last) return;
  const isOlder = or(lt(at, last.at), and(eq(at, last.at), lte(id, last.id)));
  await tx.delete(recordedChanges).where(isOlder).run();
}

export interface ChangeQuery {
  /** Only those in progress within the range, ms since the epoch; either end may be open. */
  readonly fromAt?: number;
  /** Exclusive. */
  readonly toAt?: number;
  /** Only those that began at or after it. */
  readonly sinceAt?: number;
  readonly kind?: string;
  /** Tags that they must have, all of them. */
  readonly tags?: Readonly<Record<string, string>>;
}

/** Newest first: a page. */
export function listChanges(
  store: Store,
  query: ChangeQuery,
  page: { readonly from: number; readonly to: number } = { from: 0, to: MAX_KEPT_CHANGES },
): Promise<ChangeRow[]> {
  const { at, id } = recordedChanges;
  return read(store, (db) =>
    db
      .select()
      .from(recordedChanges)
      .where(matches(query))
      .orderBy(desc(at), desc(id))
      .limit(page.to - page.from)
      .offset(page.from)
      .all(),
  );
}

/** Number of changes on all pages. */
export function countChanges(store: Store, query: ChangeQuery): Promise<number> {
  return read(store, (db) => countOf(db, recordedChanges, matches(query)));
}

/** @throws TorusError `not_found` */
export function loadChange(store: Store, id: string): Promise<ChangeRow> {
  return read(store, async (db) => {
    const row = await db.select().from(recordedChanges).where(eq(recordedChanges.id, id)).get();
    return row ?? failUnknown(id);
  });
}

/** @throws TorusError `not_found` */
export function removeChange(store: Store, id: string): Promise<void> {
  return writeUncached(store, async (tx) => {
    const removed = await tx
      .delete(recordedChanges)
      .where(eq(recordedChanges.id, id))
      .returning({ id: recordedChanges.id })
      .all();
    if (removed.length === 0) failUnknown(id);
  });
}

function failUnknown(id: string): never {
  throw new TorusError("not_found", `there is no change ${id.slice(0, 128)}; GET /changes lists them`);
}

function matches({ fromAt, toAt, sinceAt, kind, tags }: ChangeQuery): SQL | undefined {
  const { at, endAt } = recordedChanges;
  return and(
    fromAt === undefined ? undefined : or(gte(at, fromAt), gte(endAt, fromAt)),
    toAt === undefined ? undefined : lt(at, toAt),
    sinceAt === undefined ? undefined : gte(at, sinceAt),
    kind === undefined ? undefined : eq(recordedChanges.kind, kind),
    tags && hasTags(recordedChanges.tags, tags),
  );
}
