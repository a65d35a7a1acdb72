// SQL of what happens to jobs without a client: recovery after a crash, and retention.
import { and, asc, desc, eq, inArray, isNotNull, lte, notInArray, or, sql } from "drizzle-orm";
import { type JobType, MAX_ATTEMPTS } from "../../core/job.ts";
import type { Store } from "../db/open.ts";
import { jobs } from "../db/schema.ts";
import { type Tx, write } from "../db/transaction.ts";
import { transitionJob } from "./transitions.ts";

const activities: Readonly<Record<JobType, string>> = {
  training: "training",
  forecast: "forecasting",
  prediction: "predicting",
  read: "reading",
  write: "writing",
  backtest: "backtesting",
};

/** How many unfinished jobs of a dead server wait again, failed, and were canceled. */
export interface Recovered {
  readonly waiting: number;
  readonly failed: number;
  readonly canceled: number;
}

/**
 * Settles the unfinished jobs of a dead server: the lock on the database proves that no one works on them.
 * Foreground jobs are canceled. Of the others that ran, those with an attempt left wait again, the rest fail.
 * @param at ms since the epoch
 */
export function recoverJobs(store: Store, at: number): Promise<Recovered> {
  return write(store, (tx) => {
    const canceled = cancelForeground(tx, at);
    const orphans = tx
      .select({ id: jobs.id, type: jobs.type, attempts: jobs.attempts })
      .from(jobs)
      .where(eq(jobs.state, "running"))
      .orderBy(jobs.seq)
      .all();
    let failed = 0;
    for (const { id, type, attempts } of orphans) {
      if (attempts < MAX_ATTEMPTS) {
        transitionJob(tx, { id, from: "running", to: "waiting" }, { owner: null, startedAt: null });
        continue;
      }
      failed++;
      const errorMessage = `interrupted: server stopped twice while ${activities[type]}`;
      transitionJob(
        tx,
        { id, from: "running", to: "failed" },
        { errorCode: "interrupted", errorMessage, endedAt: at },
      );
    }
    return { waiting: orphans.length - failed, failed, canceled };
  });
}

/** Cancels foreground jobs that have not ended: the requests that wait for them end with the server. @returns how many */
export function interruptForeground(store: Store, at: number): Promise<number> {
  return write(store, (tx) => cancelForeground(tx, at));
}

function cancelForeground(tx: Tx, at: number): number {
  const rows = tx
    .select({ id: jobs.id, type: jobs.type, state: jobs.state })
    .from(jobs)
    .where(and(inArray(jobs.state, ["waiting", "running"]), eq(jobs.foreground, true)))
    .all();
  for (const { id, type, state } of rows) {
    const errorMessage = `interrupted: the server stopped before the ${type} was answered: ask again`;
    transitionJob(
      tx,
      { id, from: state, to: "canceled" },
      { errorCode: "interrupted", errorMessage, endedAt: at },
    );
  }
  return rows.length;
}

export interface Retention {
  /** Finished jobs that ended before this instant go, ms since the epoch. */
  readonly endedBefore: number;
  /** Of the others, this many stay, the last ended ones. */
  readonly keep: number;
}

/**
 * Removes finished jobs that are too old or too many, those that ended first; never one that waits or runs.
 * @param most removed at once: a million takes half a minute
 * @returns how many; fewer than `most`: none are left to remove
 */
export function sweepJobs(store: Store, { endedBefore, keep }: Retention, most = 1000): Promise<number> {
  return write(store, (tx) => {
    // The newest of those that are too many: whatever ended before it is, too.
    const surplus = tx
      .select({ endedAt: jobs.endedAt, seq: jobs.seq })
      .from(jobs)
      .where(isNotNull(jobs.endedAt))
      .orderBy(desc(jobs.endedAt), desc(jobs.seq))
      .limit(1)
      .offset(keep)
      .get();
    const isOld = lte(jobs.endedAt, endedBefore - 1);
    const isSurplus = surplus && sql`(${jobs.endedAt}, ${jobs.seq}) <= (${surplus.endedAt}, ${surplus.seq})`;
    const gone = tx
      .select({ seq: jobs.seq })
      .from(jobs)
      .where(
        and(isNotNull(jobs.endedAt), notInArray(jobs.state, ["waiting", "running"]), or(isOld, isSurplus)),
      )
      .orderBy(asc(jobs.endedAt), asc(jobs.seq))
      .limit(most);
    return tx.delete(jobs).where(inArray(jobs.seq, gone)).returning({ seq: jobs.seq }).all().length;
  });
}
