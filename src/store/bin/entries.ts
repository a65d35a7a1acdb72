// SQL of the entries of the bin: lists, look-ups, and removal for good.
import { and, asc, desc, eq, gte, lt } from "drizzle-orm";
import { TorusError } from "../../core/errors.ts";
import type { Store } from "../db/open.ts";
import { countOf } from "../db/pages.ts";
import { bin } from "../db/schema.ts";
import { read, type Tx, writeUncached } from "../db/transaction.ts";
import { removeEntries } from "./move.ts";

export type BinEntry = typeof bin.$inferSelect;

/** Entries removed per transaction: their rows may be many. */
export const EXPIRED_ENTRIES = 20;

interface BinPage {
  /** Entries deleted before, ms since the epoch, are gone. */
  readonly sinceAt: number;
  readonly from: number;
  readonly to: number;
}

/** A page of the entries, newest first. */
export function listBin(store: Store, { sinceAt, from, to }: BinPage): Promise<BinEntry[]> {
  return read(store, (db) =>
    db
      .select()
      .from(bin)
      .where(gte(bin.deletedAt, sinceAt))
      .orderBy(desc(bin.deletedAt), asc(bin.kind), asc(bin.name), asc(bin.id))
      .limit(to - from)
      .offset(from)
      .all(),
  );
}

/** Number of entries on all pages. */
export function countBin(store: Store, sinceAt: number): Promise<number> {
  return read(store, (db) => countOf(db, bin, gte(bin.deletedAt, sinceAt)));
}

/** Entries of buckets that have had points in files. */
export function listBinnedFiles(store: Store): Promise<BinEntry[]> {
  return read(store, (db) => db.select().from(bin).where(eq(bin.hasPoints, true)).all());
}

/** @throws TorusError `not_found`, also for one deleted before `sinceAt` */
export async function requireEntry(tx: Pick<Tx, "select">, id: string, sinceAt: number): Promise<BinEntry> {
  const isThere = and(eq(bin.id, id), gte(bin.deletedAt, sinceAt));
  const entry = await tx.select().from(bin).where(isThere).get();
  if (entry) return entry;
  const way = "it was restored, deleted for good, or is older than server.bin";
  throw new TorusError("not_found", `the bin has no entry ${id.slice(0, 64)}: ${way}`);
}

/** Removes entries for good, all or none. @throws TorusError `not_found` naming the first unknown one */
export function removeFromBin(store: Store, ids: readonly string[], sinceAt: number): Promise<void> {
  return writeUncached(store, async (tx) => {
    for (const id of ids) await requireEntry(tx, id, sinceAt);
    await removeEntries(tx, ids);
  });
}

/** Removes entries deleted before an instant, the oldest first. @returns how many, `EXPIRED_ENTRIES` at most */
export function expireBin(store: Store, before: number): Promise<number> {
  return writeUncached(store, async (tx) => {
    const expired = lt(bin.deletedAt, before);
    const rows = await tx
      .select({ id: bin.id })
      .from(bin)
      .where(expired)
      .orderBy(asc(bin.deletedAt))
      .limit(EXPIRED_ENTRIES)
      .all();
    await removeEntries(
      tx,
      rows.map(({ id }) => id),
    );
    return rows.length;
  });
}
