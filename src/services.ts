// Composition root: builds every part once, starts them in order, stops them in reverse.
import pack from "../package.json" with { type: "json" };
import { checkBucket } from "./buckets/index.ts";
import { invalid, TorusError } from "./core/errors.ts";
import type { HookServices } from "./hooks/kind.ts";
import { createMailer } from "./hooks/smtp.ts";
import { type App, createApp } from "./http/app.ts";
import type { NodeInfo } from "./http/deps.ts";
import { systemClock } from "./jobs/clock.ts";
import { createHandlers } from "./jobs/handlers.ts";
import { Pool, spawnWorker } from "./jobs/pool.ts";
import { Queue } from "./jobs/queue.ts";
import { type Listener, listen } from "./listener.ts";
import { Delivery } from "./live/deliver.ts";
import { Timetable } from "./live/timetable.ts";
import type { Log } from "./log.ts";
import { createModelKinds } from "./models/index.ts";
import { createAnomalies } from "./resources/anomalies.ts";
import { type Buckets, createBuckets } from "./resources/buckets.ts";
import { createHooks } from "./resources/hooks.ts";
import { createJobs } from "./resources/jobs.ts";
import { defaultLimits } from "./resources/limits.ts";
import { createLiveDetection } from "./resources/live-detection.ts";
import type { PlanDeps } from "./resources/model-jobs.ts";
import { createModels } from "./resources/models.ts";
import { createScheduledJobs } from "./resources/scheduled-jobs.ts";
import { createTemplates } from "./resources/templates.ts";
import type { ServerSettings } from "./settings.ts";
import { ensureMeta } from "./store/meta.ts";
import { openStore, type Store } from "./store/open.ts";

/** Jobs that read or predict side by side; they wait for data sources more than they compute. */
const DATA_LANES = 4;
/** How long handlers that were told to stop may take, ms. */
const GRACE_MS = 5000;

export const version: string = pack.version;

export interface Services {
  /** Where it listens. */
  readonly url: string;
  /** Refuses new requests, finishes those under way, gives running jobs back, closes the store. */
  stop(): Promise<void>;
}

/** Parts that are up, and how each is taken down. */
class Parts {
  readonly #releases: { readonly part: string; readonly release: () => unknown }[] = [];

  constructor(private readonly log: Log) {}

  started(part: string, release: () => unknown): void {
    this.log.debug("started", { part });
    this.#releases.push({ part, release });
  }

  /** The reverse of the start; one part that cannot be stopped does not keep the others up. */
  async stopAll(): Promise<void> {
    for (let next = this.#releases.pop(); next; next = this.#releases.pop()) {
      try {
        await next.release();
        this.log.debug("stopped", { part: next.part });
      } catch (error) {
        this.log.error("part did not stop", { part: next.part, error });
      }
    }
  }
}

/**
 * Starts the service: lock, check, migrate, define buckets, recover jobs, listen.
 * @throws what kept it from starting; everything already started is stopped again
 */
export async function startServices(settings: ServerSettings, log: Log): Promise<Services> {
  const parts = new Parts(log);
  try {
    const url = await startParts(settings, log, parts);
    let stopping: Promise<void> | undefined;
    return {
      url,
      stop: () => {
        stopping ??= parts.stopAll();
        return stopping;
      },
    };
  } catch (error) {
    await parts.stopAll();
    throw error;
  }
}

async function startParts(settings: ServerSettings, log: Log, parts: Parts): Promise<string> {
  const store = openStore({ dir: settings.dataDir });
  parts.started("store", () => store.close());
  const hostId = await ensureMeta(store, "host_id", () => crypto.randomUUID());

  const { queue, loop, delivery, ...resources } = createEngine(settings, { store, log, parts });
  await defineBuckets(resources.buckets, settings.buckets);
  await resources.scheduledJobs.define();

  let listener: Listener | undefined;
  const node: NodeInfo = {
    hostId,
    name: settings.nodeName,
    clusterName: settings.clusterName,
    version,
    address: () => ({ host: settings.listen.host, port: listener?.port ?? settings.listen.port }),
  };
  const holdOpen = (request: Request) => listener?.holdOpen(request);
  const app = createApp({ ...resources, node, limits: settings.limits, log, holdOpen });

  // Requests that wait for jobs are answered when the queue stops; only then may connections be cut.
  parts.started("connections", () => listener?.cut());
  const recovered = await queue.start();
  parts.started("queue", () => queue.stop());
  if (recovered.waiting + recovered.failed > 0) log.info("jobs recovered", recovered);

  await loop.start();
  parts.started("live", () => loop.stop());
  await delivery.start();
  parts.started("delivery", () => delivery.stop());

  const timetable = createTimetable(app, settings, { store, log });
  resources.scheduledJobs.watch(() => void timetable.refresh());
  await timetable.start();
  parts.started("timetable", () => timetable.stop());

  listener = listen(app, settings, log);
  parts.started("listener", () => listener?.drain());
  return listener.url;
}

/** Scheduled jobs are requests to the application itself: nothing goes over the network. */
function createTimetable(
  app: App,
  { timezone }: ServerSettings,
  { store, log }: Omit<EngineDeps, "parts">,
): Timetable {
  return new Timetable({
    store,
    clock: systemClock,
    timezone,
    dispatch: (request) => app.handle(request),
    onError: (error, job) => log.error("scheduled job not run", { job, error }),
  });
}

interface EngineDeps {
  readonly store: Store;
  readonly log: Log;
  readonly parts: Parts;
}

/** What works: compute pool, model kinds, queue, and the resources over them. */
function createEngine(settings: ServerSettings, { store, log, parts }: EngineDeps) {
  const clock = systemClock;
  // The pool keeps one more worker for predictions alone, which are short: trainings may have all the cores.
  const trainingWorkers = settings.workers === "auto" ? navigator.hardwareConcurrency : settings.workers;
  const onCrash = (reason: string) => log.error("compute worker crashed", { reason });
  const pool = new Pool({ trainingWorkers, clock, spawn: spawnWorker, onCrash });
  parts.started("pool", () => pool.stop());

  const openBucket = (name: string) => buckets.open(name);
  const kinds = createModelKinds({ donut: { ...settings.training, ...settings.inference } });
  const { ttlMs: maxAgeMs, maxFinished: maxCount, maxWaiting } = settings.jobs;
  const queue = new Queue({
    store,
    clock,
    handlers: createHandlers({ store, clock, kinds, compute: pool, openBucket }),
    lanes: { training: trainingWorkers, prediction: DATA_LANES, data: DATA_LANES },
    maxWaiting,
    retention: { maxAgeMs, maxCount },
    graceMs: GRACE_MS,
    newId: () => crypto.randomUUID(),
    onError: (error, job) =>
      log.error("job failed unexpectedly", { job_id: job?.id, type: job?.type, error }),
  });

  const shared = { store, queue, clock, limits: defaultLimits };
  const onLiveError = (error: unknown, model: string | null) =>
    log.error("live evaluation failed unexpectedly", { model, error });
  const { live, loop } = createLiveDetection({
    ...shared,
    openBucket,
    kinds,
    compute: pool,
    onError: onLiveError,
  });
  const buckets = createBuckets({ ...shared, live, context: { dataDir: settings.dataDir } });
  parts.started("buckets", () => buckets.close());
  const jobs = createJobs(shared);
  const { timezone, scheduledJobs: definitions } = settings;
  const scheduledJobs = createScheduledJobs({ ...shared, timezone, definitions });
  // The model is created or gone already; what is missed here, the next start makes good.
  const onChange = (names: readonly string[]) =>
    scheduledJobs.follow(names).catch((error) => log.error("scheduled jobs not in step", { names, error }));
  const models = createModels({ ...shared, live, openBucket, viewJob: (id) => jobs.view(id), onChange });
  const rest = { templates: createTemplates(shared), anomalies: createAnomalies(shared) };
  const delivery = createDelivery(settings, { store, log, openBucket });
  live.watch(() => delivery.wake());
  const hooks = createHooks({ ...shared, allowed: settings.hooks, wake: () => delivery.wake() });
  return { queue, loop, delivery, live, buckets, models, jobs, scheduledJobs, hooks, ...rest };
}

/** Tells hooks what is in the outbox. */
function createDelivery(
  { hooks, timezone }: ServerSettings,
  { store, log, openBucket }: Omit<EngineDeps, "parts"> & Pick<PlanDeps, "openBucket">,
): Delivery {
  const { allowPrivate, programs, smtp } = hooks;
  const services: HookServices = {
    now: () => systemClock.now(),
    timezone,
    allowPrivate,
    programs,
    sendMail: smtp && createMailer(smtp),
    annotate: async (name, annotation, signal) => {
      const bucket = await openBucket(name);
      if (!bucket.annotate)
        throw new TorusError("not_supported", `bucket ${name} takes no annotations: choose another one`);
      await bucket.annotate(annotation, signal);
    },
  };
  return new Delivery({
    store,
    clock: systemClock,
    services,
    chance: () => Math.random(),
    onTrouble: (trouble) => log.warn("hook not told", { ...trouble }),
    onError: (error, row) =>
      log.error("delivery failed unexpectedly", { model: row?.model, hook: row?.hook, error }),
  });
}

/** Checks what the settings define as far as possible without starting. @throws TorusError `invalid` */
export function checkServices({ buckets }: ServerSettings): void {
  for (const [index, definition] of buckets.entries()) {
    try {
      checkBucket(definition);
    } catch (error) {
      throw inFile(error, `buckets.${index}`);
    }
  }
}

/** Buckets of the settings file. @throws TorusError `invalid` with the place in the file */
async function defineBuckets(buckets: Buckets, definitions: ServerSettings["buckets"]): Promise<void> {
  for (const [index, definition] of definitions.entries()) {
    try {
      await buckets.put(definition);
    } catch (error) {
      throw inFile(error, `buckets.${index}`);
    }
  }
}

/** The same mistake, with its place in the settings file. */
function inFile(error: unknown, place: string): unknown {
  const isMistake = error instanceof TorusError && error.code === "invalid";
  return isMistake ? invalid(place, error.message) : error;
}
