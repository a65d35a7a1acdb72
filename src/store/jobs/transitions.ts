// State transitions of jobs: an update guarded by the expected state and owner.
import { and, eq, isNull, type SQL, sql } from "drizzle-orm";
import { canTransition, isFinal, type JobState } from "../../core/job.ts";
import { jobs } from "../db/schema.ts";
import { announce, type Tx } from "../db/transaction.ts";

/** The claim on a running job, and the time of its transition, ms since the epoch. */
export interface Claim {
  readonly id: string;
  readonly owner: string;
  readonly at: number;
}

interface Transition {
  readonly id: string;
  readonly from: JobState;
  readonly to: JobState;
  /** Owner that must hold the job; null: none; absent: any. */
  readonly owner?: string | null;
}

/** Largest input that is kept of a failed or canceled job, characters of JSON. */
const MAX_KEPT_INPUT = 65_536;

/** Nobody knows the ids of foreground jobs, whose requests were answered. */
const keptInput = sql`case when ${jobs.foreground} = 0 and length(${jobs.input}) <= ${MAX_KEPT_INPUT}
  then ${jobs.input} end`;

type Columns = typeof jobs.$inferInsert;
type Patch = { readonly [K in keyof Columns]?: Columns[K] | SQL };

/**
 * Changes the state of a job if it has the expected state and owner.
 * @returns false where it has not: nothing has changed
 */
export async function transitionJob(tx: Tx, move: Transition, patch: Patch): Promise<boolean> {
  const { id, from, to, owner } = move;
  if (!canTransition(from, to)) throw new Error(`a job cannot go from ${from} to ${to}`);
  const expected = [eq(jobs.id, id), eq(jobs.state, from)];
  if (owner !== undefined) expected.push(owner === null ? isNull(jobs.owner) : eq(jobs.owner, owner));
  const rest = isFinal(to) ? { owner: null, input: to === "done" ? null : keptInput } : {};
  const changed = await tx
    .update(jobs)
    .set({ ...rest, ...patch, state: to })
    .where(and(...expected))
    .returning({ id: jobs.id, job: jobs.type, model: jobs.model })
    .all();
  for (const job of changed) announce(tx, { type: "job", ...job, state: to });
  return changed.length === 1;
}
