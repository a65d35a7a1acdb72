// SQL of sets of fitted series: staged in parts before their version exists, then claimed by its commit in one update.
import { and, eq, isNull, sql } from "drizzle-orm";
import { yieldToEventLoop } from "../../runtime/steps.ts";
import type { Db } from "../db/database.ts";
import type { Store } from "../db/open.ts";
import { prepareOnce } from "../db/prepared.ts";
import { fitSets, versionSeries } from "../db/schema.ts";
import { type Tx, writeUncached } from "../db/transaction.ts";
import { ARCHIVE_LEVEL, packJson } from "./packed-json.ts";

/** Rows and bytes written per transaction: some 25 ms. */
const MAX_PART = { rows: 48, bytes: 1024 * 1024 };

/** Rows removed per transaction: some 10 ms. */
const REMOVED_ROWS = 500;

/** Parameters that a training fitted to one series. */
export interface NewSeriesFit {
  /** See `groupKeyOfTags`; unique in the version. */
  readonly key: string;
  readonly tags: Readonly<Record<string, string>>;
  /** Intervals with points that it was fitted to. */
  readonly points: number;
  /** JSON. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** All series of a version; a generator need not hold them in memory at once. */
export type SeriesFits = Iterable<NewSeriesFit> | AsyncIterable<NewSeriesFit>;

/**
 * Writes the series of a version, then commits the version, which claims them with `claimFits`. Where it does not, they
 * are removed.
 * @param fits undefined: the version is of a model without series
 * @param commit gets the set to claim; returns undefined where nothing was committed
 */
export async function withStagedFits<T>(
  store: Store,
  { fits, at }: { fits: SeriesFits | undefined; at: number },
  commit: (fitSet: number | undefined) => Promise<T>,
): Promise<T> {
  if (!fits) return commit(undefined);
  const { id } = await writeUncached(store, (tx) => insertSet(tx, null));
  let result: T | undefined;
  try {
    await writeParts(store, { id, at }, fits);
    result = await commit(id);
    return result;
  } finally {
    // What a full disk leaves is removed after the next start.
    if (result === undefined) await discardFits(store, id).catch(() => undefined);
  }
}

async function writeParts(
  store: Store,
  { id, at }: { id: number; at: number },
  fits: SeriesFits,
): Promise<void> {
  let part: PackedFit[] = [];
  let bytes = 0;
  const flush = async () => {
    const rows = part;
    part = [];
    bytes = 0;
    await writeUncached(store, async (tx) => {
      for (const row of rows) await prepareOnce(tx, insertFit).run({ fitSet: id, fittedAt: at, ...row });
    });
    await yieldToEventLoop();
  };
  for await (const { key, tags, points, parameters } of fits) {
    const packed = packJson(parameters, ARCHIVE_LEVEL);
    part.push({ key, tags, points, parameters: packed });
    bytes += packed.byteLength;
    if (part.length >= MAX_PART.rows || bytes >= MAX_PART.bytes) await flush();
  }
  if (part.length > 0) await flush();
}

type PackedFit = Omit<NewSeriesFit, "parameters"> & { readonly parameters: Buffer };

interface VersionKey {
  readonly model: string;
  readonly number: number;
}

/** @param version null: it does not exist yet */
export function insertSet(tx: Tx, version: VersionKey | null): Promise<{ id: number }> {
  return tx
    .insert(fitSets)
    .values(version ?? { isStaged: true })
    .returning({ id: fitSets.id })
    .get();
}

/** Makes a staged set that of a version. */
export async function claimFits(tx: Tx, id: number, version: VersionKey): Promise<void> {
  await tx
    .update(fitSets)
    .set({ ...version, isStaged: false })
    .where(eq(fitSets.id, id))
    .run();
}

async function discardFits(store: Store, id: number): Promise<void> {
  await writeUncached(store, async (tx) => {
    await tx.update(fitSets).set({ isStaged: false }).where(eq(fitSets.id, id)).run();
  });
  await removeUnusedFits(store);
}

/** Leaves to `removeUnusedFits` the sets that a dead server staged and did not commit. */
export async function releaseStagedFits(tx: Tx): Promise<void> {
  await tx.update(fitSets).set({ isStaged: false }).where(eq(fitSets.isStaged, true)).run();
}

/** Removes the sets of versions that are gone, or never came to be, in parts. */
export async function removeUnusedFits(store: Store): Promise<void> {
  while (await writeUncached(store, removePart)) await yieldToEventLoop();
}

/** @returns whether there may be more */
async function removePart(tx: Tx): Promise<boolean> {
  const isUnused = and(isNull(fitSets.model), isNull(fitSets.bin), eq(fitSets.isStaged, false));
  const unused = await tx.select({ id: fitSets.id }).from(fitSets).where(isUnused).limit(1).get();
  if (!unused) return false;
  const part = sql`rowid in (select rowid from version_series where fit_set = ${unused.id} limit ${REMOVED_ROWS})`;
  const removed = await tx.delete(versionSeries).where(part).returning({ key: versionSeries.key }).all();
  if (removed.length < REMOVED_ROWS) await tx.delete(fitSets).where(eq(fitSets.id, unused.id)).run();
  return true;
}

const { placeholder } = sql;

const insertFit = (db: Db) =>
  db
    .insert(versionSeries)
    .values({
      fitSet: placeholder("fitSet"),
      key: placeholder("key"),
      tags: placeholder("tags"),
      points: placeholder("points"),
      fittedAt: placeholder("fittedAt"),
      parameters: placeholder("parameters"),
    })
    .prepare();
