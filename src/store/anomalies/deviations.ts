// SQL of deviations: stretches of rare scores, grown with the evaluations that score them, found by their start.
import { and, asc, desc, eq, gte, inArray, isNull, lt, lte, sql } from "drizzle-orm";
import { type Deviation, joinDeviations } from "../../core/related/deviation.ts";
import type { Range } from "../../core/series/grid.ts";
import type { Db } from "../db/database.ts";
import { mapPipelined } from "../db/in-order.ts";
import type { Store } from "../db/open.ts";
import { prepareOnce } from "../db/prepared.ts";
import { deviations } from "../db/schema.ts";
import { read, type Tx, writeUncached } from "../db/transaction.ts";

/** What has scores: a model, or a series of a fleet. */
export interface ScoredSubject {
  readonly model: string;
  /** Key of the series; absent: of the model. */
  readonly series?: string | null | undefined;
}

export interface StoredDeviation extends Deviation {
  readonly model: string;
  /** Null: of the model. */
  readonly series: string | null;
}

/** Appends what a window has; what goes on in it grows. Within the transaction of the evaluation. */
export async function appendDeviations(
  tx: Tx,
  { model, series = null }: ScoredSubject,
  found: readonly Deviation[],
): Promise<void> {
  for (const [i, own] of found.entries()) {
    const last = i === 0 && (await prepareOnce(tx, selectLast).get({ model, series, startAt: own.startAt }));
    const joined = last && joinDeviations(last, own);
    if (joined) await prepareOnce(tx, updateOne).run({ id: last.id, ...joined });
    else await prepareOnce(tx, insertOne).run({ model, series, ...own });
  }
}

/** Deviations that begin in the range, the strongest first. @param limit of the answer */
export function listDeviations(
  store: Store,
  { fromAt, toAt }: Range,
  limit: number,
): Promise<StoredDeviation[]> {
  const { startAt, peak, id } = deviations;
  return read(store, (db) =>
    db
      .select(columns)
      .from(deviations)
      .where(and(gte(startAt, fromAt), lt(startAt, toAt)))
      .orderBy(desc(peak), asc(id))
      .limit(limit)
      .all(),
  );
}

/** Those of each subject that begin in the range, oldest first. @returns in the order of the subjects */
export function listDeviationsOf(
  store: Store,
  subjects: readonly ScoredSubject[],
  { fromAt, toAt }: Range,
): Promise<StoredDeviation[][]> {
  return read(store, (db) =>
    mapPipelined(subjects, ({ model, series = null }) =>
      series === null
        ? prepareOnce(db, selectOfModel).all({ model, fromAt, toAt })
        : prepareOnce(db, selectOfSeries).all({ model, series, fromAt, toAt }),
    ),
  );
}

/** Start of the oldest deviation, ms since the epoch; undefined: there is none. */
export function findFirstDeviation(store: Store): Promise<number | undefined> {
  const { startAt } = deviations;
  return read(
    store,
    async (db) =>
      (await db.select({ startAt }).from(deviations).orderBy(asc(startAt)).limit(1).get())?.startAt,
  );
}

/** Removes deviations that began earlier. @param most of one transaction @returns number removed */
export function removeDeviations(store: Store, beforeAt: number, most: number): Promise<number> {
  const { id, startAt } = deviations;
  return writeUncached(store, async (tx) => {
    const old = tx.select({ id }).from(deviations).where(lt(startAt, beforeAt)).limit(most);
    return (await tx.delete(deviations).where(inArray(id, old)).returning({ id }).all()).length;
  });
}

const columns = {
  model: deviations.model,
  series: deviations.series,
  startAt: deviations.startAt,
  endAt: deviations.endAt,
  intervalMs: deviations.intervalMs,
  peak: deviations.peak,
  feature: deviations.feature,
  type: deviations.type,
};

const { placeholder } = sql;
const to = <T>(name: string) => placeholder(name) as unknown as T;
const inRange = and(
  eq(deviations.model, placeholder("model")),
  gte(deviations.startAt, placeholder("fromAt")),
  lt(deviations.startAt, placeholder("toAt")),
);

// Two statements: PostgreSQL seeks in an index by `=` and `is null`, not by `is not distinct from`.
const selectOfModel = (db: Db) =>
  db
    .select(columns)
    .from(deviations)
    .where(and(inRange, isNull(deviations.series)))
    .orderBy(asc(deviations.startAt))
    .prepare();

const selectOfSeries = (db: Db) =>
  db
    .select(columns)
    .from(deviations)
    .where(and(inRange, eq(deviations.series, placeholder("series"))))
    .orderBy(asc(deviations.startAt))
    .prepare();

const selectLast = (db: Db) =>
  db
    .select()
    .from(deviations)
    .where(
      and(
        eq(deviations.model, placeholder("model")),
        sql`${deviations.series} is not distinct from ${placeholder("series")}`,
        lte(deviations.startAt, placeholder("startAt")),
      ),
    )
    .orderBy(desc(deviations.startAt), desc(deviations.id))
    .limit(1)
    .prepare();

const values = {
  startAt: to<number>("startAt"),
  endAt: to<number>("endAt"),
  intervalMs: to<number>("intervalMs"),
  peak: to<number>("peak"),
  feature: to<string>("feature"),
  type: to<"low" | "high">("type"),
};

const updateOne = (db: Db) =>
  db
    .update(deviations)
    .set(values)
    .where(eq(deviations.id, placeholder("id")))
    .prepare();

const insertOne = (db: Db) =>
  db
    .insert(deviations)
    .values({ model: placeholder("model"), series: placeholder("series"), ...values })
    .prepare();
