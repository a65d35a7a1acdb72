// Models: their settings, their versions, and the jobs that train, forecast and evaluate.

import type { JobView } from "../../api/job.ts";
import type { VersionView } from "../../api/model.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import { etagOf, type IfMatch } from "../../core/input/etag.ts";
import { Listed } from "../../core/input/listed.ts";
import { listViews, pickFields } from "../../core/input/listing.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import { checkChanged } from "../../core/model/change-rules.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { checkAhead, type Leniency } from "../../core/model/mute.ts";
import type { Queue, Submission, SubmitOptions } from "../../jobs/queue/queue.ts";
import type { Clock } from "../../runtime/clock.ts";
import { removeModels } from "../../store/bin/models.ts";
import { createModel, loadModel, patchModels } from "../../store/models.ts";
import { versionNotFound } from "../../store/version-retention.ts";
import { listVersions, restoreVersion } from "../../store/versions.ts";
import type { PredictionSource } from "../columns/prediction-columns.ts";
import type { LiveControl } from "../live/index.ts";
import { type BinDeps, type Deleter, deletionOf } from "../shared/deletion.ts";
import type { Params } from "../shared/range.ts";
import { withActiveVersions } from "./active-versions.ts";
import { type ListDeps, type ListedModels, ModelList } from "./list.ts";
import { type JobRequest, type PlanDeps, planEvaluation, planForecast, planTraining } from "./plan.ts";
import { assertRetrainName, type BucketsByName, checkModel, loadBuckets, mergeModel } from "./settings.ts";
import { viewVersions } from "./view.ts";

interface ModelDeps extends PlanDeps, ListDeps, BinDeps {
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

type Plan<S extends Submission = Submission> = (deps: PlanDeps, request: JobRequest) => Promise<S>;

type PredictionSubmission = Awaited<ReturnType<typeof planForecast | typeof planEvaluation>>;

/** A job whose result has columns. */
interface SubmittedPrediction extends PredictionSource {
  readonly jobId: string;
}

export class Models {
  readonly #list: ModelList;

  constructor(private readonly deps: ModelDeps) {
    this.#list = new ModelList(deps);
  }

  /**
   * All models, or those that match `state` and `q`, with the number in each state.
   * @throws TorusError `invalid` for bad list parameters
   */
  list(params: Params = {}): Promise<ListedModels> {
    return this.#list.list(params);
  }

  /**
   * One view per name, in their order; a single one with the entity tag of its settings.
   * @throws TorusError `not_found` naming the first unknown one
   */
  async get(names: readonly string[], params: Params = {}): Promise<Listed> {
    const { store, live } = this.deps;
    const [details, ...rows] = await Promise.all([
      live?.details(names),
      ...names.map((name) => loadModel(store, name)),
    ]);
    const views = rows.map((row) => this.#list.view(row, details?.get(row.name)));
    const etag = rows.length === 1 ? etagOf(rows[0]!.settings) : undefined;
    return new Listed(pickFields(views, params), { etag });
  }

  /** @throws TorusError `invalid`, `already_exists` */
  async create(body: unknown, { endedMutes = false }: Leniency = {}): Promise<void> {
    const settings = checkModel(body, await this.#buckets());
    const { store, clock, onChange } = this.deps;
    checkChanged(settings);
    if (!endedMutes) checkAhead(settings.mute, { before: [], nowAt: clock.now() });
    await assertRetrainName(store, settings.name, settings);
    await createModel(store, { name: settings.name, settings }, clock.now());
    await onChange?.([settings.name]);
  }

  /**
   * Merges full settings or a part into each, all or none.
   * @throws TorusError `not_found`, `invalid`, `precondition_failed`
   */
  async patch(
    names: readonly string[],
    body: unknown,
    ifMatch?: IfMatch,
    { endedMutes = false }: Leniency = {},
  ): Promise<void> {
    const buckets = await this.#buckets();
    const { store, clock, live, onPatch } = this.deps;
    const change = (old: Partial<ModelSettings>) => {
      ifMatch?.check(etagOf(old));
      const settings = mergeModel(old, body, buckets);
      checkChanged(settings, old);
      if (!endedMutes) checkAhead(settings.mute, { before: old.mute, nowAt: clock.now() });
      return settings;
    };
    for (const name of names) await assertRetrainName(store, name, body);
    await patchModels(store, names, { at: clock.now(), change });
    await live?.follow(names);
    await onPatch?.(names);
  }

  /**
   * Deletes models with what belongs to them, all or none; cancels their jobs and ends live detection.
   * @returns entries of the bin
   * @throws TorusError `not_found`
   */
  async remove(names: readonly string[], deleter: Deleter = {}): Promise<readonly string[]> {
    const { store, queue, clock, live, onChange } = this.deps;
    for (const name of names) await loadModel(store, name);
    const ending = await live?.planStop(names, "the model was deleted");
    const deletion = deletionOf(this.deps, deleter);
    const { binned, canceled } = await removeModels(store, names, clock.now(), { deletion, ending });
    queue.release(canceled);
    ending?.report();
    await live?.follow(names);
    await onChange?.(names);
    return binned;
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
  async versions(name: string, params: Params = {}): Promise<Listed> {
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
  forecast(name: string, params: Params, options: SubmitOptions = {}): Promise<SubmittedPrediction> {
    return this.#predict(name, params, withOptions(planForecast, options));
  }

  /** Submits an evaluation. @throws TorusError as `forecast` */
  evaluate(name: string, params: Params, options: SubmitOptions = {}): Promise<SubmittedPrediction> {
    return this.#predict(name, params, withOptions(planEvaluation, options));
  }

  /** @returns the job, and what its result comes from */
  async #predict<S extends PredictionSubmission>(
    name: string,
    params: Params,
    plan: Plan<S>,
  ): Promise<SubmittedPrediction> {
    let planned: S | undefined;
    const [jobId] = await this.#submit([name], params, async (deps, request) => {
      planned = await plan(deps, request);
      return planned;
    });
    return { jobId: jobId!, ...sourceOf(planned!) };
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

  async #viewVersions(name: string): Promise<VersionView[]> {
    return viewVersions(await listVersions(this.deps.store, name));
  }

  #buckets(): Promise<BucketsByName> {
    return loadBuckets(this.deps.store);
  }
}

/** The plan, with options of the submission. */
function withOptions<S extends Submission>(plan: Plan<S>, options: SubmitOptions): Plan<S> {
  return async (deps, request) => ({ ...(await plan(deps, request)), ...options });
}

function sourceOf({ input }: PredictionSubmission): PredictionSource {
  const { model, version, settings, page } = input;
  return {
    model,
    version,
    intervalMs: bucketIntervalOf(settings),
    features: settings.features.map(({ name }) => name),
    ...(page && settings.group_by && { groupBy: settings.group_by }),
  };
}
