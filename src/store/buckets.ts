// SQL of buckets: settings by name, secrets sealed.
import { eq, like, sql } from "drizzle-orm";
import { TorusError } from "../core/errors.ts";
import type { BucketSettings } from "../core/model/bucket-settings.ts";
import { type Deletion, moveToBin, trimBin } from "./bin/move.ts";
import { readCached } from "./db/cached-query.ts";
import { assertBelowCap, caps } from "./db/caps.ts";
import type { Db } from "./db/database.ts";
import { mapInOrder } from "./db/in-order.ts";
import { ensureMeta } from "./db/meta.ts";
import type { Store } from "./db/open.ts";
import { prepareOnce } from "./db/prepared.ts";
import { buckets, meta } from "./db/schema.ts";
import { announce, read, type Tx, write } from "./db/transaction.ts";
import { assertAlone } from "./postgres/join.ts";
import type { Place } from "./secrets/seal.ts";

/** `settings` includes the secrets. */
export type BucketRow = typeof buckets.$inferSelect;

export interface BucketChange {
  readonly name: string;
  readonly kind: string;
  readonly settings: BucketSettings;
  /** Whether its points are in files of one server: refused where nodes share the database. */
  readonly hasFiles?: boolean;
}

/** All buckets, by name. */
export function listBuckets(store: Store): Promise<BucketRow[]> {
  return read(store, async (db) =>
    (await prepareOnce(db, selectBuckets).all()).map((row) => openRow(store, row)),
  );
}

function selectBuckets(db: Db) {
  return db.select().from(buckets).orderBy(buckets.name).prepare();
}

/** @throws TorusError `not_found` */
export async function loadBucket(store: Store, name: string): Promise<BucketRow> {
  return (await findBucket(store, name)) ?? failUnknown(name);
}

/** @returns undefined where there is none */
export function findBucket(store: Store, name: string): Promise<BucketRow | undefined> {
  const find = async (db: Db) => {
    const row = await prepareOnce(db, selectBucket).get({ name });
    return row && openRow(store, row);
  };
  return readCached(store, { kind: "bucket", key: name, read: find });
}

function selectBucket(db: Db) {
  return db
    .select()
    .from(buckets)
    .where(eq(buckets.name, sql.placeholder("name")))
    .prepare();
}

/**
 * Creates a bucket where there is none of that name.
 * @param at ms since the epoch
 * @throws TorusError `invalid` beyond the cap, `not_supported` for files of one server among several nodes
 */
export function ensureBucket(store: Store, bucket: BucketChange, at: number): Promise<void> {
  return write(store, async (tx) => {
    const known = await tx.select().from(buckets).where(eq(buckets.name, bucket.name)).get();
    if (known) return;
    if (bucket.hasFiles && store.engine.isShared) await assertAlone(tx);
    await insertBucket(tx, { store, bucket, at });
  });
}

/**
 * Creates or replaces a bucket.
 * @param at ms since the epoch
 * @returns the row that was replaced, its secrets sealed, or undefined
 * @throws TorusError as `ensureBucket`
 */
export function putBucket(store: Store, bucket: BucketChange, at: number): Promise<BucketRow | undefined> {
  return write(store, async (tx) => {
    const { name, kind } = bucket;
    if (bucket.hasFiles && store.engine.isShared) await assertAlone(tx);
    const old = await tx.select().from(buckets).where(eq(buckets.name, name)).get();
    if (!old) {
      await insertBucket(tx, { store, bucket, at });
      return undefined;
    }
    if (old.kind !== kind) await forgetPoints(tx, name);
    const settings = store.vault.seal(placeOf(bucket), bucket.settings, kind);
    await tx.update(buckets).set({ kind, settings, updatedAt: at }).where(eq(buckets.name, name)).run();
    announce(tx, { type: "bucket", bucket: name, step: "changed" });
    return old;
  });
}

async function insertBucket(
  tx: Tx,
  { store, bucket, at }: { readonly store: Store; readonly bucket: BucketChange; readonly at: number },
): Promise<void> {
  await assertBelowCap(tx, caps.buckets);
  const { name, kind } = bucket;
  const settings = store.vault.seal(placeOf(bucket), bucket.settings, kind);
  await tx.insert(buckets).values({ name, kind, settings, createdAt: at, updatedAt: at }).run();
  announce(tx, { type: "bucket", bucket: name, step: "created" });
}

/**
 * Changes the settings of buckets, all or none.
 * @param change gets the row and returns its new settings; a throw undoes everything
 * @throws TorusError `not_found` naming the first unknown one
 */
export function patchBuckets(
  store: Store,
  names: readonly string[],
  { at, change }: { at: number; change: (row: BucketRow) => BucketSettings },
): Promise<void> {
  return write(store, async (tx) => {
    for (const name of names) {
      const row = openRow(store, await requireBucket(tx, name));
      const settings = store.vault.seal(placeOf(row), change(row), row.kind);
      await tx.update(buckets).set({ settings, updatedAt: at }).where(eq(buckets.name, name)).run();
      announce(tx, { type: "bucket", bucket: name, step: "changed" });
    }
  });
}

/** A bucket that was deleted, its secrets sealed. */
type RemovedBucket = BucketRow & {
  /** Its entry of the bin; absent: it was deleted for good. */
  readonly binned?: string;
};

/**
 * Deletes buckets, all or none.
 * @param deletion absent: for good
 * @param sizeOf bytes of the file of a bucket
 * @throws TorusError `not_found` naming the first unknown one
 */
export function removeBuckets(
  store: Store,
  names: readonly string[],
  deletion?: Deletion,
  sizeOf: (name: string) => number = () => 0,
): Promise<RemovedBucket[]> {
  return write(store, async (tx) => {
    const removed = await mapInOrder(new Set(names), async (name): Promise<RemovedBucket> => {
      const row = await requireBucket(tx, name);
      const binned = deletion && (await binBucket(tx, row, { deletion, fileBytes: sizeOf(name) }));
      await tx.delete(buckets).where(eq(buckets.name, name)).run();
      await forgetPoints(tx, name);
      announce(tx, { type: "bucket", bucket: name, step: "deleted" });
      return binned === undefined ? row : { ...row, binned };
    });
    if (deletion) await trimBin(tx);
    return removed;
  });
}

async function binBucket(
  tx: Tx,
  row: BucketRow,
  { deletion, fileBytes }: { readonly deletion: Deletion; readonly fileBytes: number },
): Promise<string> {
  const { name } = row;
  const hasPoints = (await findPointsNote(tx, name)) !== undefined;
  return moveToBin(
    tx,
    { kind: "bucket", name, rows: [["buckets", row]], hasPoints, ...(hasPoints && { fileBytes }) },
    deletion,
  );
}

/** Row of `meta` of a bucket that has had points in a file. */
const POINTS = "points:";

/** Keeps that a bucket has points in a file: without it a file that is gone looks like one that was never there. */
export function keepPoints(store: Store, name: string): Promise<string> {
  return ensureMeta(store, POINTS + name, () => "1");
}

/** Names of the buckets that have had points in a file. */
export function listWithPoints(store: Store): Promise<string[]> {
  return read(store, async (db) => {
    const rows = await db
      .select({ key: meta.key })
      .from(meta)
      .where(like(meta.key, `${POINTS}%`))
      .all();
    return rows.map(({ key }) => key.slice(POINTS.length));
  });
}

/** Whether a bucket has had points in a file. */
export function hasHadPoints(store: Store, name: string): Promise<boolean> {
  return read(store, async (db) => (await findPointsNote(db, name)) !== undefined);
}

function findPointsNote(db: Pick<Tx, "select">, name: string) {
  return db
    .select()
    .from(meta)
    .where(eq(meta.key, POINTS + name))
    .get();
}

/** As `keepPoints`, of a bucket that is restored, in its transaction. */
export async function notePoints(tx: Tx, name: string): Promise<void> {
  await tx
    .insert(meta)
    .values({ key: POINTS + name, value: "1" })
    .onConflictDoNothing()
    .run();
}

function forgetPoints(tx: Tx, name: string): Promise<unknown> {
  return Promise.resolve(
    tx
      .delete(meta)
      .where(eq(meta.key, POINTS + name))
      .run(),
  );
}

function placeOf({ name }: Pick<BucketRow, "name">): Place {
  return { table: "buckets", row: [name] };
}

function openRow({ vault }: Store, row: BucketRow): BucketRow {
  return { ...row, settings: vault.open(placeOf(row), row.settings) };
}

async function requireBucket(tx: Pick<Tx, "select">, name: string): Promise<BucketRow> {
  const row = await tx.select().from(buckets).where(eq(buckets.name, name)).get();
  return row ?? failUnknown(name);
}

function failUnknown(name: string): never {
  throw new TorusError("not_found", `bucket ${name} does not exist`);
}
