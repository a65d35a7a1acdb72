// Waits for jobs: a foreground wait returns the final row, or cancels the job when its caller is no longer waiting.
import { TorusError } from "../../core/errors.ts";
import { isFinal } from "../../core/job.ts";
import type { Store } from "../../store/db/open.ts";
import { type JobRow, loadJob } from "../../store/jobs/rows.ts";
import type { Waiters, WaitLimits } from "./waiters.ts";

interface WaitDeps {
  readonly store: Store;
  readonly waiters: Waiters;
  readonly cancel: (ids: readonly string[]) => Promise<void>;
}

/**
 * Waits for a job to end; it is canceled when its caller disconnects or the deadline passes.
 * @returns its final row
 * @throws TorusError `not_found`, `deadline`, `canceled` (caller disconnected), `interrupted` (server stops)
 */
export async function waitForJob(deps: WaitDeps, id: string, limits: WaitLimits): Promise<JobRow> {
  const { store, waiters } = deps;
  const { type } = await loadJob(store, id);
  // Registered before the second read, so that an end between the two reads is not missed.
  const end = waiters.wait(id, limits);
  const row = await loadJob(store, id);
  if (isFinal(row.state)) waiters.resolve(id);
  const reason = await end;
  if (reason === "ended") return loadJob(store, id);
  if (reason === "stopping") {
    const next = row.foreground
      ? "was canceled: repeat the request when it is back"
      : "continues when it is back";
    throw new TorusError("interrupted", `the server stops; job ${id} ${next}`, { job_id: id });
  }
  if (!(await cancelQuietly(deps, id))) return loadJob(store, id);
  if (reason === "disconnected")
    throw new TorusError("canceled", "the caller disconnected; the job was canceled");
  const way = "repeat the request with bg=true and follow the job, or request less";
  throw new TorusError(
    "deadline",
    `the ${type} took longer than ${limits.deadlineMs / 1000} s and was canceled: ${way}`,
  );
}

/**
 * Waits for a job to end, or for the deadline, a disconnect or a stop of the server; the job goes on.
 * @throws TorusError `not_found`
 */
export async function followJob(
  { store, waiters }: Pick<WaitDeps, "store" | "waiters">,
  id: string,
  limits: WaitLimits,
): Promise<void> {
  await loadJob(store, id);
  const end = waiters.wait(id, limits);
  if (isFinal((await loadJob(store, id)).state)) waiters.resolve(id);
  await end;
}

/** @returns false if the job had already ended */
async function cancelQuietly({ cancel }: WaitDeps, id: string): Promise<boolean> {
  try {
    await cancel([id]);
    return true;
  } catch (error) {
    if (error instanceof TorusError && error.code === "job_stopped") return false;
    throw error;
  }
}
