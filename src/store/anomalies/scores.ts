// SQL of recorded scores: blocks of intervals per model or series, appended with the evaluation that scored them.
import { and, asc, desc, eq, gt, inArray, isNull, lt, lte, type SQL, sql } from "drizzle-orm";
import { appendRun, type ScoredRun, type ScoreRun } from "../../core/series/score-run.ts";
import type { Db } from "../db/database.ts";
import { mapPipelined } from "../db/in-order.ts";
import type { Store } from "../db/open.ts";
import { prepareOnce } from "../db/prepared.ts";
import { scores } from "../db/schema.ts";
import { read, type Tx, writeUncached } from "../db/transaction.ts";
import { appendDeviations, type ScoredSubject } from "./deviations.ts";

type BlockRow = typeof scores.$inferSelect;
/** Bounds the intervals before a range whose block may reach into it. */
const MAX_BLOCK_INTERVALS = 240;

/** Records the scores of a window and its deviations; within the transaction of the evaluation. */
export async function recordScores(tx: Tx, subject: ScoredSubject, run: ScoredRun): Promise<void> {
  await appendScores(tx, subject, run);
  await appendDeviations(tx, subject, run.deviations);
}

/** Appends a run to the blocks of a model or series; within the transaction of the evaluation. */
export async function appendScores(
  tx: Tx,
  { model, series = null }: ScoredSubject,
  run: ScoreRun,
): Promise<void> {
  const place = { model, series };
  const row = await prepareOnce(tx, selectLast).get({
    ...place,
    intervalMs: run.intervalMs,
    at: run.startAt,
  });
  const { blocks, isJoined } = appendRun(row && toRun(row), run);
  for (const [i, { startAt, intervalMs, version, features, values }] of blocks.entries()) {
    const data = toBytes(values);
    if (i === 0 && isJoined) await prepareOnce(tx, updateBlock).run({ id: row!.id, data });
    else await prepareOnce(tx, insertBlock).run({ ...place, startAt, intervalMs, version, features, data });
  }
}

/** Runs of a model or series that overlap the range, in the order of their starts. */
export async function listScores(store: Store, query: ScoreQuery): Promise<ScoreRun[]> {
  const [runs = []] = await listScoresOf(store, [query]);
  return runs;
}

/** The runs of each query, read together. @returns in the order of the queries */
export function listScoresOf(store: Store, queries: readonly ScoreQuery[]): Promise<ScoreRun[][]> {
  return read(store, async (db) => {
    const found = await mapPipelined(queries, ({ model, series = null, fromAt, toAt, intervalMs }) => {
      const range = { model, intervalMs, earliestAt: fromAt - MAX_BLOCK_INTERVALS * intervalMs, toAt };
      return series === null
        ? prepareOnce(db, selectOfModel).all(range)
        : prepareOnce(db, selectOfSeries).all({ ...range, series });
    });
    return found.map((rows) => rows.map(toRun));
  });
}

/** Keys of the series of a model that have recorded scores, found by seeks in the index. */
export function listScoredSeries(store: Store, model: string): Promise<string[]> {
  const next = (after: SQL) => sql`SELECT min(series) FROM scores WHERE model = ${model} AND ${after}`;
  return read(store, async (db) => {
    const rows = await db.values<[string]>(
      sql`WITH RECURSIVE keys(key) AS (
        SELECT (${next(sql`series IS NOT NULL`)})
        UNION ALL SELECT (${next(sql`series > key`)}) FROM keys WHERE key IS NOT NULL
      ) SELECT key FROM keys WHERE key IS NOT NULL`,
    );
    return rows.map(([key]) => key);
  });
}

interface ScoreQuery extends ScoredSubject {
  /** ms since the epoch; `toAt` exclusive. */
  readonly fromAt: number;
  readonly toAt: number;
  /** Runs of this interval only. */
  readonly intervalMs: number;
}

/**
 * Removes blocks all of whose intervals are older.
 * @param most blocks of one transaction
 * @returns number of blocks removed
 */
export function removeScores(store: Store, beforeAt: number, most: number): Promise<number> {
  const end = sql`${scores.startAt} + ${MAX_BLOCK_INTERVALS} * ${scores.intervalMs}`;
  return writeUncached(store, async (tx) => {
    const old = tx
      .select({ id: scores.id })
      .from(scores)
      .where(and(lt(scores.startAt, beforeAt), lte(end, beforeAt)))
      .limit(most);
    return (await tx.delete(scores).where(inArray(scores.id, old)).returning({ id: scores.id }).all()).length;
  });
}

function toRun({ startAt, intervalMs, version, features, data }: BlockRow): ScoreRun {
  // A copy: the bytes of a row need not start at a multiple of four.
  return { startAt, intervalMs, version, features, values: new Float32Array(new Uint8Array(data).buffer) };
}

function toBytes({ buffer, byteOffset, byteLength }: Float32Array): Buffer {
  return Buffer.from(buffer as ArrayBuffer, byteOffset, byteLength);
}

const { placeholder } = sql;

const inRange = and(
  eq(scores.model, placeholder("model")),
  eq(scores.intervalMs, placeholder("intervalMs")),
  gt(scores.startAt, placeholder("earliestAt")),
  lt(scores.startAt, placeholder("toAt")),
);

// Two statements: PostgreSQL seeks in an index by `=` and `is null`, not by `is not distinct from`.
const selectOfModel = (db: Db) =>
  db
    .select()
    .from(scores)
    .where(and(inRange, isNull(scores.series)))
    .orderBy(asc(scores.startAt), asc(scores.id))
    .prepare();

const selectOfSeries = (db: Db) =>
  db
    .select()
    .from(scores)
    .where(and(inRange, eq(scores.series, placeholder("series"))))
    .orderBy(asc(scores.startAt), asc(scores.id))
    .prepare();

const selectLast = (db: Db) =>
  db
    .select()
    .from(scores)
    .where(
      and(
        eq(scores.model, placeholder("model")),
        sql`${scores.series} is not distinct from ${placeholder("series")}`,
        eq(scores.intervalMs, placeholder("intervalMs")),
        lte(scores.startAt, placeholder("at")),
      ),
    )
    .orderBy(desc(scores.startAt), desc(scores.id))
    .limit(1)
    .prepare();

const updateBlock = (db: Db) =>
  db
    .update(scores)
    .set({ data: placeholder("data") as unknown as Buffer })
    .where(eq(scores.id, placeholder("id")))
    .prepare();

const insertBlock = (db: Db) =>
  db
    .insert(scores)
    .values({
      model: placeholder("model"),
      series: placeholder("series"),
      startAt: placeholder("startAt"),
      intervalMs: placeholder("intervalMs"),
      version: placeholder("version"),
      features: placeholder("features"),
      data: placeholder("data"),
    })
    .prepare();
