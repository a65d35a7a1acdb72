// Engine: compute pool, queue, live detection, delivery and the resources, built but not started.
import pack from "../../package.json" with { type: "json" };
import { createHandlers } from "../jobs/handlers/index.ts";
import { Queue } from "../jobs/queue/queue.ts";
import { onLane, Pool, spawnWorker } from "../jobs/workers/pool.ts";
import { recordPast } from "../live/past-anomalies.ts";
import { createModelKinds, createQuickTrainer } from "../models/index.ts";
import { Anomalies } from "../resources/anomalies.ts";
import { Apply } from "../resources/apply.ts";
import { Backtests } from "../resources/backtests.ts";
import { createBackup } from "../resources/backup.ts";
import { Buckets } from "../resources/buckets.ts";
import { Detections } from "../resources/detections.ts";
import { GlobalHooks } from "../resources/global-hooks.ts";
import { createHealth, measureDescriptors } from "../resources/health.ts";
import { Hooks } from "../resources/hooks.ts";
import { Jobs } from "../resources/jobs.ts";
import { Lines } from "../resources/lines.ts";
import { createLiveDetection } from "../resources/live/detection.ts";
import { ModelTransfer } from "../resources/model-transfer.ts";
import { Models } from "../resources/models.ts";
import { ScheduledJobs } from "../resources/scheduled-jobs.ts";
import { defaultLimits } from "../resources/shared/range.ts";
import { Templates } from "../resources/templates.ts";
import { systemClock } from "../runtime/clock.ts";
import type { Store } from "../store/db/open.ts";
import { createActivityLog } from "../telemetry/activity-log.ts";
import type { Log } from "../telemetry/log.ts";
import type { Meter } from "../telemetry/meter.ts";
import { type CurrentSettings, createDelivery, effectiveAllowances } from "./delivery.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** Concurrent data and prediction jobs; they mostly wait for data sources. */
const DATA_LANES = 4;
/** Time for handlers to stop after an abort, ms. */
const GRACE_MS = 5000;

export interface EngineDeps {
  readonly store: Store;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  readonly meter: Meter;
}

/** Builds the components; `startServices` starts them. */
export function createEngine(current: CurrentSettings, { store, log, lifecycle, meter }: EngineDeps) {
  const settings = current.value;
  const clock = systemClock;
  const activity = createActivityLog(log);
  // The pool adds a worker for live windows and predictions, so trainings may take all cores.
  const trainingWorkers = settings.workers === "auto" ? navigator.hardwareConcurrency : settings.workers;
  const onCrash = (reason: string) => {
    meter.onCrash();
    log.error("compute worker crashed", { reason });
  };
  const pool = new Pool({
    trainingWorkers,
    clock,
    spawn: spawnWorker,
    onCrash,
    keepsPrediction: () => loop.size > 0,
  });
  lifecycle.onStop("pool", () => pool.stop());

  const openBucket = (name: string) => buckets.open(name);
  const options = { donut: { ...settings.training, ...settings.inference } };
  const kinds = createModelKinds(options);
  const quickTrainer = createQuickTrainer(options);
  const queue = new Queue({
    store,
    clock,
    handlers: createHandlers({
      store,
      clock,
      kinds,
      quickTrainer,
      compute: pool,
      openBucket,
      recordPast: (past, signal) =>
        recordPast({ store, clock, onEvents: () => delivery.wake() }, past, signal),
      get versionsKept() {
        return current.value.versionsKept;
      },
    }),
    lanes: { training: trainingWorkers, prediction: DATA_LANES, data: DATA_LANES },
    get maxWaiting() {
      return current.value.jobs.maxWaiting;
    },
    get retention() {
      const { ttlMs, maxFinished } = current.value.jobs;
      return { maxAgeMs: ttlMs, maxCount: maxFinished };
    },
    get results() {
      const { resultBytes, resultsBytes } = current.value.jobs;
      return { perJob: resultBytes, inTotal: resultsBytes };
    },
    graceMs: GRACE_MS,
    newId: () => crypto.randomUUID(),
    onError: (error, job) =>
      log.error("job failed unexpectedly", { job_id: job?.id, type: job?.type, error }),
    onEnd: (end) => {
      meter.onJobEnd(end);
      activity.onJobEnd(end);
    },
  });

  const shared = { store, queue, clock, limits: defaultLimits };
  const onLiveError = (error: unknown, model: string | null) =>
    log.error("live evaluation failed unexpectedly", { model, error });
  const { live, loop } = createLiveDetection({
    ...shared,
    openBucket,
    kinds,
    compute: onLane(pool, "live"),
    onError: onLiveError,
    onEvents: () => delivery.wake(),
    onEvaluation: meter.onEvaluation,
    onEpisode: activity.onEpisode,
    onBucketChange: activity.onBucketChange,
  });
  const { dataDir, dataRoot } = settings;
  const context = { dataDir, ...(dataRoot !== undefined && { dataRoot }) };
  const buckets = new Buckets({ ...shared, live, context, onCall: meter.onBucketCall });
  lifecycle.onStop("buckets", () => buckets.close());
  const jobs = new Jobs(shared);
  const { timezone } = settings;
  const definitions = () => current.value.scheduledJobs;
  const scheduledJobs = new ScheduledJobs({ ...shared, timezone, definitions });
  // The change of the model is committed; the next start repeats what fails here.
  const onChange = (names: readonly string[]) =>
    scheduledJobs.follow(names).catch((error) => log.error("scheduled jobs not updated", { names, error }));
  const onPatch = (names: readonly string[]) =>
    scheduledJobs
      .followSettings(names)
      .catch((error) => log.error("scheduled jobs not updated", { names, error }));
  const viewJob = (id: string) => jobs.view(id);
  const models = new Models({ ...shared, live, openBucket, viewJob, onChange, onPatch });
  const rest = {
    templates: new Templates(shared),
    anomalies: new Anomalies(shared),
    lines: new Lines({ openBucket, clock }),
    backtests: new Backtests({ ...shared, openBucket }),
    detections: new Detections(shared),
    modelTransfer: new ModelTransfer({
      store,
      clock,
      kinds,
      compute: pool,
      serverVersion: pack.version,
      onChange,
    }),
  };
  const delivery = createDelivery(current, { store, log, meter, openBucket });
  const allowed = effectiveAllowances(current);
  const hookDeps = { ...shared, allowed, wake: () => delivery.wake() };
  const hooks = new Hooks(hookDeps);
  const globalHooks = new GlobalHooks(hookDeps);
  const apply = new Apply({
    ...{ store, buckets, models, hooks, globalHooks, scheduledJobs, templates: rest.templates },
    context,
    allowed,
    onError: (error) => log.error("resource not applied", { error }),
  });
  const backup = createBackup({
    store,
    context,
    clock,
    onError: (what, error) => log.error(what, { error }),
  });
  const health = createHealth({
    store,
    clock,
    overdueMs: () => loop.overdueMs(),
    workersFail: () => pool.isFailing,
    descriptors: () => measureDescriptors(),
  });
  return {
    backup,
    health,
    queue,
    loop,
    delivery,
    live,
    buckets,
    models,
    jobs,
    scheduledJobs,
    hooks,
    globalHooks,
    apply,
    ...rest,
  };
}
