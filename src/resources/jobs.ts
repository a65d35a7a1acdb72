// Jobs: what the API can do with them.
import { TorusError } from "../core/errors.ts";
import { isFinal } from "../core/job.ts";
import { KeptViews } from "../core/kept.ts";
import { arrange, isShown, type Listing, parseListing, pickFields, project } from "../core/listing.ts";
import type { Clock } from "../jobs/clock.ts";
import type { Queue } from "../jobs/queue.ts";
import { type JobView, viewJob } from "../jobs/view.ts";
import type { WaitLimits } from "../jobs/waiters.ts";
import {
  isJobOrder,
  type JobPage,
  type JobSummary,
  listJobs,
  loadJob,
  loadResults,
} from "../store/job-rows.ts";
import type { Store } from "../store/open.ts";
import type { Params } from "./range.ts";

export interface JobDeps {
  readonly store: Store;
  readonly queue: Pick<Queue, "cancel" | "progressOf" | "wait">;
  readonly clock: Pick<Clock, "now">;
}

export class Jobs {
  /** Of those that have ended. */
  readonly #ended = new KeptViews<JobSummary, JobView>();

  constructor(private readonly deps: JobDeps) {}

  /** All jobs. Results can be large: only those that will be shown are read. @throws TorusError `invalid` */
  async list(params: Params = {}): Promise<object[]> {
    const { store } = this.deps;
    const listing = parseListing(params, { defaultSort: "id" });
    const page = findPage(listing);
    const rows = await listJobs(store, page);
    const views = page
      ? rows.map((row) => this.#viewOnce(row, null))
      : arrange(
          rows.map((row) => this.#view(row, null)),
          listing,
        );
    const done = views.filter(({ state }) => state === "done").map(({ id }) => id);
    const results = await loadResults(store, isShown(listing, "result") ? done : []);
    return views.map((view) => project({ ...view, result: results.get(view.id) ?? null }, listing));
  }

  /** One view per id, in their order. @throws TorusError `not_found` naming the first unknown one */
  async get(ids: readonly string[], params: Params = {}): Promise<object[]> {
    const views: JobView[] = [];
    for (const id of ids) {
      const row = await loadJob(this.deps.store, id);
      views.push(this.#viewOnce(row, row.result));
    }
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

  /** Of rows the store may remember: its two dates as text cost more than all the rest of an answer's making. */
  #viewOnce(row: JobSummary, result: unknown): JobView {
    const known = this.#ended.get(row);
    if (known) return known;
    const view = this.#view(row, result);
    return isFinal(row.state) ? this.#ended.keep(row, view) : view;
  }
}

/** A page in an order the database knows is cut by it: of ten thousand jobs, only those of the page are looked at. */
function findPage({ sort, page }: Listing): JobPage | undefined {
  const by = sort?.path.join(".") ?? "";
  if (!sort || !page || !Number.isSafeInteger(page.to) || !isJobOrder(by)) return undefined;
  return { offset: page.from, limit: page.to - page.from, descending: sort.descending, by };
}

/** Jobs over a store and a queue. */
export function createJobs(deps: JobDeps): Jobs {
  return new Jobs(deps);
}
