// Jobs: what the API can do with them.
import { TorusError } from "../core/errors.ts";
import { arrange, type Listing, parseListing, pickFields, project } from "../core/listing.ts";
import type { Clock } from "../jobs/clock.ts";
import type { Queue } from "../jobs/queue.ts";
import { type JobView, viewJob } from "../jobs/view.ts";
import type { WaitLimits } from "../jobs/waiters.ts";
import { type JobPage, type JobSummary, listJobs, loadJob, loadResults } from "../store/jobs.ts";
import type { Store } from "../store/open.ts";
import type { Params } from "./range.ts";

export interface JobDeps {
  readonly store: Store;
  readonly queue: Pick<Queue, "cancel" | "progressOf" | "wait">;
  readonly clock: Pick<Clock, "now">;
}

export class Jobs {
  constructor(private readonly deps: JobDeps) {}

  /** All jobs. Results can be large: only those of the page asked for are read. @throws TorusError `invalid` */
  async list(params: Params = {}): Promise<object[]> {
    const { store } = this.deps;
    const listing = parseListing(params, { defaultSort: "id" });
    const page = pageById(listing);
    const rows = await listJobs(store, page);
    const unsorted = rows.map((row) => this.#view(row, null));
    const views = page ? unsorted : arrange(unsorted, listing);
    const done = views.filter(({ state }) => state === "done").map(({ id }) => id);
    const results = await loadResults(store, done);
    return views.map((view) => project({ ...view, result: results.get(view.id) ?? null }, listing));
  }

  /** One view per id, in their order. @throws TorusError `not_found` naming the first unknown one */
  async get(ids: readonly string[], params: Params = {}): Promise<object[]> {
    const views: JobView[] = [];
    for (const id of ids) views.push(await this.view(id));
    return pickFields(views, params);
  }

  /** One job. @throws TorusError `not_found` */
  async view(id: string): Promise<JobView> {
    const row = await loadJob(this.deps.store, id);
    return this.#view(row, row.result);
  }

  /** Cancels jobs, all or none. @throws TorusError `not_found`, `job_stopped` */
  cancel(ids: readonly string[]): Promise<void> {
    return this.deps.queue.cancel(ids);
  }

  /**
   * Waits for the end of a job; one that nobody waits for any longer is canceled.
   * @returns its result
   * @throws TorusError what the job failed of, `canceled`, `deadline`, `interrupted`, `not_found`
   */
  async wait(id: string, limits: WaitLimits): Promise<unknown> {
    const { state, result, errorCode, errorMessage } = await this.deps.queue.wait(id, limits);
    if (state === "done") return result;
    if (state === "canceled") throw new TorusError("canceled", `job ${id} was canceled`, { job_id: id });
    throw new TorusError(errorCode ?? "internal", errorMessage ?? "internal error; the log has the details");
  }

  #view(row: JobSummary, result: unknown): JobView {
    const { queue, clock } = this.deps;
    return viewJob(row, { result, report: queue.progressOf(row.id), nowAt: clock.now() });
  }
}

/** A page in the order of ids is cut by the database: of ten thousand jobs, only those of the page are looked at. */
function pageById({ sort, page }: Listing): JobPage | undefined {
  if (!page || !Number.isSafeInteger(page.to) || sort?.path.join(".") !== "id") return undefined;
  return { offset: page.from, limit: page.to - page.from, descending: sort.descending };
}

/** Jobs over a store and a queue. */
export function createJobs(deps: JobDeps): Jobs {
  return new Jobs(deps);
}
