// Jobs: what the API can do with them.
import type { JobView } from "../api/job.ts";
import { TorusError } from "../core/errors.ts";
import { JsonStream, JsonText } from "../core/formats/json-pieces.ts";
import { arrange, isShown, type Listing, parseListing, project, withTotal } from "../core/input/listing.ts";
import { isFinal } from "../core/job.ts";
import { ViewCache } from "../core/view-cache.ts";
import type { Queue } from "../jobs/queue/queue.ts";
import type { WaitLimits } from "../jobs/queue/waiters.ts";
import { viewJob } from "../jobs/view.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/db/open.ts";
import { readResult, SMALL_RESULT_BYTES } from "../store/jobs/results.ts";
import {
  countJobs,
  isJobOrder,
  type JobPage,
  type JobRow,
  type JobSummary,
  listJobs,
  loadJob,
  loadResults,
} from "../store/jobs/rows.ts";
import { parseJobFilter } from "./jobs/filter.ts";
import type { Params } from "./shared/range.ts";

export interface JobDeps {
  readonly store: Store;
  readonly queue: Pick<Queue, "cancel" | "progressOf" | "wait">;
  readonly clock: Pick<Clock, "now">;
}

interface Shown {
  readonly row: JobSummary;
  readonly view: JobView;
}

/** Results that are longer together are sent as a stream. */
const MOST_HELD = 1024 * 1024;

export class Jobs {
  /** Of those that have ended. */
  readonly #ended = new ViewCache<JobSummary, JobView>();

  constructor(private readonly deps: JobDeps) {}

  /**
   * All jobs, or those that `state`, `type`, `model` and `since` leave. Only small results are shown unless
   * `fields=result` with `include_fields=true` names them.
   * @throws TorusError `invalid`
   */
  async list(params: Params = {}): Promise<object[] | JsonStream> {
    const { store, clock } = this.deps;
    const listing = parseListing(params, { defaultSort: "id" });
    const filter = parseJobFilter(params, clock.now());
    const page = findPage(listing);
    const rows = await listJobs(store, page, filter);
    const total = listing.page && (page ? await countJobs(store, filter) : rows.length);
    if (page) {
      const shown = rows.map((row) => ({ row, view: this.#viewOnce(row, null) }));
      return withTotal(await this.#show(shown, listing), total);
    }
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    const views = arrange(
      rows.map((row) => this.#view(row, null)),
      listing,
    );
    const shown = views.map((view) => ({ row: rowOf.get(view.id)!, view }));
    return withTotal(await this.#show(shown, listing), total);
  }

  /**
   * One view per id, in their order. One id alone shows its result whatever its size; several are a list.
   * @throws TorusError `not_found` naming the first unknown one
   */
  async get(ids: readonly string[], params: Params = {}): Promise<object[] | JsonStream> {
    const { fields, include_fields } = params;
    const listing = parseListing({ fields, include_fields });
    const rows = new Map<string, JobRow>();
    for (const id of ids) if (!rows.has(id)) rows.set(id, await loadJob(this.deps.store, id));
    const shown = ids.map((id) => {
      const row = rows.get(id)!;
      return { row, view: this.#viewOnce(row, row.result) };
    });
    return this.#show(shown, listing, { isAlone: ids.length === 1 });
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

  /** The entries with the results that belong there; a stream where these are long together. */
  async #show(
    shown: readonly Shown[],
    listing: Listing,
    { isAlone = false } = {},
  ): Promise<object[] | JsonStream> {
    const isNamed = listing.fields?.keep && isShown(listing, "result");
    const most = isAlone || isNamed ? Number.POSITIVE_INFINITY : SMALL_RESULT_BYTES;
    if (!isShown(listing, "result"))
      return shown.map((each) => project(omit(each, most), hideOmitted(listing)));
    const isWanted = ({ row }: Shown) => (row.resultBytes ?? 0) > 0 && row.resultBytes! <= most;
    const bytes = shown.filter(isWanted).map(({ row }) => row.resultBytes!);
    const total = bytes.reduce((sum, length) => sum + length, 0);
    if (total > MOST_HELD || bytes.some((length) => length > SMALL_RESULT_BYTES)) {
      const entries = shown.map((each) =>
        project(isWanted(each) ? this.#streamed(each) : omit(each, most), listing),
      );
      return new JsonStream(entries, total);
    }
    const missing = shown.filter((each) => isWanted(each) && each.view.result === null);
    const ids = missing.map(({ row }) => row.id);
    const results = ids.length > 0 ? await loadResults(this.deps.store, ids) : undefined;
    return shown.map((each) => {
      const found = results?.get(each.row.id);
      return project(found === undefined ? omit(each, most) : { ...each.view, result: found }, listing);
    });
  }

  #streamed({ row, view }: Shown): object {
    return { ...view, result: new JsonText(() => readResult(this.deps.store, row)) };
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

/** The view without a result that is too large for its place. */
function omit({ row, view }: Shown, most: number): JobView {
  if ((row.resultBytes ?? 0) <= most) return view;
  const { id, type, state, result: _, ...rest } = view;
  return { id, type, state, result: null, result_omitted: true, ...rest };
}

/** Where results are not asked for, neither is whether they are there. */
function hideOmitted({ fields, ...rest }: Listing): Listing {
  if (!fields || fields.keep) return { fields, ...rest };
  return { ...rest, fields: { ...fields, names: [...fields.names, "result_omitted"] } };
}

/** A page in an order the database knows is cut by it: of ten thousand jobs, only those of the page are looked at. */
function findPage({ sort, page }: Listing): JobPage | undefined {
  const by = sort?.path.join(".") ?? "";
  if (!sort || !page || !Number.isSafeInteger(page.to) || !isJobOrder(by)) return undefined;
  return { offset: page.from, limit: page.to - page.from, descending: sort.descending, by };
}
