// Migration of a template's models to one fleet, with their history where it fits.
import { MigrationInput, type MigrationView } from "../../api/template.ts";
import { invalid, TorusError } from "../../core/errors.ts";
import { coerceStrings } from "../../core/input/coerce.ts";
import { isRecord } from "../../core/input/json.ts";
import { check } from "../../core/input/schema.ts";
import { isOfTemplate } from "../../core/model/migration/candidates.ts";
import { type MigrationPlan, planMigration } from "../../core/model/migration/plan.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { formatDate } from "../../core/time/time.ts";
import type { Queue } from "../../jobs/queue/queue.ts";
import type { EpisodeNotice } from "../../live/episodes/episode-tracker.ts";
import type { Clock } from "../../runtime/clock.ts";
import type { Store } from "../../store/db/open.ts";
import {
  type Inheritance,
  migrateModels,
  type PlannedFleet,
  previewMigration,
} from "../../store/fleets/migration.ts";
import { type ModelRow, readAllModels } from "../../store/models.ts";
import { loadTemplate, type TemplateRow } from "../../store/templates.ts";
import { planEnding } from "../live/ending.ts";
import type { LiveControl } from "../live/index.ts";
import { assertRetrainName, type BucketsByName, checkModel, loadBuckets } from "../models/settings.ts";

/** Start of a first training where no model has been trained. */
const DEFAULT_FROM = "now-30d";

interface MigrationDeps {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly queue: Pick<Queue, "release">;
  readonly live: Pick<LiveControl, "follow">;
  /** Called after events were put into the outbox. */
  readonly onEvents: () => void;
  /** Called for every anomaly that is closed by the stop of its model. */
  readonly onEpisode?: (notice: EpisodeNotice) => void;
  /** Called when models were created or deleted. */
  readonly onChange?: (names: readonly string[]) => Promise<void>;
}

interface Planned extends PlannedFleet, Omit<MigrationPlan, "members" | "settings"> {}

export class TemplateMigration {
  constructor(private readonly deps: MigrationDeps) {}

  /**
   * Creates a fleet of the models of a template, in one transaction: all or nothing.
   * @param body see `MigrationInput`; null: none
   * @throws TorusError `not_found` for the template, its models or a model of the list, `already_exists`, `invalid`
   */
  async migrate(name: string, body: unknown): Promise<MigrationView> {
    const { store } = this.deps;
    const input = checkInput(body ?? {});
    const template = await loadTemplate(store, name);
    const buckets = await loadBuckets(store);
    const plan = (models: readonly ModelSettings[]) => planFleet(models, { template, input, buckets });
    const rows = await readAllModels(store);
    const planned = plan(rows.map(({ settings }) => settings));
    await assertRetrainName(store, planned.fleet.name, planned.fleet.settings);
    const inherited = await previewMigration(store, planned.members);
    if (!input.dry_run) return viewMigration(await this.#run(plan, planned, input), { input, rows });
    const kept = new Set([...planned.kept, ...inherited.uncopiedHooks.map(({ model }) => model)]);
    const deleted = input.delete ? planned.members.filter(({ model }) => !kept.has(model)) : [];
    return viewMigration({ ...inherited, planned, deleted }, { input, rows });
  }

  async #run(
    plan: (models: readonly ModelSettings[]) => Planned,
    { members }: Planned,
    { delete: deletes = false }: MigrationInput,
  ) {
    const { store, clock, queue, live, onEvents, onChange } = this.deps;
    const names = members.map(({ model }) => model);
    const ending = await planEnding(this.deps, names, "the model became a series of a fleet");
    const migrated = await migrateModels(store, { plan, deletes, at: clock.now(), ending });
    queue.release(migrated.canceled);
    ending.report();
    onEvents();
    await live.follow(migrated.live);
    await onChange?.([migrated.planned.fleet.name, ...migrated.deleted]);
    return migrated;
  }
}

function checkInput(body: unknown): MigrationInput {
  if (!isRecord(body)) throw invalid("body", 'must be a JSON object, as in {"group_by": ["host"]}');
  return check(MigrationInput, coerceStrings(MigrationInput, body));
}

interface PlanInput {
  readonly template: TemplateRow;
  readonly input: MigrationInput;
  readonly buckets: BucketsByName;
}

function planFleet(models: readonly ModelSettings[], { template, input, buckets }: PlanInput): Planned {
  const { name = template.name, group_by: groupBy } = input;
  if (models.some((settings) => settings.name === name))
    throw new TorusError(
      "already_exists",
      `model ${name} exists already: choose another name for the fleet with name`,
    );
  const candidates = chooseModels(models, template, input.models);
  const request = { name, template: template.settings, groupBy };
  const { settings, ...plan } = planMigration(candidates, request);
  const kept = new Set(plan.uncopiedMutes.map(({ model }) => model));
  return { ...plan, fleet: { name, settings: checkModel(settings, buckets) }, kept };
}

/** @throws TorusError `not_found` where there are none, or for an unknown name */
function chooseModels(
  models: readonly ModelSettings[],
  { name, settings }: TemplateRow,
  names: readonly string[] | undefined,
): readonly ModelSettings[] {
  if (names) {
    const known = new Map(models.map((model) => [model.name, model]));
    return names.map((each) => {
      const model = known.get(each);
      if (!model) throw new TorusError("not_found", `model ${each} does not exist`);
      return model;
    });
  }
  const found = models.filter((model) => isOfTemplate(settings, model));
  if (found.length > 0) return found;
  const way = "list them in models, if their names have another form";
  throw new TorusError("not_found", `there are no models of template ${name}: ${way}`);
}

interface Result extends Inheritance {
  readonly planned: Planned;
  readonly deleted: readonly unknown[];
}

function viewMigration(
  { planned, uncopiedHooks, live, deleted, ...inherited }: Result,
  { input, rows }: { readonly input: MigrationInput; readonly rows: readonly ModelRow[] },
): MigrationView {
  const { fleet, groupBy, members, left, uncopiedMutes } = planned;
  const names = new Set(members.map(({ model }) => model));
  const starts = rows.flatMap(({ name, version }) => (version && names.has(name) ? [version.fromAt] : []));
  const fromAt = starts.length > 0 ? starts.reduce((first, at) => Math.min(first, at)) : undefined;
  const from = fromAt === undefined ? DEFAULT_FROM : formatDate(fromAt);
  const path = `/models/${fleet.name}`;
  return {
    model: fleet.name,
    dry_run: input.dry_run ?? false,
    settings: fleet.settings,
    group_by: groupBy,
    series: members.map(({ model, series }) => ({ model, series })),
    left,
    anomalies: inherited.anomalies,
    labels: inherited.labels,
    hooks: inherited.hooks,
    not_copied: [
      ...uncopiedHooks.map(({ model, hook, reason }) => ({ model, what: `hook ${hook}`, reason })),
      ...uncopiedMutes.map(({ model, reason }) => ({ model, what: "mute", reason })),
    ],
    live: live.length,
    deleted: deleted.length,
    ...(fromAt !== undefined && { train_from: fromAt / 1000 }),
    next: `train it: POST ${path}/_train?from=${from}, then start it: POST ${path}/_start`,
  };
}
