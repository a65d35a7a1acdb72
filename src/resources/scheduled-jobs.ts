// Scheduled jobs: requests the server sends to itself, defined by clients, the settings file or models.
import type { ScheduledJobView, TimetablePreviewView } from "../api/scheduled-job.ts";
import { redact } from "../core/access/redact.ts";
import type { Creator } from "../core/access/token.ts";
import { invalid, TorusError } from "../core/errors.ts";
import type { JsonPages } from "../core/formats/json-pieces.ts";
import { Listed } from "../core/input/listed.ts";
import { arrange, parseListing, pickFields, showViews } from "../core/input/listing.ts";
import { planRetrain, type RetrainedModel, retrainJobName } from "../core/model/retrain.ts";
import {
  checkJobEvery,
  checkRange,
  checkScheduledJob,
  nextRun,
  nextRuns,
  type ScheduledJob,
} from "../core/time/scheduled-job.ts";
import {
  type JobDefinition,
  jobNamesOf,
  type KnownJob,
  planModels,
  planStart,
} from "../core/time/scheduled-plan.ts";
import type { Store } from "../store/db/open.ts";
import { applyJobPlan, applyRetrainPlan } from "../store/scheduled-job-plans.ts";
import {
  clearScheduledJobs,
  countScheduledJobs,
  listScheduledJobs,
  loadScheduledJob,
  pageScheduledJobs,
  patchScheduledJobs,
  putScheduledJob,
  removeScheduledJobs,
  type ScheduledJobRow,
} from "../store/scheduled-jobs.ts";
import { type BinDeps, type Deleter, deletionOf } from "./shared/deletion.ts";
import { findPage, MAX_AT_ONCE, showLongList } from "./shared/long-list.ts";
import type { Params } from "./shared/range.ts";

interface ScheduledJobDeps extends BinDeps {
  readonly store: Store;
  /** IANA time zone of times of day. */
  readonly timezone: string;
  /** Of the effective settings file, checked. */
  readonly definitions: () => readonly JobDefinition[];
}

/** @param names of the jobs concerned; absent: any */
type Listener = (names?: readonly string[]) => void;

/** What the API takes. */
interface Routes {
  /** @throws TorusError `not_found`, `method_not_allowed`: no route matches */
  readonly requireRoute: (method: string, path: string) => void;
  /** @throws TorusError `invalid`: the call lacks what its route requires */
  readonly requireCall: (call: Call) => void;
}

type Call = Pick<ScheduledJob, "method" | "params" | "json"> & { readonly path: string };

/** Runs of a preview. */
const PREVIEWED = 5;

export class ScheduledJobs {
  #notify: Listener = () => {};
  #run = async (_name: string): Promise<void> => {
    throw new TorusError("not_supported", "scheduled jobs are off on this server");
  };

  #routes: Routes = { requireRoute: () => {}, requireCall: () => {} };

  constructor(private readonly deps: ScheduledJobDeps) {}

  /** Sets the callback for created, changed and deleted scheduled jobs. */
  watch(listener: Listener): void {
    this.#notify = listener;
  }

  /** Sets what runs a job beside its slots. */
  runWith(run: (name: string) => Promise<void>): void {
    this.#run = run;
  }

  /** Sets what the requests of jobs are checked against. */
  routeWith(routes: Routes): void {
    this.#routes = routes;
  }

  /** Checks the request of a job against the API. @throws TorusError `invalid`: each run would fail */
  checkRequest(job: ScheduledJob): void {
    checkRoute(job, this.#routes);
    checkCall(job, this.#routes);
    checkRange(job);
  }

  /**
   * Starts runs now, paused jobs included; one under way is not started again.
   * @throws TorusError `not_found` naming the first unknown one, before any is started; `not_supported`
   */
  async run(names: readonly string[]): Promise<void> {
    for (const name of names) await loadScheduledJob(this.deps.store, name);
    for (const name of new Set(names)) await this.#run(name);
  }

  /** The next runs of a timetable that need not be stored. @throws TorusError `invalid` */
  preview(body: unknown): TimetablePreviewView {
    const every = checkJobEvery((body as { every?: unknown } | null)?.every);
    const { clock, timezone } = this.deps;
    const runs = nextRuns({ every }, { afterAt: clock.now(), timezone, count: PREVIEWED });
    return { timezone: every.timezone ?? timezone, runs: runs.map((at) => at / 1000) };
  }

  /** All scheduled jobs. @throws TorusError `invalid` for bad list parameters */
  async list(params: Params = {}): Promise<Listed<object[] | JsonPages>> {
    const { store } = this.deps;
    const listing = parseListing(params, { defaultSort: "name" });
    const count = await countScheduledJobs(store);
    const page = findPage(listing, "name");
    const view = (rows: readonly ScheduledJobRow[]) => rows.map((row) => this.#view(row));
    if (!(page && listing.page) && count > MAX_AT_ONCE) {
      const pages = pageScheduledJobs(store, page);
      const shown = await showLongList({ pages, isInOrder: page !== undefined, view }, listing);
      return new Listed(shown, { total: listing.page && count });
    }
    const views = view(await listScheduledJobs(store, page));
    const arranged = page ? views : arrange(views, listing);
    return showViews(arranged, listing, { total: listing.page && count });
  }

  /** One view per name, in their order. @throws TorusError `not_found` naming the first unknown one */
  async get(names: readonly string[], params: Params = {}): Promise<object[]> {
    const views: object[] = [];
    for (const name of names) views.push(this.#view(await loadScheduledJob(this.deps.store, name)));
    return pickFields(views, params);
  }

  /**
   * Creates or replaces; replacing resets the last run.
   * @param creator token whose rights the runs have; absent: authentication is off
   * @throws TorusError `invalid`
   */
  async put(body: unknown, creator?: Creator): Promise<void> {
    const definition = checkScheduledJob(body);
    this.checkRequest(definition);
    const { store, clock } = this.deps;
    await putScheduledJob(store, { definition, origin: "api", creator, at: clock.now() });
    this.#notify([definition.name]);
  }

  /** Merges a part into each, all or none; the runs get the rights of `creator`. @throws TorusError `not_found`, `invalid` */
  async patch(names: readonly string[], body: unknown, creator?: Creator): Promise<void> {
    const change = (old: ScheduledJob) => {
      const job = mergeJob(old, body);
      // A job of an older server, whose request fails, can be paused.
      if (!Bun.deepEquals(callOf(job), callOf(old))) this.checkRequest(job);
      return job;
    };
    await patchScheduledJobs(this.deps.store, names, { at: this.deps.clock.now(), creator, change });
    this.#notify(names);
  }

  /** Deletes jobs; unknown names are ignored. @returns entries of the bin */
  async remove(names: readonly string[], deleter: Deleter = {}): Promise<string[]> {
    const binned = await removeScheduledJobs(this.deps.store, names, deletionOf(this.deps, deleter));
    this.#notify(names);
    return binned;
  }

  /**
   * Deletes all jobs but those of models; those of the settings file return with the next start or reload.
   * @returns entries of the bin
   */
  async clear(deleter: Deleter = {}): Promise<string[]> {
    const binned = await clearScheduledJobs(this.deps.store, deletionOf(this.deps, deleter));
    this.#notify();
    return binned;
  }

  /** Takes up jobs that were restored. */
  resume(names: readonly string[]): void {
    this.#notify(names);
  }

  /** Creates and deletes jobs to match the settings file and the models. */
  async define(): Promise<void> {
    const { store, clock } = this.deps;
    const definitions = this.deps.definitions();
    const at = clock.now();
    await applyJobPlan(store, (models, known) => planStart(definitions, models, known), { at });
    await applyRetrainPlan(store, planRetrain, { at });
    this.#notify();
  }

  /** Updates the retraining jobs of models that were created, changed or deleted. */
  async followSettings(names: readonly string[]): Promise<void> {
    const { store, clock } = this.deps;
    const scope = { models: [...new Set(names)], jobs: [...new Set(names.map(retrainJobName))] };
    const plan = (models: RetrainedModel[], known: KnownJob[]) => planRetrain(models, known, names);
    if (await applyRetrainPlan(store, plan, { at: clock.now(), scope })) this.#notify(scope.jobs);
  }

  /** Updates the jobs of models that were created or deleted, as their presence in the store shows. */
  async follow(names: readonly string[]): Promise<void> {
    const { store, clock } = this.deps;
    const definitions = this.deps.definitions();
    await this.followSettings(names);
    if (definitions.length === 0) return;
    const scope = { models: [...new Set(names)], jobs: jobNamesOf(definitions, names) };
    const plan = (models: string[], known: KnownJob[]) => {
      const stored = new Set(models);
      const came = names.filter((name) => stored.has(name));
      const gone = names.filter((name) => !stored.has(name));
      return planModels(definitions, { created: came, deleted: gone }, known);
    };
    if (await applyJobPlan(store, plan, { at: clock.now(), scope })) this.#notify(scope.jobs);
  }

  #view(row: ScheduledJobRow): ScheduledJobView {
    const { clock, timezone } = this.deps;
    return {
      ...viewDefinition(row.definition),
      ...viewLastRun(row),
      next_run_timestamp: nextRun(row.definition, clock.now(), timezone) / 1000,
    };
  }
}

function callOf({ method, relative_url: path, params, json }: ScheduledJob): Call {
  return { method, path, ...(params && { params }), ...(json && { json }) };
}

/** @throws TorusError `invalid`: the request lacks what its route requires, so that each run would fail */
export function checkCall(job: ScheduledJob, { requireCall }: Pick<Routes, "requireCall">): void {
  requireCall(callOf(job));
}

/** @throws TorusError `invalid`: no route has the method and path, so that each run would fail */
export function checkRoute(
  { method, relative_url }: ScheduledJob,
  { requireRoute }: Pick<Routes, "requireRoute">,
): void {
  try {
    requireRoute(method, relative_url);
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
    throw invalid(error.code === "method_not_allowed" ? "method" : "relative_url", error.message);
  }
}

/** The definition without secrets in its parameters and body. */
export function viewDefinition(definition: ScheduledJob): ScheduledJob {
  const { params, json } = definition;
  return {
    ...definition,
    ...(params && { params: redact(params) as typeof params }),
    ...(json && { json: redact(json) as typeof json }),
  };
}

function viewLastRun({
  lastRunAt,
  lastStatus,
  lastError,
  lastErrorCode,
}: ScheduledJobRow): Partial<ScheduledJobView> {
  if (lastRunAt === null) return {};
  return {
    ok: lastError === null,
    ...(lastStatus !== null && { status_code: lastStatus }),
    ...(lastError !== null && { error: lastError }),
    ...(lastErrorCode !== null && { code: lastErrorCode }),
    last_run_timestamp: lastRunAt / 1000,
  };
}

/** Applies a PATCH: missing keys stay, null removes an optional one, a value equal to its redacted view changes nothing. */
export function mergeJob(old: ScheduledJob, patch: unknown): ScheduledJob {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch))
    throw invalid("body", "must be a JSON object: the settings to change");
  const merged = new Map<string, unknown>(Object.entries(old));
  const shown: Readonly<Record<string, unknown>> = viewDefinition(old);
  for (const [key, value] of Object.entries(patch)) {
    if (key === "name" && value !== old.name)
      throw invalid("name", "cannot be changed; create another scheduled job instead");
    if (value === null) merged.delete(key);
    else if (!Object.hasOwn(shown, key) || !Bun.deepEquals(value, shown[key])) merged.set(key, value);
  }
  return checkScheduledJob(Object.fromEntries(merged));
}
