// SQL of the series of a version: parameters read in pages, lists without them, series fitted after the training.
import { and, asc, desc, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import { TorusError } from "../../core/errors.ts";
import { yieldToEventLoop } from "../../runtime/steps.ts";
import type { Db } from "../db/database.ts";
import type { Store } from "../db/open.ts";
import { countOf } from "../db/pages.ts";
import { prepareOnce } from "../db/prepared.ts";
import { fitSets, versionSeries, versions } from "../db/schema.ts";
import { read, writeUncached } from "../db/transaction.ts";
import { isVersion, versionNotFound } from "../version-retention.ts";
import { insertSet, type NewSeriesFit } from "./fit-sets.ts";
import { ARCHIVE_LEVEL, packJson, unpackJson } from "./packed-json.ts";
import { holdsText } from "./series-tags.ts";

/** Series unpacked at once: some 10 ms. */
const PAGE_ROWS = 64;

/** A series of a version, without its parameters. */
export interface ListedSeriesFit extends Omit<NewSeriesFit, "parameters"> {
  /** ms since the epoch. */
  readonly fittedAt: number;
}

export interface SeriesFit extends NewSeriesFit, ListedSeriesFit {
  /** The parameters as they are stored, see `unpackJson`: a third of their size. */
  readonly packed: Uint8Array<ArrayBuffer>;
}

interface VersionRef {
  readonly model: string;
  /** Name of the version. */
  readonly version: string;
}

/**
 * Adds a series to a version, or replaces its fit.
 * @returns false where the version is gone: nothing has changed
 */
export function saveSeriesFit(
  store: Store,
  { model, version, at, parameters, ...fit }: VersionRef & NewSeriesFit & { readonly at: number },
): Promise<boolean> {
  const packed = packJson(parameters, ARCHIVE_LEVEL);
  return writeUncached(store, async (tx) => {
    const found = await prepareOnce(tx, selectSet).get({ model, version });
    if (!found) return false;
    const fitSet = found.fitSet ?? (await insertSet(tx, { model, number: found.number })).id;
    const { key, ...rest } = { ...fit, fittedAt: at, parameters: packed };
    await tx
      .insert(versionSeries)
      .values({ fitSet, key, ...rest })
      .onConflictDoUpdate({ target: [versionSeries.fitSet, versionSeries.key], set: rest })
      .run();
    return true;
  });
}

/**
 * The series of a version with their parameters, by key, in pages; other work runs between two pages.
 * @param keys those to load; absent: all
 * @throws TorusError `not_found`, also where the version is removed meanwhile; `weights_corrupt`
 */
export async function* loadSeriesFits(
  store: Store,
  { model, version }: VersionRef,
  keys?: readonly string[],
): AsyncGenerator<readonly SeriesFit[]> {
  const wanted = keys?.toSorted();
  let after = "";
  for (let from = 0; ; from += PAGE_ROWS) {
    const part = wanted?.slice(from, from + PAGE_ROWS);
    const page = await read(store, async (db) => {
      const fitSet = await requireSet(db, { model, version });
      const which = part ? inArray(versionSeries.key, part) : gt(versionSeries.key, after);
      if (fitSet === null) return [];
      return (
        await db
          .select()
          .from(versionSeries)
          .where(and(eq(versionSeries.fitSet, fitSet), which))
          .orderBy(asc(versionSeries.key))
          .limit(PAGE_ROWS)
          .all()
      ).map((row) => unpack(row, { model, version }));
    });
    if (page.length > 0) yield page;
    const isLast = wanted ? from + PAGE_ROWS >= wanted.length : page.length < PAGE_ROWS;
    if (isLast) return;
    after = page.at(-1)?.key ?? after;
    await yieldToEventLoop();
  }
}

type FitRow = typeof versionSeries.$inferSelect;

function unpack({ fitSet: _, parameters, ...row }: FitRow, { model, version }: VersionRef): SeriesFit {
  try {
    // A copy: the type of the driver leaves the memory open.
    const packed = new Uint8Array(parameters);
    return { ...row, packed, parameters: unpackJson(packed) };
  } catch {
    const way = "train the model again or restore another version";
    const place = `model ${model}, version ${version}, series ${row.key.slice(0, 256)}`;
    throw new TorusError("weights_corrupt", `the parameters of ${place}, are damaged: ${way}`);
  }
}

interface FitQuery {
  /** Part of a value of a tag; letters of ASCII in either case. */
  readonly q?: string;
  readonly descending?: boolean;
  readonly page: { readonly offset: number; readonly limit: number };
}

/** A page of the series of a version, by key. @throws TorusError `not_found` */
export function listSeriesFits(
  store: Store,
  ref: VersionRef,
  { q, descending = false, page }: FitQuery,
): Promise<ListedSeriesFit[]> {
  const { key } = versionSeries;
  return read(store, async (db) => {
    const where = await isOf(db, ref, q);
    return db
      .select(listed)
      .from(versionSeries)
      .where(where)
      .orderBy(descending ? desc(key) : asc(key))
      .limit(page.limit)
      .offset(page.offset)
      .all();
  });
}

/** Number of series of a version, or of those that `q` finds; 0 of one without series. @throws TorusError `not_found` */
export function countSeriesFits(store: Store, ref: VersionRef, q?: string): Promise<number> {
  return read(store, async (db) => {
    const where = await isOf(db, ref, q);
    return countOf(db, versionSeries, where);
  });
}

/** Some series of a version, by key; unknown ones are left out. @throws TorusError `not_found` */
export function findSeriesFits(
  store: Store,
  ref: VersionRef,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ListedSeriesFit>> {
  return read(store, async (db) => {
    const where = and(await isOf(db, ref), inArray(versionSeries.key, [...keys]));
    const rows = await db.select(listed).from(versionSeries).where(where).all();
    return new Map(rows.map((row) => [row.key, row]));
  });
}

const { key, tags, points, fittedAt } = versionSeries;
const listed = { key, tags, points, fittedAt };

async function isOf(db: Db, ref: VersionRef, q?: string): Promise<SQL | undefined> {
  const isOfSet = eq(versionSeries.fitSet, (await requireSet(db, ref)) ?? NO_SET);
  return q ? and(isOfSet, holdsText(versionSeries.key, q)) : isOfSet;
}

/** Matches no row. */
const NO_SET = -1;

/** @returns null for a version without series */
async function requireSet(db: Db, { model, version }: VersionRef): Promise<number | null> {
  const found = await prepareOnce(db, selectSet).get({ model, version });
  if (!found) throw versionNotFound(model, version);
  return found.fitSet;
}

const selectSet = (db: Db) =>
  db
    .select({ number: versions.number, fitSet: fitSets.id })
    .from(versions)
    .leftJoin(fitSets, and(eq(fitSets.model, versions.model), eq(fitSets.number, versions.number)))
    .where(isVersion(sql.placeholder("model"), sql.placeholder("version")))
    .prepare();
