// The one way a job changes its state: an update guarded by the state and the owner it is expected to have.
import { and, eq, isNull, type SQL } from "drizzle-orm";
import { canTransition, isFinal, type JobState } from "../../core/job.ts";
import { jobs } from "../db/schema.ts";
import type { Tx } from "../db/transaction.ts";

/** Who may move a running job, and when (ms since the epoch) that happens. */
export interface Claim {
  readonly id: string;
  readonly owner: string;
  readonly at: number;
}

export interface Move {
  readonly id: string;
  readonly from: JobState;
  readonly to: JobState;
  /** Claim that must hold the job; null = nobody; absent = whoever. */
  readonly owner?: string | null;
}

type Columns = typeof jobs.$inferInsert;
type Patch = { readonly [K in keyof Columns]?: Columns[K] | SQL };

/**
 * Moves a job if it still is where the caller thinks it is.
 * @returns false where it is not, and then nothing was changed
 */
export function transitionJob(tx: Tx, move: Move, patch: Patch): boolean {
  const { id, from, to, owner } = move;
  if (!canTransition(from, to)) throw new Error(`a job cannot go from ${from} to ${to}`);
  const expected = [eq(jobs.id, id), eq(jobs.state, from)];
  if (owner !== undefined) expected.push(owner === null ? isNull(jobs.owner) : eq(jobs.owner, owner));
  const rest = isFinal(to) ? { owner: null, input: null } : {};
  const moved = tx
    .update(jobs)
    .set({ ...rest, ...patch, state: to })
    .where(and(...expected))
    .returning({ id: jobs.id })
    .all();
  return moved.length === 1;
}
