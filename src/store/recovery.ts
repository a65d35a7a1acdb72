// SQL of what happens to jobs without a client: recovery after a crash, and retention.
import { and, desc, eq, inArray, isNotNull, lt, notInArray } from "drizzle-orm";
import { type JobType, MAX_ATTEMPTS } from "../core/job.ts";
import { moveJob } from "./moves.ts";
import type { Store } from "./open.ts";
import { jobs } from "./schema.ts";
import { write } from "./transaction.ts";

const activities: Readonly<Record<JobType, string>> = {
  training: "training",
  forecast: "forecasting",
  prediction: "predicting",
  read: "reading",
  write: "writing",
  backtest: "backtesting",
};

/**
 * Settles the running jobs of a dead server: the lock on the database proves that nobody works on them.
 * Those with an attempt left wait again, the others fail.
 * @param at ms since the epoch
 * @returns how many of each
 */
export function recoverJobs(store: Store, at: number): Promise<{ waiting: number; failed: number }> {
  return write(store, (tx) => {
    const orphans = tx
      .select({ id: jobs.id, type: jobs.type, attempts: jobs.attempts })
      .from(jobs)
      .where(eq(jobs.state, "running"))
      .orderBy(jobs.seq)
      .all();
    let failed = 0;
    for (const { id, type, attempts } of orphans) {
      if (attempts < MAX_ATTEMPTS) {
        moveJob(tx, { id, from: "running", to: "waiting" }, { owner: null, startedAt: null });
        continue;
      }
      failed++;
      const errorMessage = `interrupted: server stopped twice while ${activities[type]}`;
      moveJob(
        tx,
        { id, from: "running", to: "failed" },
        { errorCode: "interrupted", errorMessage, endedAt: at },
      );
    }
    return { waiting: orphans.length - failed, failed };
  });
}

export interface Retention {
  /** Finished jobs that ended before this instant go, ms since the epoch. */
  readonly endedBefore: number;
  /** Of the others, this many stay, the last ended ones. */
  readonly keep: number;
}

/** Removes finished jobs that are too old or too many; never one that waits or runs. @returns how many */
export function sweepJobs(store: Store, { endedBefore, keep }: Retention): Promise<number> {
  return write(store, (tx) => {
    const finished = notInArray(jobs.state, ["waiting", "running"]);
    const old = tx
      .delete(jobs)
      .where(and(finished, isNotNull(jobs.endedAt), lt(jobs.endedAt, endedBefore)))
      .returning({ id: jobs.id })
      .all();
    const surplus = tx
      .select({ id: jobs.id })
      .from(jobs)
      .where(and(finished, isNotNull(jobs.endedAt)))
      .orderBy(desc(jobs.endedAt), desc(jobs.seq))
      .limit(Number.MAX_SAFE_INTEGER)
      .offset(keep);
    const more = tx.delete(jobs).where(inArray(jobs.id, surplus)).returning({ id: jobs.id }).all();
    return old.length + more.length;
  });
}
