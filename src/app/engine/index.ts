// Engine: compute pool, queue, live detection, delivery and the resources, built but not started.
import pack from "../../../package.json" with { type: "json" };
import { describeDamage } from "../../buckets/stored/index.ts";
import { onLane } from "../../jobs/workers/pool.ts";
import type { LiveLoop } from "../../live/loop.ts";
import { createDonut, createQuickTrainer } from "../../models/donut/index.ts";
import { Advice } from "../../resources/advice.ts";
import { Buckets } from "../../resources/buckets/index.ts";
import { withCalendars } from "../../resources/calendars/kind.ts";
import { Jobs } from "../../resources/jobs/index.ts";
import { Judgements } from "../../resources/judgements/index.ts";
import { createLiveDetection } from "../../resources/live/detection.ts";
import type { Live } from "../../resources/live/index.ts";
import { ModelTransfer } from "../../resources/model-transfer.ts";
import { Models } from "../../resources/models/index.ts";
import { Now } from "../../resources/now.ts";
import { ToldCauses } from "../../resources/related/told-cause.ts";
import { Reports } from "../../resources/report/index.ts";
import { ScheduledJobs } from "../../resources/scheduled-jobs.ts";
import { createBackup } from "../../resources/server/backup.ts";
import { createHealth, measureDescriptors } from "../../resources/server/health.ts";
import { defaultLimits } from "../../resources/shared/range.ts";
import { Templates } from "../../resources/templates/index.ts";
import { TemplateMigration } from "../../resources/templates/migration.ts";
import { systemClock } from "../../runtime/clock.ts";
import { hasLive } from "../../store/live.ts";
import { createActivityLog } from "../../telemetry/activity-log.ts";
import { listDamage } from "../../tsdb/index.ts";
import { type CurrentSettings, createDelivery, mailerOf } from "../delivery.ts";
import { createBrokers } from "../devices.ts";
import { createPool, createQueue } from "../job-queue.ts";
import { createDataResources, createReceivers } from "./data.ts";
import {
  createApply,
  createBin,
  createCalendars,
  createHooks,
  followModels,
  logJobs,
  textsOf,
} from "./definitions.ts";
import type { EngineDeps, Shared } from "./shared.ts";

/** Builds the components; `startServices` starts them. */
export function createEngine(current: CurrentSettings, deps: EngineDeps) {
  const { store, log, lifecycle, meter } = deps;
  const clock = systemClock;
  const activity = createActivityLog(log);
  const pool = createPool(current.value, { clock, log, meter, keepsPrediction: () => loop.size > 0 });
  lifecycle.onStop("pool", () => pool.stop());

  const { training, inference, dataDir, dataRoot } = current.value;
  const options = { ...training, ...inference };
  const kind = withCalendars(createDonut(options), store);
  const openBucket = (name: string) => buckets.open(name);
  const onEvents = () => delivery.wake();
  const binMs = () => current.value.binMs;
  const parts = { ...deps, current, clock, binMs, activity, kind, openBucket, onEvents };
  const quickTrainer = createQuickTrainer(options);
  const queue = createQueue(current, { ...parts, quickTrainer, compute: pool });
  const headPoints = () => current.value.headPoints;
  const context = { dataDir, headPoints, ...(dataRoot !== undefined && { dataRoot }) };
  const shared: Shared = { ...parts, limits: defaultLimits, pool, queue, context };

  const train = (name: string, fromAt: number) => models.models.train(name, { from: fromAt / 1000 });
  const { live, loop } = createLive(shared, train);
  const buckets = new Buckets({ ...shared, live, onCall: meter.onBucketCall });
  lifecycle.onStop("buckets", () => buckets.close());
  const models = createModelResources(shared, live);
  const brokers = createBrokers(current, shared);
  const findCause: ToldCauses["find"] = (event) => causes.find(event);
  const delivery = createDelivery(current, { ...shared, brokers, findCause });
  const hooks = createHooks(shared);
  const calendars = createCalendars(shared);
  const resources = { buckets, ...calendars, ...models, hooks, templates: new Templates(shared) };
  const apply = createApply(shared, resources);
  const data = createDataResources(shared);
  const causes = new ToldCauses({ related: data.related, clock });
  return {
    ...{ queue, loop, delivery, brokers, live, apply, ...resources, ...data },
    ...createOverviews(shared, { ...data, ...models }),
    bin: createBin(shared, { live, ...resources }),
    ...createReceivers(shared, (name) => buckets.openLocal(name)),
    ...createUpkeep(shared, loop),
    advice: new Advice(store),
    /** Prepares live work, where there is any. @throws TorusError */
    prepare: async () => {
      if (await hasLive(store)) await pool.warm();
    },
  };
}

function createLive(
  { pool, log, meter, activity, ...shared }: Shared,
  train: (model: string, fromAt: number) => Promise<unknown>,
) {
  return createLiveDetection({
    ...shared,
    train,
    keepsScores: () => shared.current.value.historyMs > 0,
    sourceGraceMs: () => shared.current.value.sourceGraceMs,
    compute: onLane(pool, "live"),
    onError: (error, model) => log.error("live evaluation failed unexpectedly", { model, error }),
    onEvaluation: meter.onEvaluation,
    onRefused: meter.onRefused,
    onEpisode: activity.onEpisode,
    onBucketChange: activity.onBucketChange,
  });
}

/** Models with their jobs and schedules. */
function createModelResources(shared: Shared, live: Live) {
  const { store, clock, kind, pool, log, current, activity } = shared;
  const jobs = new Jobs(shared);
  const scheduledJobs = new ScheduledJobs({
    ...shared,
    timezone: current.value.timezone,
    definitions: () => current.value.scheduledJobs,
  });
  const onChange = followModels(scheduledJobs, log);
  const onPatch = (names: readonly string[]) =>
    scheduledJobs.followSettings(names).catch(logJobs(log, names));
  const viewJob = (id: string) => jobs.view(id);
  const models = new Models({ ...shared, live, viewJob, onChange, onPatch });
  const transfer = { store, clock, kind, compute: pool, serverVersion: pack.version, onChange };
  const { onEpisode } = activity;
  const templateMigration = new TemplateMigration({ ...shared, live, onEpisode, onChange });
  return { models, jobs, scheduledJobs, modelTransfer: new ModelTransfer(transfer), templateMigration };
}

/** What goes on now and went on before, and the judgements of those who are told of it. */
function createOverviews(
  shared: Shared,
  resources: Pick<ReturnType<typeof createDataResources>, "anomalies" | "budgets" | "capacity"> & {
    readonly models: Models;
  },
) {
  const { judgementKey: key, current } = shared;
  const now = new Now({ ...shared, ...resources });
  const timezone = () => current.value.timezone;
  return {
    now,
    reports: new Reports({
      ...{ ...shared, ...resources, now },
      texts: textsOf(shared),
      sendMail: mailerOf(current),
    }),
    judgements: new Judgements({ ...shared, ...resources, key, timezone }),
  };
}

/** Backup and health of the server. */
function createUpkeep({ store, context, clock, log, pool, nodeState }: Shared, loop: LiveLoop) {
  return {
    backup: createBackup({ store, context, clock, onError: (what, error) => log.error(what, { error }) }),
    health: createHealth({
      store,
      clock,
      overdueMs: () => loop.overdueMs(),
      workersFail: () => pool.isFailing,
      damage: () => listDamage(context.dataDir).map(describeDamage),
      descriptors: () => measureDescriptors(),
      ...(nodeState && { nodeState }),
    }),
  };
}
