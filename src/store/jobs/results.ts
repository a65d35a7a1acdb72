// SQL of results: small ones in the row of their job, large ones in parts, the oldest dropped beyond a cap.
import { and, eq, sql } from "drizzle-orm";
import { yieldToEventLoop } from "../../runtime/steps.ts";
import type { Db } from "../db/database.ts";
import type { Store } from "../db/open.ts";
import { prepareOnce } from "../db/prepared.ts";
import { jobResults, jobs } from "../db/schema.ts";
import { read, type Tx, write, writeUncached } from "../db/transaction.ts";
import type { Claim } from "./transitions.ts";

/** Largest result that is stored in the row, and shown in lists. */
export const SMALL_RESULT_BYTES = 64 * 1024;
/** Parts written or deleted per transaction, some 4 MB. */
const PARTS_PER_TRANSACTION = 16;
/** Results read at once to be dropped. */
const DROP_BATCH = 100;

/** JSON of a result, in the pieces in which it is stored. */
export interface ResultText {
  readonly pieces: readonly string[];
  /** In UTF-8. */
  readonly bytes: number;
}

/** A result that was answered in the request and is not stored. */
export const notKept: ResultText = { pieces: [], bytes: 0 };

/** Result columns of the row of a job; a large result is written in parts before. */
export function resultColumns(text: ResultText | null) {
  if (text === null) return { result: null, resultBytes: null };
  const isInRow = text.bytes > 0 && text.bytes <= SMALL_RESULT_BYTES;
  return { result: isInRow ? sql`${text.pieces.join("")}` : null, resultBytes: text.bytes };
}

/** Writes a large result, a few parts per transaction. @returns false where the claim no longer holds */
export async function saveParts(store: Store, claim: Claim, { pieces }: ResultText): Promise<boolean> {
  for (let from = 0; from < pieces.length; from += PARTS_PER_TRANSACTION) {
    const isHeld = await writeUncached(store, async (tx) => {
      const seq = await findRunning(tx, claim);
      if (seq === undefined) return false;
      // Left by an earlier attempt.
      if (from === 0) await tx.delete(jobResults).where(eq(jobResults.job, seq)).run();
      const parts = pieces.slice(from, from + PARTS_PER_TRANSACTION);
      await tx
        .insert(jobResults)
        .values(parts.map((text, index) => ({ job: seq, part: from + index, text })))
        .run();
      return true;
    });
    if (!isHeld) return false;
    await yieldToEventLoop();
  }
  return true;
}

async function findRunning(tx: Tx, { id, owner }: Claim): Promise<number | undefined> {
  const rules = and(eq(jobs.id, id), eq(jobs.owner, owner), eq(jobs.state, "running"));
  return (await tx.select({ seq: jobs.seq }).from(jobs).where(rules).get())?.seq;
}

/** Drops results, oldest first, until at most `maxBytes` are left. @returns whether any was dropped */
export async function dropOldestResults(tx: Tx, maxBytes: number): Promise<boolean> {
  // Literally the condition of the index, so that SQLite uses it.
  const isKept = sql`result_bytes > 0`;
  const sum = sql<number>`cast(coalesce(sum(${jobs.resultBytes}), 0) as bigint)`;
  const kept = (await tx.select({ sum }).from(jobs).where(isKept).get())!.sum;
  let surplus = Math.min(kept - maxBytes, kept);
  if (surplus <= 0) return false;
  while (surplus > 0) {
    const oldest = await tx
      .select({ seq: jobs.seq, bytes: sql<number>`${jobs.resultBytes}` })
      .from(jobs)
      .where(isKept)
      .orderBy(jobs.endedAt, jobs.seq)
      .limit(DROP_BATCH)
      .all();
    for (const { seq, bytes } of oldest) {
      if (surplus <= 0) break;
      await tx.update(jobs).set({ result: null, resultBytes: 0 }).where(eq(jobs.seq, seq)).run();
      surplus -= bytes;
    }
  }
  return true;
}

/** As `dropOldestResults`, with their parts; for a lowered cap. */
export async function trimResults(store: Store, maxBytes: number): Promise<void> {
  await write(store, (tx) => dropOldestResults(tx, maxBytes));
  await pruneParts(store);
}

/** Deletes the parts of dropped results, a few per transaction. */
export async function pruneParts(store: Store): Promise<void> {
  const isDropped = sql`j.state not in ('waiting', 'running') and coalesce(j.result_bytes, 0) = 0`;
  const some = sql`select r.rowid from ${jobResults} r join ${jobs} j on j.seq = r.job where ${isDropped} limit ${PARTS_PER_TRANSACTION}`;
  for (;;) {
    const deleted = await writeUncached(
      store,
      async (tx) =>
        (await tx.all(sql`delete from ${jobResults} where rowid in (${some}) returning part`)).length,
    );
    if (deleted < PARTS_PER_TRANSACTION) return;
    await yieldToEventLoop();
  }
}

/**
 * The JSON of a kept result, read part by part.
 * @throws Error where it is dropped meanwhile: the answer cannot be completed
 */
export async function* readResult(
  store: Store,
  { seq, resultBytes }: { readonly seq: number; readonly resultBytes: number | null },
): AsyncGenerator<string> {
  if ((resultBytes ?? 0) <= SMALL_RESULT_BYTES) {
    yield (await read(store, (db) => prepareOnce(db, selectSmall).get({ seq })))?.text ?? "null";
    return;
  }
  let bytes = 0;
  for (let part = 0; bytes < resultBytes!; part++) {
    const row = await read(store, (db) => prepareOnce(db, selectPart).get({ seq, part }));
    if (!row && part === 0) return yield "null";
    if (!row) throw new Error("a result was dropped while it was sent");
    bytes += Buffer.byteLength(row.text);
    yield row.text;
  }
}

function selectSmall(db: Db) {
  return db
    .select({ text: sql<string | null>`${jobs.result}` })
    .from(jobs)
    .where(eq(jobs.seq, sql.placeholder("seq")))
    .prepare();
}

function selectPart(db: Db) {
  return db
    .select({ text: jobResults.text })
    .from(jobResults)
    .where(and(eq(jobResults.job, sql.placeholder("seq")), eq(jobResults.part, sql.placeholder("part"))))
    .prepare();
}
