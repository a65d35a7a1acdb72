// Composition of the job queue: compute pool, handlers, and limits by the effective settings.
import { createHandlers } from "../jobs/handlers/index.ts";
import { Queue, type QueueNode } from "../jobs/queue/queue.ts";
import { Pool, spawnWorker } from "../jobs/workers/pool.ts";
import { recordPast } from "../live/episodes/past-anomalies.ts";
import type { ModelKind } from "../models/kind.ts";
import type { PlanDeps } from "../resources/models/plan.ts";
import type { Clock } from "../runtime/clock.ts";
import type { ServerSettings } from "../settings/load.ts";
import type { Store } from "../store/db/open.ts";
import type { createActivityLog } from "../telemetry/activity-log.ts";
import type { Log } from "../telemetry/log.ts";
import type { Meter } from "../telemetry/meter.ts";
import type { CurrentSettings } from "./delivery.ts";

/** Concurrent data and prediction jobs; they mostly wait for data sources. */
const DATA_LANES = 4;
/** Time for handlers to stop after an abort, ms. */
const GRACE_MS = 5000;

interface PoolDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  /** Keeps the prediction worker when idle. */
  readonly keepsPrediction: () => boolean;
}

/** The pool adds a worker for live windows and predictions, so trainings may take all cores. */
export function createPool(settings: ServerSettings, { clock, log, meter, keepsPrediction }: PoolDeps): Pool {
  const onCrash = (reason: string) => {
    meter.onCrash();
    log.error("compute worker crashed", { reason });
  };
  return new Pool({
    trainingWorkers: countTrainingWorkers(settings),
    clock,
    spawn: spawnWorker,
    onCrash,
    keepsPrediction,
  });
}

function countTrainingWorkers({ workers }: ServerSettings): number {
  return workers === "auto" ? navigator.hardwareConcurrency : workers;
}

interface QueueDeps extends Pick<PlanDeps, "openBucket"> {
  readonly store: Store;
  readonly clock: Clock;
  readonly log: Log;
  readonly meter: Meter;
  readonly activity: ReturnType<typeof createActivityLog>;
  readonly kind: ModelKind;
  /** Trains within a request. */
  readonly quickTrainer: ModelKind;
  readonly compute: Pool;
  /** Called after events were put into the outbox. */
  readonly onEvents: () => void;
  /** The node, where others share the database. */
  readonly queueNode?: QueueNode;
}

/** A queue that is not started. */
export function createQueue(current: CurrentSettings, deps: QueueDeps): Queue {
  const { store, clock, log, meter, activity } = deps;
  return new Queue({
    store,
    clock,
    handlers: createJobHandlers(current, deps),
    lanes: { training: countTrainingWorkers(current.value), prediction: DATA_LANES, data: DATA_LANES },
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
    ...(deps.queueNode && { node: deps.queueNode }),
    onError: (error, job) =>
      log.error("job failed unexpectedly", { job_id: job?.id, type: job?.type, error }),
    onEnd: (end) => {
      meter.onJobEnd(end);
      activity.onJobEnd(end);
    },
  });
}

function createJobHandlers(current: CurrentSettings, deps: QueueDeps) {
  const { store, clock, kind, quickTrainer, compute, openBucket, onEvents } = deps;
  return createHandlers({
    store,
    clock,
    kind,
    quickTrainer,
    compute,
    openBucket,
    recordPast: (past, signal) => recordPast({ store, clock, onEvents }, past, signal),
    get versionsKept() {
      return current.value.versionsKept;
    },
  });
}
