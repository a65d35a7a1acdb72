// Jobs: lists, single views with results, cancellation, retries, waiting.
import type { JobView } from "../../api/job.ts";
import { TorusError } from "../../core/errors.ts";
import { JsonStream, JsonText } from "../../core/formats/json-pieces.ts";
import { Listed } from "../../core/input/listed.ts";
import { arrange, isShown, type Listing, parseListing, project } from "../../core/input/listing.ts";
import { isFinal } from "../../core/job.ts";
import type { Queue, Submission } from "../../jobs/queue/queue.ts";
import type { WaitLimits } from "../../jobs/queue/waiters.ts";
import { viewJob } from "../../jobs/view.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import { readResult, SMALL_RESULT_BYTES } from "../../store/jobs/results.ts";
import {
  countJobs,
  isJobOrder,
  type JobPage,
  type JobRow,
  type JobSummary,
  listJobs,
  loadEndedJob,
  loadJob,
  loadResults,
} from "../../store/jobs/rows.ts";
import type { Params } from "../shared/range.ts";
import { parseJobFilter } from "./filter.ts";

interface JobDeps {
  readonly store: Store;
  readonly queue: Pick<Queue, "cancel" | "follow" | "progressOf" | "submit" | "wait">;
  readonly clock: Pick<Clock, "now">;
}

interface Entry {
  readonly row: JobSummary;
  readonly view: JobView;
}

/** Results with more bytes in total are streamed. */
const MAX_BUFFERED_BYTES = 1024 * 1024;

export class Jobs {
  constructor(private readonly deps: JobDeps) {}

  /**
   * All jobs, or those that match `state`, `type`, `model` and `since`. Large results are omitted unless
   * `fields=result` with `include_fields=true` names them.
   * @throws TorusError `invalid`
   */
  async list(params: Params = {}): Promise<Listed<object[] | JsonStream>> {
    const { store, clock } = this.deps;
    const listing = parseListing(params, { defaultSort: "id" });
    const filter = parseJobFilter(params, clock.now());
    const page = findPage(listing);
    const rows = await listJobs(store, page, filter);
    const total = listing.page && (page ? await countJobs(store, filter) : rows.length);
    if (page) {
      const shown = rows.map((row) => ({ row, view: this.#viewCached(row, null) }));
      return new Listed(await this.#show(shown, listing), { total });
    }
    const rowOf = new Map(rows.map((row) => [row.id, row]));
    const views = arrange(
      rows.map((row) => this.#view(row, null)),
      listing,
    );
    const shown = views.map((view) => ({ row: rowOf.get(view.id)!, view }));
    return new Listed(await this.#show(shown, listing), { total });
  }

  /**
   * One view per id, in their order. A single id shows its result of any size; several are treated as a list.
   * @throws TorusError `not_found` naming the first unknown one
   */
  async get(ids: readonly string[], params: Params = {}): Promise<object[] | JsonStream> {
    const { fields, include_fields } = params;
    const listing = parseListing({ fields, include_fields });
    const rows = new Map<string, JobRow>();
    for (const id of ids) if (!rows.has(id)) rows.set(id, await loadJob(this.deps.store, id));
    const shown = ids.map((id) => {
      const row = rows.get(id)!;
      return { row, view: this.#viewCached(row, row.result) };
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
   * Submits failed and canceled jobs anew with the same input, all or none.
   * @returns the ids of the new jobs, in order
   * @throws TorusError `not_found`, `job_stopped`, `not_supported`, `training_active`, `overloaded`
   */
  async retry(ids: readonly string[]): Promise<string[]> {
    const { store, queue } = this.deps;
    const ended = await Promise.all([...new Set(ids)].map((id) => loadEndedJob(store, id)));
    // The stored JSON was written by a submission of the same type.
    return queue.submit(...ended.map(({ type, model, input }) => ({ type, model, input }) as Submission));
  }

  /**
   * Waits for the end of a job, which is canceled when its caller leaves.
   * @returns its result
   * @throws TorusError the error of a failed job, `canceled`, `deadline`, `interrupted`, `not_found`
   */
  async wait(id: string, limits: WaitLimits): Promise<unknown> {
    const { state, result, errorCode, errorMessage } = await this.deps.queue.wait(id, limits);
    if (state === "done") return result;
    if (state === "canceled") throw new TorusError("canceled", `job ${id} was canceled`, { job_id: id });
    throw new TorusError(errorCode ?? "internal", errorMessage ?? "internal error; the log has the details");
  }

  /**
   * Waits for the end of a job, at most until the deadline; the job goes on.
   * @returns its view, of whatever state
   * @throws TorusError `not_found`
   */
  async follow(id: string, limits: WaitLimits): Promise<JobView> {
    await this.deps.queue.follow(id, limits);
    return this.view(id);
  }

  /** Entries with their results; a stream if these are large. */
  async #show(
    shown: readonly Entry[],
    listing: Listing,
    { isAlone = false } = {},
  ): Promise<object[] | JsonStream> {
    const isNamed = listing.fields?.keep && isShown(listing, "result");
    const maxBytes = isAlone || isNamed ? Number.POSITIVE_INFINITY : SMALL_RESULT_BYTES;
    if (!isShown(listing, "result"))
      return shown.map((each) => project(omitResult(each, maxBytes), hideOmitted(listing)));
    const isIncluded = ({ row }: Entry) => (row.resultBytes ?? 0) > 0 && row.resultBytes! <= maxBytes;
    const bytes = shown.filter(isIncluded).map(({ row }) => row.resultBytes!);
    const total = bytes.reduce((sum, length) => sum + length, 0);
    if (total > MAX_BUFFERED_BYTES || bytes.some((length) => length > SMALL_RESULT_BYTES)) {
      const entries = shown.map((each) =>
        project(isIncluded(each) ? this.#streamResult(each) : omitResult(each, maxBytes), listing),
      );
      return new JsonStream(entries, total);
    }
    const missing = shown.filter((each) => isIncluded(each) && each.view.result === null);
    const ids = missing.map(({ row }) => row.id);
    const results = ids.length > 0 ? await loadResults(this.deps.store, ids) : undefined;
    return shown.map((each) => {
      const found = results?.get(each.row.id);
      return project(
        found === undefined ? omitResult(each, maxBytes) : { ...each.view, result: found },
        listing,
      );
    });
  }

  #streamResult({ row, view }: Entry): object {
    return { ...view, result: new JsonText(() => readResult(this.deps.store, row)) };
  }

  #view(row: JobSummary, result: unknown): JobView {
    const { queue, clock } = this.deps;
    return viewJob(row, { result, report: queue.progressOf(row.id), nowAt: clock.now() });
  }

  /** As `#view`; that of a final job is cached. */
  #viewCached(row: JobSummary, result: unknown): JobView {
    if (!isFinal(row.state)) return this.#view(row, result);
    return this.deps.store.rowCache.view(row, () => this.#view(row, result));
  }
}

/** The view without a result of more than `maxBytes`. */
function omitResult({ row, view }: Entry, maxBytes: number): JobView {
  if ((row.resultBytes ?? 0) <= maxBytes) return view;
  const { id, type, state, result: _, ...rest } = view;
  return { id, type, state, result: null, result_omitted: true, ...rest };
}

/** Excludes `result_omitted` wherever `result` is excluded. */
function hideOmitted({ fields, ...rest }: Listing): Listing {
  if (!fields || fields.keep) return { fields, ...rest };
  return { ...rest, fields: { ...fields, names: [...fields.names, "result_omitted"] } };
}

/** The page to read if the database can sort and cut it. */
function findPage({ sort, page }: Listing): JobPage | undefined {
  const by = sort?.path.join(".") ?? "";
  if (!sort || !page || !Number.isSafeInteger(page.to) || !isJobOrder(by)) return undefined;
  return { offset: page.from, limit: page.to - page.from, descending: sort.descending, by };
}
