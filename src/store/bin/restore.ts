// Restoring from the bin: the rows of resources return to their tables, all in one transaction.
import { and, asc, eq } from "drizzle-orm";
import { resourceKinds } from "../../core/apply/kinds.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { notePoints } from "../buckets.ts";
import { assertCalendars } from "../calendars.ts";
import { mapInOrder } from "../db/in-order.ts";
import type { Store } from "../db/open.ts";
import { binRows, fitSets } from "../db/schema.ts";
import { type Tx, write } from "../db/transaction.ts";
import type { LiveOptions, StoredState } from "../live.ts";
import { assertAlone } from "../postgres/join.ts";
import { type BinEntry, requireEntry } from "./entries.ts";
import { removeEntries } from "./move.ts";
import { announceRestored, assertFree } from "./places.ts";
import { renameRow } from "./rename.ts";
import { type Row, type SourceName, sourceOf, unpackRow } from "./sources.ts";

export interface RestoreOptions {
  /** Of a single entry: the name it gets; absent: the one it had. */
  readonly name?: string | undefined;
  /** ms since the epoch. */
  readonly at: number;
  /** Entries deleted before are gone. */
  readonly sinceAt: number;
  /** Kinds of buckets whose points are in files of one server. */
  readonly kindsWithFiles: readonly string[];
  /** State with which a model that was live starts again. */
  readonly startState: () => StoredState;
  /** Called before the commit: puts the file of a bucket in its place. */
  readonly placeFile: (entry: BinEntry, name: string) => void;
}

export interface RestoredEntry {
  readonly entry: BinEntry;
  /** Name it has now. */
  readonly name: string;
  /** Of a model: whether it is live again. */
  readonly isLive: boolean;
}

/**
 * Restores entries, all or none; what others refer to comes first.
 * @throws TorusError `not_found`, `already_exists` where a name is taken, `invalid` beyond a cap or for a missing calendar,
 * `not_supported` for points in files among several nodes
 */
export function restoreFromBin(
  store: Store,
  ids: readonly string[],
  options: RestoreOptions,
): Promise<RestoredEntry[]> {
  return write(store, async (tx) => {
    const entries = await mapInOrder(new Set(ids), (id) => requireEntry(tx, id, options.sinceAt));
    const inOrder = entries.sort((a, b) => resourceKinds.indexOf(a.kind) - resourceKinds.indexOf(b.kind));
    return mapInOrder(inOrder, (entry) => restoreEntry(tx, store, entry, options));
  });
}

async function restoreEntry(
  tx: Tx,
  store: Store,
  entry: BinEntry,
  options: RestoreOptions,
): Promise<RestoredEntry> {
  const name = options.name ?? entry.name;
  let isLive = false;
  await assertFree(tx, entry, name);
  const { place } = binRows;
  const ofEntry = eq(binRows.bin, entry.id);
  const places = await tx.select({ place }).from(binRows).where(ofEntry).orderBy(asc(place)).all();
  for (const one of places) {
    const stored = await tx
      .select()
      .from(binRows)
      .where(and(ofEntry, eq(place, one.place)))
      .get();
    const unpacked = unpackRow(stored!);
    if (!unpacked) continue;
    const row = name === entry.name ? unpacked.row : renameRow(store, unpacked, { entry, name });
    if (unpacked.name === "models") await assertCalendars(tx, row.settings as ModelSettings);
    const hasFiles = unpacked.name === "buckets" && options.kindsWithFiles.includes(String(row.kind));
    if (hasFiles && store.engine.isShared) await assertAlone(tx);
    await insertRow(tx, { name: unpacked.name, row }, options);
    isLive ||= unpacked.name === "live";
  }
  if (entry.hasPoints) await notePoints(tx, name);
  await removeEntries(tx, [entry.id]);
  announceRestored(tx, entry, name);
  if (entry.hasPoints) options.placeFile(entry, name);
  return { entry, name, isLive };
}

async function insertRow(
  tx: Tx,
  { name, row }: { readonly name: SourceName; readonly row: Row },
  { at, startState }: RestoreOptions,
): Promise<void> {
  if (name === "fitSets") {
    const { id, model, number } = row as typeof fitSets.$inferSelect;
    await tx.update(fitSets).set({ model, number, bin: null }).where(eq(fitSets.id, id)).run();
    return;
  }
  const { id: _, ...unnumbered } = row;
  const values =
    name === "live"
      ? { ...row, startedAt: at, options: row.options as LiveOptions, state: startState() }
      : name === "scores" || name === "deviations"
        ? unnumbered
        : row;
  await tx.insert(sourceOf(name).table).values(values).run();
}
