// Engine: compute pool, queue, live detection, delivery and the resources, built but not started.
import pack from "../../package.json" with { type: "json" };
import type { OpenContext } from "../buckets/kind.ts";
import { describeDamage } from "../buckets/stored/index.ts";
import type { Ownership } from "../core/ownership.ts";
import type { Queue, QueueNode } from "../jobs/queue/queue.ts";
import { onLane, type Pool } from "../jobs/workers/pool.ts";
import type { LiveLoop } from "../live/loop.ts";
import { createModelKinds, createQuickTrainer, type ModelKinds } from "../models/index.ts";
import { download } from "../net/download.ts";
import { Anomalies } from "../resources/anomalies.ts";
import { Apply } from "../resources/apply/index.ts";
import type { ApplyDeps } from "../resources/apply/kind.ts";
import { Backtests } from "../resources/backtests/index.ts";
import { Bin } from "../resources/bin/index.ts";
import { Buckets } from "../resources/buckets/index.ts";
import { Calendars } from "../resources/calendars/index.ts";
import { withCalendars } from "../resources/calendars/kinds.ts";
import { CalendarRefresh } from "../resources/calendars/refresh.ts";
import { Capacity } from "../resources/capacity.ts";
import { Changes } from "../resources/changes.ts";
import { Deliveries } from "../resources/deliveries.ts";
import { AzureDetections } from "../resources/detections/azure.ts";
import { BucketDetections } from "../resources/detections/bucket-detections.ts";
import { Detections } from "../resources/detections/index.ts";
import { Hooks } from "../resources/hooks/index.ts";
import { Jobs } from "../resources/jobs/index.ts";
import { Judgements } from "../resources/judgements/index.ts";
import { Labels } from "../resources/labels.ts";
import { Lines } from "../resources/lines.ts";
import { createLiveDetection } from "../resources/live/detection.ts";
import type { Live } from "../resources/live/index.ts";
import { ModelMetrics } from "../resources/live/model-metrics.ts";
import { ModelTransfer } from "../resources/model-transfer.ts";
import { Models } from "../resources/models/index.ts";
import type { PlanDeps } from "../resources/models/plan.ts";
import { Now } from "../resources/now.ts";
import { Promql } from "../resources/promql/promql.ts";
import { Otlp } from "../resources/receivers/otlp/index.ts";
import type { PushDeps } from "../resources/receivers/push.ts";
import { RemoteWrite } from "../resources/receivers/remote-write/index.ts";
import { Subscriptions } from "../resources/receivers/subscriptions.ts";
import { Related } from "../resources/related/index.ts";
import { RelatedScans } from "../resources/related/scans.ts";
import { ToldCauses } from "../resources/related/told-cause.ts";
import { Reports } from "../resources/report/index.ts";
import { ScheduledJobs } from "../resources/scheduled-jobs.ts";
import { FleetSeries } from "../resources/series/fleet.ts";
import { Series } from "../resources/series/index.ts";
import { createBackup } from "../resources/server/backup.ts";
import type { ExternalUrl } from "../resources/server/external-url.ts";
import { createHealth, measureDescriptors } from "../resources/server/health.ts";
import { defaultLimits, type Limits } from "../resources/shared/range.ts";
import { Templates } from "../resources/templates/index.ts";
import { TemplateMigration } from "../resources/templates/migration.ts";
import { type Clock, systemClock } from "../runtime/clock.ts";
import type { Store } from "../store/db/open.ts";
import type { NodeState } from "../store/postgres/nodes.ts";
import { createActivityLog } from "../telemetry/activity-log.ts";
import type { Log } from "../telemetry/log.ts";
import type { Meter } from "../telemetry/meter.ts";
import { listDamage } from "../tsdb/index.ts";
import {
  type CurrentSettings,
  createBrokers,
  createDelivery,
  effectiveAllowances,
  mailerOf,
} from "./delivery.ts";
import { createPool, createQueue } from "./job-queue.ts";
import type { Lifecycle } from "./lifecycle.ts";

export interface EngineDeps {
  readonly store: Store;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  readonly meter: Meter;
  readonly ownership: Ownership;
  readonly externalUrl: ExternalUrl;
  readonly judgementKey: string;
  /** The node, where others share the database. */
  readonly queueNode?: QueueNode;
  /** State of the node, where others share the database. */
  readonly nodeState?: () => NodeState;
}

/** Shared by the components; `openBucket` and `onEvents` refer to components that are created later. */
interface Shared extends EngineDeps, PlanDeps {
  readonly current: CurrentSettings;
  readonly clock: Clock;
  readonly limits: Limits;
  /** How long deleted resources can be restored, ms. */
  readonly binMs: () => number;
  readonly activity: ReturnType<typeof createActivityLog>;
  readonly kinds: ModelKinds;
  readonly pool: Pool;
  readonly queue: Queue;
  /** Where buckets and backups have their files. */
  readonly context: OpenContext;
  /** Called after events were put into the outbox. */
  readonly onEvents: () => void;
}

/** Builds the components; `startServices` starts them. */
export function createEngine(current: CurrentSettings, deps: EngineDeps) {
  const { store, log, lifecycle, meter, ownership, externalUrl, judgementKey, queueNode, nodeState } = deps;
  const clock = systemClock;
  const activity = createActivityLog(log);
  const pool = createPool(current.value, { clock, log, meter, keepsPrediction: () => loop.size > 0 });
  lifecycle.onStop("pool", () => pool.stop());

  const { training, inference, dataDir, dataRoot } = current.value;
  const options = { donut: { ...training, ...inference } };
  const kinds = withCalendars(createModelKinds(options), store);
  const openBucket = (name: string) => buckets.open(name);
  const onEvents = () => delivery.wake();
  const binMs = () => current.value.binMs;
  const parts = {
    store,
    clock,
    binMs,
    log,
    meter,
    activity,
    kinds,
    openBucket,
    onEvents,
    ownership,
    externalUrl,
    judgementKey,
  };
  const queue = createQueue(current, {
    ...parts,
    ...(queueNode && { queueNode }),
    quickTrainer: createQuickTrainer(options),
    compute: pool,
  });
  const context = { dataDir, ...(dataRoot !== undefined && { dataRoot }) };
  const shared: Shared = { ...parts, lifecycle, current, limits: defaultLimits, pool, queue, context };

  const train = (name: string, fromAt: number) => models.models.train(name, { from: fromAt / 1000 });
  const { live, loop } = createLive(shared, train);
  const buckets = new Buckets({ ...shared, live, onCall: meter.onBucketCall });
  lifecycle.onStop("buckets", () => buckets.close());
  const models = createModelResources(shared, live);
  const brokers = createBrokers(current, { store, log });
  const delivery = createDelivery(current, {
    store,
    log,
    meter,
    openBucket,
    brokers,
    ownership,
    externalUrl,
    judgementKey,
    findCause: (event) => causes.find(event),
  });
  const hooks = createHooks(shared);
  const calendars = createCalendars(shared);
  const resources = { buckets, ...calendars, ...models, hooks, templates: new Templates(shared) };
  const apply = createApply(shared, resources);
  const data = createDataResources(shared);
  const causes = new ToldCauses({ related: data.related, clock });
  const judgements = new Judgements({
    ...{ store, clock, key: judgementKey, anomalies: data.anomalies, models: models.models },
  });
  const now = new Now({ ...shared, anomalies: data.anomalies, models: models.models });
  const timezone = () => current.value.timezone;
  const reports = new Reports({
    store,
    clock,
    now,
    capacity: data.capacity,
    timezone,
    sendMail: mailerOf(current),
  });
  return {
    ...{ queue, loop, delivery, brokers, live, apply, now, reports, judgements, ...resources, ...data },
    bin: createBin(shared, { live, ...resources }),
    ...createReceivers(shared, (name) => buckets.openLocal(name)),
    ...createUpkeep({ ...shared, ...(nodeState && { nodeState }) }, loop),
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
  const { store, clock, kinds, pool, log, current, activity } = shared;
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
  const transfer = { store, clock, kinds, compute: pool, serverVersion: pack.version, onChange };
  const { onEpisode } = activity;
  const templateMigration = new TemplateMigration({ ...shared, live, onEpisode, onChange });
  return { models, jobs, scheduledJobs, modelTransfer: new ModelTransfer(transfer), templateMigration };
}

/** Updates the scheduled jobs of models that have come or gone. */
function followModels(scheduledJobs: ScheduledJobs, log: Log) {
  return (names: readonly string[]) => scheduledJobs.follow(names).catch(logJobs(log, names));
}

/** The change of the models is committed; the next start repeats what fails here. */
function logJobs(log: Log, names: readonly string[]) {
  return (error: unknown) => log.error("scheduled jobs not updated", { names, error });
}

function createHooks({ current, onEvents, externalUrl: own, ...shared }: Shared): Hooks {
  const texts = () => {
    const { timezone, externalUrl, ui: hasDashboard } = current.value;
    return { timezone, externalUrl: own.valueBeside(externalUrl), hasDashboard };
  };
  return new Hooks({ ...shared, allowed: effectiveAllowances(current), texts, wake: onEvents });
}

/** Calendars, and the readings of their addresses. */
function createCalendars({ store, clock, binMs, log, current, ownership, activity, meter }: Shared) {
  const allowed = effectiveAllowances(current);
  const calendarRefresh = new CalendarRefresh({
    store,
    ownership,
    clock,
    download: ({ etag, lastModified, ...source }, signal) =>
      download(
        { ...source, software: "calendar", known: { etag, lastModified }, publicOnly: !allowed.allowPrivate },
        signal,
      ),
    onError: (error) => log.error("calendars not refreshed", { error }),
    onFailure: (failure) => {
      meter.onCalendarFailure();
      activity.onCalendarFailure(failure);
    },
    onBack: activity.onCalendarBack,
  });
  const timezone = () => current.value.timezone;
  const deps = { store, clock, binMs, timezone, allowed, refresh: calendarRefresh };
  return { calendars: new Calendars(deps), calendarRefresh };
}

/** The bin, and what goes on with restored resources. */
function createBin(
  shared: Shared,
  {
    live,
    scheduledJobs,
    calendarRefresh,
  }: {
    readonly live: Live;
    readonly scheduledJobs: ScheduledJobs;
    readonly calendarRefresh: CalendarRefresh;
  },
): Bin {
  const followJobs = followModels(scheduledJobs, shared.log);
  return new Bin({
    ...shared,
    newId: () => crypto.randomUUID(),
    onRestored: {
      model: async (names) => {
        await live.follow(names);
        await followJobs(names);
      },
      scheduled_job: async (names) => scheduledJobs.resume(names),
      calendar: async () => calendarRefresh.wake(),
    },
  });
}

type Resources = Omit<ApplyDeps, "store" | "clock" | "context" | "allowed">;

function createApply({ store, clock, current, context, log }: Shared, resources: Resources): Apply {
  return new Apply({
    ...resources,
    store,
    clock,
    context,
    allowed: effectiveAllowances(current),
    onError: (error) => log.error("resource not applied", { error }),
  });
}

/** Anomalies, line protocol, backtests, series of models, and detections of points in a request. */
function createDataResources(shared: Shared) {
  const { openBucket, clock, pool, meter, log } = shared;
  return {
    anomalies: new Anomalies(shared),
    changes: new Changes(shared),
    lines: new Lines({ openBucket, clock, onReceived: meter.onReceived }),
    backtests: new Backtests(shared),
    detections: new Detections(shared),
    azureDetections: new AzureDetections(shared),
    series: new Series({ ...shared, compute: onLane(pool, "prediction") }),
    modelMetrics: new ModelMetrics(shared),
    promql: new Promql({ ...shared, compute: onLane(pool, "prediction") }),
    fleetSeries: new FleetSeries(shared),
    bucketDetections: new BucketDetections(shared),
    labels: new Labels(shared),
    relatedScans: new RelatedScans(shared),
    capacity: new Capacity(shared),
    related: new Related({
      ...{ store: shared.store, clock, keepsScores: () => shared.current.value.historyMs > 0 },
      onError: (what, error) => log.error(what, { error }),
    }),
    deliveries: new Deliveries(shared),
  };
}

/** Receivers of points that other systems push. */
function createReceivers(
  { current, meter, activity, log, store, clock, openBucket }: Shared,
  openLocal: PushDeps["openLocal"],
) {
  const maxSeries = () => current.value.bucketSeries;
  const deps = { openLocal, maxSeries, onReceived: meter.onReceived };
  const subscriptions = new Subscriptions({
    ...{ store, clock, openBucket, maxSeries, onReceived: meter.onReceived },
    onChange: activity.onSubscriptionChange,
    onRefused: activity.onRefusedMessage,
    onError: (error, bucket) => log.error("message not stored", { bucket, error }),
  });
  return { remoteWrite: new RemoteWrite(deps), otlp: new Otlp(deps), subscriptions };
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
