// Deletion into the bin: a resource and what belongs to it, within the transaction that deletes them.
import { asc, count, desc, eq, inArray, sql, sum } from "drizzle-orm";
import type { ResourceKind } from "../../core/apply/kinds.ts";
import { bin, binRows, fitSets, versionSeries } from "../db/schema.ts";
import type { Tx } from "../db/transaction.ts";
import { packRow, type Row, type SourceName, sizeOfRow } from "./sources.ts";

/** Bounds of the bin: beyond them the oldest entries go first; the newest one stays, however large. */
const binCaps = { entries: 10_000, bytes: 4_294_967_296 } as const;

/** A deletion that can be undone; absent: it is for good. */
export interface Deletion {
  /** ms since the epoch. */
  readonly at: number;
  /** Name of the token; absent: without authentication. */
  readonly by?: string | undefined;
}

/** A resource that is being deleted. */
interface Deleted {
  readonly kind: ResourceKind;
  readonly name: string;
  /** Of a hook of a model. */
  readonly model?: string | null;
  /** In the order in which they are restored. */
  readonly rows: Iterable<readonly [SourceName, Row]> | AsyncIterable<readonly [SourceName, Row]>;
  /** Of a bucket that has had points in a file. */
  readonly hasPoints?: boolean;
  /** Size of its file. */
  readonly fileBytes?: number;
}

/**
 * Copies a resource into the bin, before its rows are deleted.
 * @returns id of the entry
 */
export async function moveToBin(tx: Tx, deleted: Deleted, { at, by }: Deletion): Promise<string> {
  const { kind, name, model = null, rows, hasPoints = false, fileBytes = 0 } = deleted;
  const id = crypto.randomUUID();
  await tx
    .insert(bin)
    .values({ id, kind, name, model, deletedAt: at, deletedBy: by ?? null, bytes: 0, hasPoints })
    .run();
  let bytes = fileBytes;
  let place = 0;
  for await (const [source, row] of rows) {
    const stored = packRow(source, row);
    await tx
      .insert(binRows)
      .values({ bin: id, place: place++, ...stored })
      .run();
    bytes += sizeOfRow(stored);
    if (source === "fitSets") bytes += await keepFits(tx, id, row.id as number);
  }
  await tx.update(bin).set({ bytes }).where(eq(bin.id, id)).run();
  return id;
}

/** Keeps a set of fitted series in its place. @returns its bytes */
async function keepFits(tx: Tx, id: string, fitSet: number): Promise<number> {
  await tx.update(fitSets).set({ bin: id }).where(eq(fitSets.id, fitSet)).run();
  const bytes = sql<number>`coalesce(sum(length(${versionSeries.parameters})), 0)`;
  const ofSet = eq(versionSeries.fitSet, fitSet);
  const found = await tx.select({ bytes }).from(versionSeries).where(ofSet).get();
  return Number(found?.bytes ?? 0);
}

/** Removes the oldest entries beyond the bounds, but for the newest one; after the last `moveToBin` of a transaction. */
export async function trimBin(tx: Tx): Promise<void> {
  const total = await tx
    .select({ n: count(), bytes: sum(bin.bytes) })
    .from(bin)
    .get();
  if ((total?.n ?? 0) <= binCaps.entries && Number(total?.bytes ?? 0) <= binCaps.bytes) return;
  const rows = await tx
    .select({ id: bin.id, bytes: bin.bytes })
    .from(bin)
    .orderBy(desc(bin.deletedAt), asc(bin.id))
    .all();
  let bytes = 0;
  const surplus = rows.filter((row, i) => {
    bytes += row.bytes;
    return i > 0 && (i >= binCaps.entries || bytes > binCaps.bytes);
  });
  await removeEntries(
    tx,
    surplus.map(({ id }) => id),
  );
}

/** Ids per statement: SQLite limits its parameters. */
const MAX_IDS = 500;

/** Removes entries with their rows. */
export async function removeEntries(tx: Tx, ids: readonly string[]): Promise<void> {
  for (let i = 0; i < ids.length; i += MAX_IDS)
    await tx
      .delete(bin)
      .where(inArray(bin.id, ids.slice(i, i + MAX_IDS)))
      .run();
}
