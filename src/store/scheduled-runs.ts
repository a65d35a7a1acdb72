// SQL of the runs of scheduled jobs: each slot is taken at most once, and the last outcome stands on the job.
import { and, desc, eq, lt } from "drizzle-orm";
import type { Store } from "./db/open.ts";
import { scheduledJobs, scheduledRuns } from "./db/schema.ts";
import { type Tx, writeUncached } from "./db/transaction.ts";

/** Slots remembered per job: enough for a clock that steps back and names them again. */
const KEPT = 1000;

/** One slot of one job. */
export interface Slot {
  readonly job: string;
  /** ms since the epoch */
  readonly slotAt: number;
}

/** What came of a run. */
export interface RunOutcome {
  /** HTTP status; null where there was no answer. */
  readonly status: number | null;
  /** Why it went wrong; null where it went well. */
  readonly error: string | null;
}

/**
 * Takes a slot.
 * @param at ms since the epoch
 * @returns whether it was free; false also where the job is gone
 */
export function claimSlot(store: Store, { job, slotAt }: Slot, at: number): Promise<boolean> {
  return writeUncached(store, (tx) => {
    const row = tx.select().from(scheduledJobs).where(eq(scheduledJobs.name, job)).get();
    if (!row || findRun(tx, { job, slotAt })) return false;
    const { generation } = row;
    tx.insert(scheduledRuns).values({ job, slotAt, generation, startedAt: at }).run();
    forgetOldRuns(tx, job);
    return true;
  });
}

/** Records what came of a run, unless the job was replaced, changed or deleted meanwhile. */
export function finishRun(store: Store, slot: Slot, { status, error }: RunOutcome): Promise<void> {
  return writeUncached(store, (tx) => {
    const run = findRun(tx, slot);
    if (!run) return;
    const { job, generation, startedAt } = run;
    tx.update(scheduledJobs)
      .set({ lastRunAt: startedAt, lastStatus: status, lastError: error })
      .where(and(eq(scheduledJobs.name, job), eq(scheduledJobs.generation, generation)))
      .run();
  });
}

function findRun(tx: Tx, { job, slotAt }: Slot) {
  return tx
    .select()
    .from(scheduledRuns)
    .where(and(eq(scheduledRuns.job, job), eq(scheduledRuns.slotAt, slotAt)))
    .get();
}

/** By order of the runs, not of the slots: a clock that was a year ahead must not push the present out. */
function forgetOldRuns(tx: Tx, job: string): void {
  const { seq } = scheduledRuns;
  const mine = eq(scheduledRuns.job, job);
  const oldest = tx
    .select({ seq })
    .from(scheduledRuns)
    .where(mine)
    .orderBy(desc(seq))
    .limit(1)
    .offset(KEPT - 1)
    .get();
  if (oldest)
    tx.delete(scheduledRuns)
      .where(and(mine, lt(seq, oldest.seq)))
      .run();
}
