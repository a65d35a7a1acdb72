// SQL of the runs of scheduled jobs: each slot is claimed at most once, the job holds the last outcome.
import { and, desc, eq, lt } from "drizzle-orm";
import type { ErrorCode } from "../core/errors.ts";
import type { Store } from "./db/open.ts";
import { scheduledJobs, scheduledRuns } from "./db/schema.ts";
import { type Tx, writeUncached } from "./db/transaction.ts";

/** Slots kept per job, so that none is claimed twice after the clock was set back. */
const MAX_SLOTS = 1000;

/** One slot of one job. */
export interface Slot {
  readonly job: string;
  /** ms since the epoch */
  readonly slotAt: number;
}

export interface RunOutcome {
  /** HTTP status; null without an answer. */
  readonly status: number | null;
  /** Reason of the failure; null after a success. */
  readonly error: string | null;
  /** Of the error; null also of an answer without one. */
  readonly code: ErrorCode | null;
}

/**
 * Claims a slot.
 * @param at ms since the epoch
 * @returns false where it is claimed already, or the job was deleted
 */
export function claimSlot(store: Store, { job, slotAt }: Slot, at: number): Promise<boolean> {
  return writeUncached(store, async (tx) => {
    const row = await tx.select().from(scheduledJobs).where(eq(scheduledJobs.name, job)).get();
    if (!row || (await findRun(tx, { job, slotAt }))) return false;
    const { generation } = row;
    await tx.insert(scheduledRuns).values({ job, slotAt, generation, startedAt: at }).run();
    await pruneRuns(tx, job);
    return true;
  });
}

/** Records the outcome of a run, unless the job was replaced, changed or deleted meanwhile. */
export function finishRun(store: Store, slot: Slot, { status, error, code }: RunOutcome): Promise<void> {
  return writeUncached(store, async (tx) => {
    const run = await findRun(tx, slot);
    if (!run) return;
    const { job, generation, startedAt } = run;
    await tx
      .update(scheduledJobs)
      .set({ lastRunAt: startedAt, lastStatus: status, lastError: error, lastErrorCode: code })
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

/** By order of the runs, not of the slots, so that slots of a clock far ahead do not displace the present ones. */
async function pruneRuns(tx: Tx, job: string): Promise<void> {
  const { seq } = scheduledRuns;
  const mine = eq(scheduledRuns.job, job);
  const oldest = await tx
    .select({ seq })
    .from(scheduledRuns)
    .where(mine)
    .orderBy(desc(seq))
    .limit(1)
    .offset(MAX_SLOTS - 1)
    .get();
  if (oldest)
    await tx
      .delete(scheduledRuns)
      .where(and(mine, lt(seq, oldest.seq)))
      .run();
}
