// Scheduled jobs: requests the service sends to itself; made by clients, by the configuration, or by models' settings.
import type { ScheduledJobView } from "../api/scheduled-job.ts";
import { redact } from "../core/access/redact.ts";
import type { Creator } from "../core/access/token.ts";
import { invalid } from "../core/errors.ts";
import { listViews, pickFields } from "../core/input/listing.ts";
import { planRetrain, type RetrainedModel, retrainJobName } from "../core/model/retrain.ts";
import { checkScheduledJob, nextRun, type ScheduledJob } from "../core/time/scheduled-job.ts";
import {
  type JobDefinition,
  jobNamesOf,
  type KnownJob,
  planModels,
  planStart,
} from "../core/time/scheduled-plan.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/db/open.ts";
import {
  applyJobPlan,
  applyRetrainPlan,
  clearScheduledJobs,
  listScheduledJobs,
  loadScheduledJob,
  patchScheduledJobs,
  putScheduledJob,
  removeScheduledJobs,
  type ScheduledJobRow,
} from "../store/scheduled-jobs.ts";
import type { Params } from "./shared/range.ts";

export interface ScheduledJobDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  /** IANA time zone of times of day. */
  readonly timezone: string;
  /** Of the configuration in force, checked. */
  readonly definitions: () => readonly JobDefinition[];
}

export class ScheduledJobs {
  #changed = () => {};

  constructor(private readonly deps: ScheduledJobDeps) {}

  /** Whom to tell when scheduled jobs came, changed or went. */
  watch(listener: () => void): void {
    this.#changed = listener;
  }

  /** All scheduled jobs. @throws TorusError `invalid` for bad list parameters */
  async list(params: Params = {}): Promise<object[]> {
    const rows = await listScheduledJobs(this.deps.store);
    return listViews(
      rows.map((row) => this.#view(row)),
      params,
      { defaultSort: "name" },
    );
  }

  /** One view per name, in their order. @throws TorusError `not_found` naming the first unknown one */
  async get(names: readonly string[], params: Params = {}): Promise<object[]> {
    const views: object[] = [];
    for (const name of names) views.push(this.#view(await loadScheduledJob(this.deps.store, name)));
    return pickFields(views, params);
  }

  /**
   * Creates or replaces; a replaced one starts anew.
   * @param creator the token whose rights its runs have; absent: there is no authentication
   * @throws TorusError `invalid`
   */
  async put(body: unknown, creator?: Creator): Promise<void> {
    const definition = checkScheduledJob(body);
    const { store, clock } = this.deps;
    await putScheduledJob(store, { definition, origin: "api", creator, at: clock.now() });
    this.#changed();
  }

  /** Merges a part into each, all or none; the runs have the rights of who did. @throws TorusError `not_found`, `invalid` */
  async patch(names: readonly string[], body: unknown, creator?: Creator): Promise<void> {
    const change = (old: ScheduledJob) => mergeJob(old, body);
    await patchScheduledJobs(this.deps.store, names, { at: this.deps.clock.now(), creator, change });
    this.#changed();
  }

  /** Deletes jobs; those that are gone already are no mistake. */
  async remove(names: readonly string[]): Promise<void> {
    await removeScheduledJobs(this.deps.store, names);
    this.#changed();
  }

  /** Deletes every job but those that belong to models; those of the configuration come back with the next start or reload. */
  async clear(): Promise<void> {
    await clearScheduledJobs(this.deps.store);
    this.#changed();
  }

  /** Defines what configuration and models ask for, and takes back what they no longer do. */
  async define(): Promise<void> {
    const { store, clock } = this.deps;
    const definitions = this.deps.definitions();
    const at = clock.now();
    await applyJobPlan(store, (models, known) => planStart(definitions, models, known), { at });
    await applyRetrainPlan(store, planRetrain, { at });
    this.#changed();
  }

  /** Follows the setting `retrain` of models that were created, changed or deleted; reads no other models. */
  async followSettings(names: readonly string[]): Promise<void> {
    const { store, clock } = this.deps;
    const scope = { models: [...new Set(names)], jobs: [...new Set(names.map(retrainJobName))] };
    const plan = (models: RetrainedModel[], known: KnownJob[]) => planRetrain(models, known, names);
    if (await applyRetrainPlan(store, plan, { at: clock.now(), scope })) this.#changed();
  }

  /** Follows models that were created or deleted: which of it, the store says. */
  async follow(names: readonly string[]): Promise<void> {
    const { store, clock } = this.deps;
    const definitions = this.deps.definitions();
    await this.followSettings(names);
    if (definitions.length === 0) return;
    const scope = { models: [...new Set(names)], jobs: jobNamesOf(definitions, names) };
    const plan = (models: string[], known: KnownJob[]) => {
      const there = new Set(models);
      const came = names.filter((name) => there.has(name));
      const gone = names.filter((name) => !there.has(name));
      return planModels(definitions, { came, gone }, known);
    };
    if (await applyJobPlan(store, plan, { at: clock.now(), scope })) this.#changed();
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

/** What is sent to other resources may hold their secrets. */
export function viewDefinition(definition: ScheduledJob): ScheduledJob {
  const { params, json } = definition;
  return {
    ...definition,
    ...(params && { params: redact(params) as typeof params }),
    ...(json && { json: redact(json) as typeof json }),
  };
}

function viewLastRun({ lastRunAt, lastStatus, lastError }: ScheduledJobRow): Partial<ScheduledJobView> {
  if (lastRunAt === null) return {};
  return {
    ok: lastError === null,
    ...(lastStatus !== null && { status_code: lastStatus }),
    ...(lastError !== null && { error: lastError }),
    last_run_timestamp: lastRunAt / 1000,
  };
}

/** Keys not given stay, null removes an optional one, and a value that is what is shown leaves the kept one alone. */
export function mergeJob(old: ScheduledJob, patch: unknown): ScheduledJob {
  if (typeof patch !== "object" || patch === null || Array.isArray(patch))
    throw invalid("body", "must be a JSON object: what to change of the scheduled job");
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
