// Models: their settings, their versions, and the jobs that train, forecast and evaluate.

import type { JobView } from "../api/job.ts";
import type { ModelView, VersionView } from "../api/model.ts";
import { invalid, TorusError } from "../core/errors.ts";
import type { JsonPages } from "../core/formats/json-pieces.ts";
import { etagOf, type IfMatch } from "../core/input/etag.ts";
import {
  arrange,
  type Listing,
  listViews,
  parseListing,
  pickFields,
  project,
  withStates,
  withTotal,
} from "../core/input/listing.ts";
import { modelStates } from "../core/model/model-state.ts";
import type { Queue, Submission, SubmitOptions } from "../jobs/queue/queue.ts";
import type { Clock } from "../runtime/clock.ts";
import { countModelStates, findModels } from "../store/model-states.ts";
import {
  countModels,
  createModel,
  listModels,
  loadModel,
  type ModelRow,
  type Page,
  pageModels,
  patchModels,
  removeModels,
} from "../store/models.ts";
import { versionNotFound } from "../store/version-retention.ts";
import { listVersions, restoreVersion } from "../store/versions.ts";
import type { LiveView } from "./live/view.ts";
import type { LiveControl } from "./live.ts";
import { withActiveVersions } from "./models/active-versions.ts";
import { type ModelSearch, parseSearch } from "./models/find.ts";
import { type JobRequest, type PlanDeps, planEvaluation, planForecast, planTraining } from "./models/plan.ts";
import {
  assertRetrainName,
  type BucketsByName,
  checkModel,
  loadBuckets,
  mergeModel,
} from "./models/settings.ts";
import { viewModel, viewVersion } from "./models/view.ts";
import { findPage, MAX_AT_ONCE, showLongList } from "./shared/long-list.ts";
import type { Params } from "./shared/range.ts";

/** Live models are read by name up to this many; beyond, all of them are read at once. */
const MAX_READS_BY_NAME = 100;

interface ModelDeps extends PlanDeps {
  readonly queue: Pick<Queue, "submit" | "release" | "progressOf">;
  readonly clock: Pick<Clock, "now">;
  /** View of a job. @throws TorusError `not_found` */
  readonly viewJob: (id: string) => Promise<JobView>;
  readonly live?: LiveControl;
  /** Called when models were created or deleted. */
  readonly onChange?: (names: readonly string[]) => Promise<void>;
  /** Called when settings of models were changed. */
  readonly onPatch?: (names: readonly string[]) => Promise<void>;
}

type Plan = (deps: PlanDeps, request: JobRequest) => Promise<Submission>;

export class Models {
  constructor(private readonly deps: ModelDeps) {}

  /**
   * All models, or those that match `state` and `q`, with the number in each state.
   * @throws TorusError `invalid` for bad list parameters
   */
  async list(params: Params = {}): Promise<object[] | JsonPages> {
    const listing = parseListing(params, { defaultSort: "name", aliases: { name: "settings.name" } });
    const search = parseSearch(params, listing);
    if (search) return this.#find(search, listing);
    const page = findPage(listing, "settings.name");
    const { store } = this.deps;
    const isPaged = page !== undefined && listing.page !== undefined;
    if (!isPaged && (await countModels(store)) > MAX_AT_ONCE) return this.#listLong(listing, page);
    const rows = await listModels(store, page);
    const views = page ? await this.#viewAll(rows) : await this.#arrange(rows, listing);
    const shown = listing.fields ? views.map((view) => project(view, listing)) : views;
    return withTotal(shown, listing.page && (page ? await countModels(store) : rows.length));
  }

  /** @param inOrder where the database sorts */
  async #listLong(listing: Listing, inOrder: Page | undefined): Promise<object[] | JsonPages> {
    const { store } = this.deps;
    const pages = pageModels(store, inOrder);
    const view = async (rows: readonly ModelRow[]) =>
      this.#viewSome(
        rows,
        rows.map(({ name }) => name),
      );
    const shown = await showLongList({ pages, isInOrder: inOrder !== undefined, view }, listing);
    return listing.page ? withTotal(shown, await countModels(store)) : shown;
  }

  async #find({ filter, order }: ModelSearch, listing: Listing): Promise<object[]> {
    const { store } = this.deps;
    const views = await this.#viewAll(await findModels(store, filter, order));
    const shown = views.map((view) => project(view, listing));
    const counts = await countModelStates(store, filter);
    const states = filter.states ?? modelStates;
    const total = new Set(states).values().reduce((sum, state) => sum + (counts.get(state) ?? 0), 0);
    return withStates(withTotal(shown, total), counts);
  }

  /** One view per name, in their order. @throws TorusError `not_found` naming the first unknown one */
  async get(names: readonly string[], params: Params = {}): Promise<object[]> {
    const views: ModelView[] = [];
    const live = await this.deps.live?.details(names);
    for (const name of names) views.push(this.#view(await loadModel(this.deps.store, name), live?.get(name)));
    return pickFields(views, params);
  }

  /** Entity tag of the settings. @throws TorusError `not_found` */
  async etag(name: string): Promise<string> {
    return etagOf((await loadModel(this.deps.store, name)).settings);
  }

  /** @throws TorusError `invalid`, `already_exists` */
  async create(body: unknown): Promise<void> {
    const settings = checkModel(body, await this.#buckets());
    const { store, clock, onChange } = this.deps;
    await assertRetrainName(store, settings.name, settings);
    await createModel(store, { name: settings.name, settings }, clock.now());
    await onChange?.([settings.name]);
  }

  /**
   * Merges full settings or a part into each, all or none.
   * @throws TorusError `not_found`, `invalid`, `precondition_failed`
   */
  async patch(names: readonly string[], body: unknown, ifMatch?: IfMatch): Promise<void> {
    const buckets = await this.#buckets();
    const change = (old: Record<string, unknown>) => {
      ifMatch?.check(etagOf(old));
      return mergeModel(old, body, buckets);
    };
    const { store, clock, live, onPatch } = this.deps;
    for (const name of names) await assertRetrainName(store, name, body);
    await patchModels(store, names, { at: clock.now(), change });
    await live?.follow(names);
    await onPatch?.(names);
  }

  /** Deletes models with their versions, all or none; cancels their jobs and stops them live. @throws TorusError `not_found` */
  async remove(names: readonly string[]): Promise<void> {
    const { store, queue, clock, live, onChange } = this.deps;
    for (const name of names) await loadModel(store, name);
    await live?.stop(names, "the model was deleted");
    queue.release(await removeModels(store, names, clock.now()));
    // A model may have been started again meanwhile.
    await live?.follow(names);
    await onChange?.(names);
  }

  /** Submits a training. @returns id of the job. @throws TorusError see `trainAll` */
  async train(name: string, params: Params): Promise<string> {
    const [id] = await this.trainAll([name], params);
    return id!;
  }

  /**
   * Submits one training per model, all or none; a name given twice yields its job's id twice.
   * @returns ids of the jobs, in the order of the names
   * @throws TorusError `not_found`, `invalid`, `training_active`, `too_little_data`, `not_trained`, `overloaded`
   */
  async trainAll(names: readonly string[], params: Params): Promise<string[]> {
    const distinct = [...new Set(names)];
    const ids = await this.#submit(distinct, params, planTraining);
    return names.map((name) => ids[distinct.indexOf(name)]!);
  }

  /** The job of the latest training. @throws TorusError `not_found`, also if there was none yet */
  async training(name: string): Promise<JobView> {
    const { training } = await loadModel(this.deps.store, name);
    if (!training)
      throw new TorusError("not_found", `model ${name} has no training yet: start one with _train`);
    return this.deps.viewJob(training.id);
  }

  /** Versions, oldest first unless sorted otherwise. @throws TorusError `not_found`, `invalid` */
  async versions(name: string, params: Params = {}): Promise<object[]> {
    return listViews(await this.#viewVersions(name), params, { aliases: { name: "version.name" } });
  }

  /** One version. @throws TorusError `not_found` */
  async version(name: string, version: string): Promise<VersionView> {
    const views = await this.#viewVersions(name);
    const view = views.find((candidate) => candidate.version.name === version);
    if (!view) throw versionNotFound(name, version);
    return view;
  }

  /** Activates an older version. @throws TorusError `not_found`, `invalid` */
  async restore(name: string, version: unknown): Promise<void> {
    if (typeof version !== "string" || version === "")
      throw invalid("version", "is required: the name of a version, a text as in 00");
    const { store, clock } = this.deps;
    await restoreVersion(store, { model: name, version }, clock.now());
  }

  /** Submits a forecast. @throws TorusError `not_found`, `invalid`, `not_trained`, `not_supported`, `overloaded` */
  async forecast(name: string, params: Params, options: SubmitOptions = {}): Promise<{ jobId: string }> {
    const [jobId] = await this.#submit([name], params, withOptions(planForecast, options));
    return { jobId: jobId! };
  }

  /** Submits an evaluation. @throws TorusError as `forecast` */
  async evaluate(name: string, params: Params, options: SubmitOptions = {}): Promise<{ jobId: string }> {
    const [jobId] = await this.#submit([name], params, withOptions(planEvaluation, options));
    return { jobId: jobId! };
  }

  /** One job per model, all or none. @returns their ids */
  #submit(names: readonly string[], params: Params, plan: Plan): Promise<string[]> {
    const { store, queue, clock } = this.deps;
    return withActiveVersions(store, names, async (rows) => {
      const submissions: Submission[] = [];
      for (const row of rows) submissions.push(await plan(this.deps, { row, params, nowAt: clock.now() }));
      return queue.submit(...submissions);
    });
  }

  /** Views of all models, sorted and cut here: in an order the database does not know. */
  async #arrange(rows: readonly ModelRow[], listing: Listing): Promise<ModelView[]> {
    if (!listing.page || isSortedByLive(listing)) return arrange(await this.#viewAll(rows), listing);
    // Sorted without live detection, which is then read for the page alone.
    const rowOf = new Map(rows.map((row) => [this.#view(row, undefined), row]));
    const page = arrange([...rowOf.keys()], listing);
    return this.#viewAll(page.map((view) => rowOf.get(view)!));
  }

  async #viewAll(rows: readonly ModelRow[]): Promise<ModelView[]> {
    const names = rows.length > MAX_READS_BY_NAME ? undefined : rows.map(({ name }) => name);
    return this.#viewSome(rows, names);
  }

  /** @param names of the live models to read; absent: all */
  async #viewSome(rows: readonly ModelRow[], names: readonly string[] | undefined): Promise<ModelView[]> {
    const live = await this.deps.live?.views(names);
    return rows.map((row) => this.#view(row, live?.get(row.name)));
  }

  /** Cached where it depends on the row alone: the model is neither training nor live. */
  #view(row: ModelRow, live: LiveView | undefined): ModelView {
    if (live || row.training?.state === "running") return this.#makeView(row, live);
    return this.deps.store.rowCache.view(row, () => this.#makeView(row, undefined));
  }

  #makeView(row: ModelRow, live: LiveView | undefined): ModelView {
    const { queue, clock } = this.deps;
    return viewModel(row, { reportOf: (id) => queue.progressOf(id), live, nowAt: clock.now() });
  }

  async #viewVersions(name: string): Promise<VersionView[]> {
    return (await listVersions(this.deps.store, name)).map(viewVersion);
  }

  #buckets(): Promise<BucketsByName> {
    return loadBuckets(this.deps.store);
  }
}

/** The plan, with options of the submission. */
function withOptions(plan: Plan, options: SubmitOptions): Plan {
  return async (deps, request) => ({ ...(await plan(deps, request)), ...options });
}

/** Whether the list is sorted by a field of live detection. */
function isSortedByLive({ sort }: Listing): boolean {
  const [first, second] = sort?.path ?? [];
  return first === "live" || (first === "settings" && second === "run");
}
