// SQL of recovery of jobs after a crash, and of their retention.
import { and, asc, desc, eq, inArray, isNotNull, lte, notInArray, or, type SQL, sql } from "drizzle-orm";
import { type JobType, MAX_ATTEMPTS } from "../../core/job.ts";
import type { Store } from "../db/open.ts";
import { jobs } from "../db/schema.ts";
import { type Tx, write } from "../db/transaction.ts";
import { releaseStagedFits } from "../fleets/fit-sets.ts";
import { transitionJob } from "./transitions.ts";

const activities: Readonly<Record<JobType, string>> = {
  training: "training",
  forecast: "forecasting",
  prediction: "predicting",
  read: "reading",
  write: "writing",
  backtest: "backtesting",
};

/** Numbers of unfinished jobs by their new state. */
export interface Recovered {
  readonly waiting: number;
  readonly failed: number;
  readonly canceled: number;
}

/**
 * Recovers the unfinished jobs of a dead server: the lock on the database proves that nothing runs them.
 * Foreground jobs are canceled. Other running ones wait again if they have an attempt left, or fail. What trainings had
 * staged is released.
 * @param at ms since the epoch
 */
export function recoverJobs(store: Store, at: number): Promise<Recovered> {
  return write(store, (tx) => recoverWhere(tx, at));
}

/** As `recoverJobs`, within a transaction. @param isOrphan condition on jobs that nothing runs; absent: all */
export async function recoverWhere(tx: Tx, at: number, isOrphan?: SQL): Promise<Recovered> {
  const canceled = await cancelForeground(tx, at, isOrphan);
  const orphans = await tx
    .select({ id: jobs.id, type: jobs.type, attempts: jobs.attempts })
    .from(jobs)
    .where(and(eq(jobs.state, "running"), isOrphan))
    .orderBy(jobs.seq)
    .all();
  let failed = 0;
  for (const { id, type, attempts } of orphans) {
    if (attempts < MAX_ATTEMPTS) {
      await transitionJob(tx, { id, from: "running", to: "waiting" }, { owner: null, startedAt: null });
      continue;
    }
    failed++;
    const errorMessage = `interrupted: server stopped twice while ${activities[type]}`;
    await transitionJob(
      tx,
      { id, from: "running", to: "failed" },
      { errorCode: "interrupted", errorMessage, endedAt: at },
    );
  }
  // Trainings of other nodes stage, too.
  const isTraining = and(eq(jobs.state, "running"), eq(jobs.type, "training"));
  if (!(await tx.select({ id: jobs.id }).from(jobs).where(isTraining).limit(1).get()))
    await releaseStagedFits(tx);
  return { waiting: orphans.length - failed, failed, canceled };
}

/**
 * Cancels active foreground jobs, whose requests end with the server.
 * @param node that the requests are of; absent: there is one
 * @returns how many
 */
export function interruptForeground(store: Store, at: number, node?: string): Promise<number> {
  const isOfNode = node === undefined ? undefined : sql`split_part(${jobs.owner}, '/', 1) = ${node}`;
  return write(store, (tx) => cancelForeground(tx, at, isOfNode));
}

async function cancelForeground(tx: Tx, at: number, which?: SQL): Promise<number> {
  const rows = await tx
    .select({ id: jobs.id, type: jobs.type, state: jobs.state })
    .from(jobs)
    .where(and(inArray(jobs.state, ["waiting", "running"]), eq(jobs.foreground, true), which))
    .all();
  for (const { id, type, state } of rows) {
    const errorMessage = `interrupted: the server stopped before the ${type} was answered: ask again`;
    await transitionJob(
      tx,
      { id, from: state, to: "canceled" },
      { errorCode: "interrupted", errorMessage, endedAt: at },
    );
  }
  return rows.length;
}

interface Retention {
  /** Jobs that ended before this instant are removed, ms since the epoch. */
  readonly endedBefore: number;
  /** Number of other finished jobs to keep, those that ended last. */
  readonly keep: number;
}

/**
 * Removes finished jobs that are too old or too many, oldest first; never active ones.
 * @param max removed in one transaction, to bound its time
 * @returns how many; fewer than `max`: none is left to remove
 */
export function sweepJobs(store: Store, { endedBefore, keep }: Retention, max = 1000): Promise<number> {
  return write(store, async (tx) => {
    // The newest surplus job: those that ended before it are surplus too.
    const surplus = await tx
      .select({ endedAt: jobs.endedAt, seq: jobs.seq })
      .from(jobs)
      .where(isNotNull(jobs.endedAt))
      .orderBy(desc(jobs.endedAt), desc(jobs.seq))
      .limit(1)
      .offset(keep)
      .get();
    const isOld = lte(jobs.endedAt, endedBefore - 1);
    const isSurplus = surplus && sql`(${jobs.endedAt}, ${jobs.seq}) <= (${surplus.endedAt}, ${surplus.seq})`;
    const removed = tx
      .select({ seq: jobs.seq })
      .from(jobs)
      .where(
        and(isNotNull(jobs.endedAt), notInArray(jobs.state, ["waiting", "running"]), or(isOld, isSurplus)),
      )
      .orderBy(asc(jobs.endedAt), asc(jobs.seq))
      .limit(max);
    return (await tx.delete(jobs).where(inArray(jobs.seq, removed)).returning({ seq: jobs.seq }).all())
      .length;
  });
}
