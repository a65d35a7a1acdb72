// SQL of the life of jobs: submission, claim, end, cancellation.
import { and, asc, eq, inArray, isNull, or, sql } from "drizzle-orm";
import { TorusError } from "../../core/errors.ts";
import { isFinal, type JobType } from "../../core/job.ts";
import type { Store } from "../db/open.ts";
import { countOf } from "../db/pages.ts";
import { jobs, models } from "../db/schema.ts";
import { announce, type Tx, write, writeGuarded } from "../db/transaction.ts";
import { assertVersionsExist } from "../version-retention.ts";
import {
  dropOldestResults,
  pruneParts,
  type ResultText,
  resultColumns,
  SMALL_RESULT_BYTES,
  saveParts,
} from "./results.ts";
import { type JobSummary, summaryColumns } from "./rows.ts";
import { type Claim, transitionJob } from "./transitions.ts";

/** A claimed job: running, with its owner and its input. */
export type ClaimedJob = JobSummary & { readonly owner: string; readonly input: unknown };

export interface NewJob {
  /** UUID. */
  readonly id: string;
  readonly type: JobType;
  readonly model: string | null;
  /** JSON. */
  readonly input: unknown;
  /** Whether a request waits for it. */
  readonly foreground?: boolean;
  /** The node whose request waits for it: no other one runs it. Null: any. */
  readonly owner?: string | null;
  /** Names of the versions of its model that it uses. */
  readonly versions?: readonly string[];
}

/**
 * Adds waiting jobs, all or none.
 * @throws TorusError `overloaded`, `not_found` (its model or version was deleted), `training_active` with `job_id`
 */
export function submitJobs(
  store: Store,
  list: readonly NewJob[],
  { at, maxWaiting }: { at: number; maxWaiting: number },
): Promise<void> {
  return write(store, async (tx) => {
    const waiting = await countOf(tx, jobs, eq(jobs.state, "waiting"));
    if (waiting + list.length > maxWaiting)
      throw new TorusError(
        "overloaded",
        `${waiting} jobs wait already (at most ${maxWaiting}): try again later`,
      );
    for (const job of list) await insertJob(tx, job, at);
  });
}

async function insertJob(tx: Tx, { versions = [], ...job }: NewJob, at: number): Promise<void> {
  const { model } = job;
  if (model !== null) {
    const row = await tx.select({ name: models.name }).from(models).where(eq(models.name, model)).get();
    if (!row) throw new TorusError("not_found", `model ${model} does not exist`);
    await assertVersionsExist(tx, model, versions);
  }
  if (model !== null && job.type === "training") {
    await assertNoActiveTraining(tx, model);
    await tx.update(models).set({ lastTraining: job.id }).where(eq(models.name, model)).run();
  }
  await tx
    .insert(jobs)
    .values({ ...job, state: "waiting", createdAt: at })
    .run();
  announce(tx, { type: "job", id: job.id, job: job.type, model, state: "waiting" });
}

async function assertNoActiveTraining(tx: Tx, model: string): Promise<void> {
  const active = await tx
    .select({ id: jobs.id, state: jobs.state })
    .from(jobs)
    .where(and(eq(jobs.model, model), eq(jobs.type, "training"), inArray(jobs.state, ["waiting", "running"])))
    .get();
  if (!active) return;
  const way = "wait for it or cancel it";
  throw new TorusError("training_active", `model ${model} is in training (job ${active.id}): ${way}`, {
    job_id: active.id,
  });
}

interface NewClaim {
  readonly owner: string;
  readonly at: number;
  /** The node that claims; absent: there are no others. */
  readonly node?: string | undefined;
  /** Whether jobs are claimed that any node may run. Default: yes. */
  readonly isWorking?: boolean;
}

/**
 * Claims the oldest waiting job of these types for `owner`.
 * @returns undefined where none waits
 */
export function claimJob(
  store: Store,
  types: readonly JobType[],
  claim: NewClaim,
): Promise<ClaimedJob | undefined> {
  if (claim.node !== undefined) return claimShared(store, types, claim);
  const { owner, at } = claim;
  return write(store, async (tx) => {
    const next = await tx
      .select({ ...summaryColumns, input: jobs.input })
      .from(jobs)
      .where(and(eq(jobs.state, "waiting"), inArray(jobs.type, [...types])))
      .orderBy(asc(jobs.seq))
      .limit(1)
      .get();
    if (!next) return undefined;
    const attempts = next.attempts + 1;
    const patch = { owner, attempts, startedAt: at };
    await transitionJob(tx, { id: next.id, from: "waiting", to: "running", owner: null }, patch);
    return { ...next, ...patch, state: "running" as const };
  });
}

/** One statement: a job that another node claims at the same time is skipped. */
function claimShared(
  store: Store,
  types: readonly JobType[],
  { owner, at, node, isWorking = true }: NewClaim,
): Promise<ClaimedJob | undefined> {
  return writeGuarded(store, async (tx) => {
    const mine = eq(jobs.owner, node!);
    const next = tx
      .select({ seq: jobs.seq })
      .from(jobs)
      .where(
        and(
          eq(jobs.state, "waiting"),
          inArray(jobs.type, [...types]),
          isWorking ? or(isNull(jobs.owner), mine) : mine,
        ),
      )
      .orderBy(asc(jobs.seq))
      .limit(1);
    const [claimed] = await tx
      .update(jobs)
      .set({ state: "running", owner, attempts: sql`${jobs.attempts} + 1`, startedAt: at })
      .where(and(sql`${jobs.seq} = (${next} for update skip locked)`, eq(jobs.state, "waiting")))
      .returning({ ...summaryColumns, input: jobs.input })
      .all();
    if (!claimed) return undefined;
    const { id, type, model } = claimed;
    announce(tx, { type: "job", id, job: type, model, state: "running" });
    return { ...claimed, owner };
  });
}

/**
 * Ends a job with success; the oldest results are dropped until its own fits.
 * @param maxBytes of all kept results together
 * @returns false where the claim no longer holds: the result is dropped
 */
export async function finishJob(
  store: Store,
  claim: Claim,
  result: ResultText | null,
  maxBytes = Number.POSITIVE_INFINITY,
): Promise<boolean> {
  const { id, owner, at } = claim;
  const isLarge = result !== null && result.bytes > SMALL_RESULT_BYTES;
  // Dropped first, so that the pages are used again.
  if (isLarge && (await write(store, (tx) => dropOldestResults(tx, maxBytes - result.bytes))))
    await pruneParts(store);
  if (isLarge && !(await saveParts(store, claim, result))) {
    await pruneParts(store);
    return false;
  }
  if (store.engine.isShared) return finishShared(store, claim, result, maxBytes);
  const end = await write(store, async (tx) => {
    const patch = { ...resultColumns(result), endedAt: at };
    const isDone = await transitionJob(tx, { id, from: "running", to: "done", owner }, patch);
    return {
      isDone,
      isPruning: result !== null && result.bytes > 0 && (await dropOldestResults(tx, maxBytes)),
    };
  });
  if (end.isPruning || (isLarge && !end.isDone)) await pruneParts(store);
  return end.isDone;
}

/**
 * The row that ends guards itself. The sum over all results would conflict with every other end: it is taken afterwards,
 * and by the next end where that does not succeed.
 */
async function finishShared(
  store: Store,
  { id, owner, at }: Claim,
  result: ResultText | null,
  maxBytes: number,
): Promise<boolean> {
  const patch = { ...resultColumns(result), endedAt: at };
  const move = { id, from: "running", to: "done", owner } as const;
  const isDone = await writeGuarded(store, (tx) => transitionJob(tx, move, patch));
  if (result !== null && result.bytes > 0) {
    const dropped = await write(store, (tx) => dropOldestResults(tx, maxBytes)).catch(() => false);
    if (dropped || !isDone) await pruneParts(store);
  }
  return isDone;
}

/** Ends a job with an error. @returns false where the claim no longer holds */
export function failJob(
  store: Store,
  { id, owner, at }: Claim,
  { code, message }: { code: TorusError["code"]; message: string },
): Promise<boolean> {
  const patch = { errorCode: code, errorMessage: message || code, endedAt: at };
  return write(store, (tx) => transitionJob(tx, { id, from: "running", to: "failed", owner }, patch));
}

/** Returns a running job to the queue as if it had never started. @returns false where the claim no longer holds */
export function giveBackJob(store: Store, { id, owner }: Omit<Claim, "at">): Promise<boolean> {
  const patch = { owner: null, startedAt: null, attempts: sql`${jobs.attempts} - 1` };
  return write(store, (tx) => transitionJob(tx, { id, from: "running", to: "waiting", owner }, patch));
}

/**
 * Cancels jobs, all or none.
 * @throws TorusError `not_found`, `job_stopped`
 */
export function cancelJobs(store: Store, ids: readonly string[], at: number): Promise<void> {
  return write(store, async (tx) => {
    for (const id of new Set(ids)) {
      const row = await tx.select({ state: jobs.state }).from(jobs).where(eq(jobs.id, id)).get();
      if (!row) throw new TorusError("not_found", `job ${id} does not exist`);
      if (isFinal(row.state))
        throw new TorusError("job_stopped", `job is already stopped (state = ${row.state})`, { job_id: id });
      await transitionJob(tx, { id, from: row.state, to: "canceled" }, { endedAt: at });
    }
  });
}
