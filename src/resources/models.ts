// Models: what the API can do with their settings, their versions, and the jobs that put them to work.
import type { JobView } from "../api/job.ts";
import type { ModelView, VersionView } from "../api/model.ts";
import { invalid, TorusError } from "../core/errors.ts";
import {
  arrange,
  type Listing,
  listViews,
  parseListing,
  pickFields,
  project,
  withTotal,
} from "../core/input/listing.ts";
import { ViewCache } from "../core/view-cache.ts";
import type { Queue, Submission, SubmitOptions } from "../jobs/queue/queue.ts";
import type { Clock } from "../runtime/clock.ts";
import {
  countModels,
  createModel,
  listModels,
  loadModel,
  type ModelRow,
  type Page,
  patchModels,
  removeModels,
} from "../store/models.ts";
import { listVersions, restoreVersion } from "../store/versions.ts";
import type { LiveView } from "./live/view.ts";
import type { LiveControl } from "./live.ts";
import { withActiveVersions } from "./models/active-versions.ts";
import { type JobRequest, type PlanDeps, planEvaluation, planForecast, planTraining } from "./models/plan.ts";
import {
  type BucketsByName,
  checkModel,
  expectRetrainName,
  loadBuckets,
  mergeModel,
} from "./models/settings.ts";
import { viewModel, viewVersion } from "./models/view.ts";
import type { Params } from "./shared/range.ts";

/** So many models are looked for among the live ones by name; of more, all live ones are read. */
const FEW = 100;

export interface ModelDeps extends PlanDeps {
  readonly queue: Pick<Queue, "submit" | "release" | "progressOf">;
  readonly clock: Pick<Clock, "now">;
  /** View of a job. @throws TorusError `not_found` */
  readonly viewJob: (id: string) => Promise<JobView>;
  readonly live?: LiveControl;
  /** Told of models that were created or deleted. */
  readonly onChange?: (names: readonly string[]) => Promise<void>;
  /** Told of models whose settings were changed. */
  readonly onPatch?: (names: readonly string[]) => Promise<void>;
}

type Plan = (deps: PlanDeps, wish: JobRequest) => Promise<Submission>;

export class Models {
  /** Of models that neither train nor are live. */
  readonly #idleViews = new ViewCache<ModelRow, ModelView>();

  constructor(private readonly deps: ModelDeps) {}

  /** All models. @throws TorusError `invalid` for bad list parameters */
  async list(params: Params = {}): Promise<object[]> {
    const listing = parseListing(params, { defaultSort: "name", aliases: { name: "settings.name" } });
    const page = findPage(listing);
    const { store } = this.deps;
    const rows = await listModels(store, page);
    const views = page ? await this.#viewAll(rows) : await this.#arrange(rows, listing);
    const shown = listing.fields ? views.map((view) => project(view, listing)) : views;
    return withTotal(shown, listing.page && (page ? await countModels(store) : rows.length));
  }

  /** One view per name, in their order. @throws TorusError `not_found` naming the first unknown one */
  async get(names: readonly string[], params: Params = {}): Promise<object[]> {
    const views: ModelView[] = [];
    const live = await this.deps.live?.details(names);
    for (const name of names) views.push(this.#view(await loadModel(this.deps.store, name), live?.get(name)));
    return pickFields(views, params);
  }

  /** @throws TorusError `invalid`, `already_exists` */
  async create(body: unknown): Promise<void> {
    const settings = checkModel(body, await this.#buckets());
    const { store, clock, onChange } = this.deps;
    await expectRetrainName(store, settings.name, settings);
    await createModel(store, { name: settings.name, settings }, clock.now());
    await onChange?.([settings.name]);
  }

  /** Merges full settings or a part into each, all or none. @throws TorusError `not_found`, `invalid` */
  async patch(names: readonly string[], body: unknown): Promise<void> {
    const buckets = await this.#buckets();
    const change = (old: Record<string, unknown>) => mergeModel(old, body, buckets);
    const { store, clock, live, onPatch } = this.deps;
    for (const name of names) await expectRetrainName(store, name, body);
    await patchModels(store, names, { at: clock.now(), change });
    await live?.follow(names);
    await onPatch?.(names);
  }

  /** Cancels what works on them, stops them live, deletes them with their versions; all or none. @throws TorusError `not_found` */
  async remove(names: readonly string[]): Promise<void> {
    const { store, queue, clock, live, onChange } = this.deps;
    for (const name of names) await loadModel(store, name);
    await live?.stop(names, "the model was deleted");
    queue.release(await removeModels(store, names, clock.now()));
    // Whoever was started again meanwhile is watched no more.
    await live?.follow(names);
    await onChange?.(names);
  }

  /** Submits a training. @returns id of the job. @throws TorusError see `trainAll` */
  async train(name: string, params: Params): Promise<string> {
    const [id] = await this.trainAll([name], params);
    return id!;
  }

  /**
   * Submits one training per model, all or none; a name given twice has its job's id twice.
   * @returns ids of the jobs, in the order of the names
   * @throws TorusError `not_found`, `invalid`, `training_active`, `too_little_data`, `not_trained`, `overloaded`
   */
  async trainAll(names: readonly string[], params: Params): Promise<string[]> {
    const distinct = [...new Set(names)];
    const ids = await this.#submit(distinct, params, planTraining);
    return names.map((name) => ids[distinct.indexOf(name)]!);
  }

  /** The training submitted last. @throws TorusError `not_found`, also where there was none yet */
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
    if (!view) throw new TorusError("not_found", `model ${name} has no version ${version.slice(0, 64)}`);
    return view;
  }

  /** Makes an older version answer again. @throws TorusError `not_found`, `invalid` */
  async restore(name: string, version: unknown): Promise<void> {
    if (typeof version !== "string" || version === "")
      throw invalid("version", "is required: the name of a version, a text as in 00");
    const { store, clock } = this.deps;
    await restoreVersion(store, { model: name, version: version.slice(0, 64) }, clock.now());
  }

  /** Submits a forecast. @throws TorusError `not_found`, `invalid`, `not_trained`, `not_supported`, `overloaded` */
  async forecast(name: string, params: Params, options: SubmitOptions = {}): Promise<{ jobId: string }> {
    const [jobId] = await this.#submit([name], params, inForeground(planForecast, options));
    return { jobId: jobId! };
  }

  /** Submits an evaluation. @throws TorusError as `forecast` */
  async evaluate(name: string, params: Params, options: SubmitOptions = {}): Promise<{ jobId: string }> {
    const [jobId] = await this.#submit([name], params, inForeground(planEvaluation, options));
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

  /** Of all models, in an order the database does not know. */
  async #arrange(rows: readonly ModelRow[], listing: Listing): Promise<ModelView[]> {
    if (!listing.page || isOfLive(listing)) return arrange(await this.#viewAll(rows), listing);
    // Only of those that are shown it matters where detection stands.
    const rowOf = new Map(rows.map((row) => [this.#view(row, undefined), row]));
    return this.#viewAll(arrange([...rowOf.keys()], listing).map((view) => rowOf.get(view)!));
  }

  async #viewAll(rows: readonly ModelRow[]): Promise<ModelView[]> {
    const names = rows.length > FEW ? undefined : rows.map(({ name }) => name);
    const live = await this.deps.live?.views(names);
    return rows.map((row) => this.#view(row, live?.get(row.name)));
  }

  #view(row: ModelRow, live: LiveView | undefined): ModelView {
    // Only what runs changes while the row stays the same.
    if (live || row.training?.state === "running") return this.#viewNow(row, live);
    return this.#idleViews.memoize(row, () => this.#viewNow(row, undefined));
  }

  #viewNow(row: ModelRow, live: LiveView | undefined): ModelView {
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

/** The same plan, for a job that a request may wait for. */
function inForeground(plan: Plan, options: SubmitOptions): Plan {
  return async (deps, wish) => ({ ...(await plan(deps, wish)), ...options });
}

/** True where models are sorted by what detection knows of them. */
function isOfLive({ sort }: Listing): boolean {
  const [first, second] = sort?.path ?? [];
  return first === "live" || (first === "settings" && second === "run");
}

/** What is asked for in the order of names, the database sorts and cuts: all of it (limit -1) or a page. */
function findPage({ sort, page = { from: 0, to: -1 } }: Listing): Page | undefined {
  if (sort?.path.join(".") !== "settings.name" || !Number.isSafeInteger(page.to)) return undefined;
  return { offset: page.from, limit: page.to - page.from, descending: sort.descending };
}
