// Work of a server: jobs, live detection, notifications and schedules, started in an order that a stop reverses.
import type { App } from "../http/app.ts";
import { sweepScores } from "../live/score-history.ts";
import { sweepBin } from "../resources/bin/retention.ts";
import { systemClock } from "../runtime/clock.ts";
import { Timetable } from "../scheduler/timetable.ts";
import type { ServerSettings } from "../settings/load.ts";
import { createActivityLog } from "../telemetry/activity-log.ts";
import type { Log } from "../telemetry/log.ts";
import { type NodeParts, workOf } from "./cluster.ts";
import type { CurrentSettings } from "./delivery.ts";
import type { createEngine } from "./engine/index.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { State } from "./state.ts";

interface WorkDeps {
  readonly engine: ReturnType<typeof createEngine>;
  readonly node: NodeParts;
  readonly state: State;
  readonly app: App;
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

export async function startWork(current: CurrentSettings, deps: WorkDeps): Promise<void> {
  const { value: settings } = current;
  const { node, log } = deps;
  if (!settings.live)
    log.warn("live detection, hooks, scheduled jobs and subscriptions are off", { flag: "--no-live" });
  const isLive = settings.live && (!node.cluster || settings.cluster.work.includes("live"));
  await startQueue(deps);
  await startDetection(current, { ...deps, isLive });
  await startDelivery(settings, { ...deps, isLive });
  await startTimetable(settings, { ...deps, isLive });
}

async function startQueue({ engine: { queue }, node, log, lifecycle }: WorkDeps): Promise<void> {
  const { cluster } = node;
  const own = await queue.start();
  const recovered = node.recovered ?? own;
  lifecycle.onStop("queue", () => queue.stop());
  if (cluster) lifecycle.onStop("shards", () => cluster.release());
  if (recovered.waiting + recovered.failed + recovered.canceled > 0)
    log.info("jobs recovered", { ...recovered });
}

/** Whether live models are evaluated on this node. */
type LiveDeps = WorkDeps & { readonly isLive: boolean };

async function startDetection(
  current: CurrentSettings,
  { engine, node, state, log, lifecycle, isLive }: LiveDeps,
): Promise<void> {
  const { subscriptions, loop, calendarRefresh } = engine;
  // A copy of a server must not take the session of the original from its broker.
  if (current.value.live) await subscriptions.start();
  lifecycle.onStop("subscriptions", () => subscriptions.stop());
  if (isLive) await loop.start();
  lifecycle.onStop("live", () => loop.stop());
  const stopSweeping = sweepScores({
    store: state.store,
    clock: systemClock,
    historyMs: () => current.value.historyMs,
    onError: (error) => log.error("old scores not removed", { error }),
  });
  lifecycle.onStop("score history", stopSweeping);
  const stopExpiring = sweepBin({
    ...{ store: state.store, clock: systemClock, ownership: node.ownership, dataDir: current.value.dataDir },
    binMs: () => current.value.binMs,
    onError: (error) => log.error("bin not swept", { error }),
  });
  lifecycle.onStop("bin", stopExpiring);
  if (current.value.live) calendarRefresh.start();
  lifecycle.onStop("calendars", () => calendarRefresh.stop());
}

async function startDelivery(
  { live }: ServerSettings,
  { engine: { brokers, delivery }, lifecycle, isLive }: LiveDeps,
): Promise<void> {
  if (live) brokers.start();
  lifecycle.onStop("brokers", () => brokers.stop());
  if (isLive) await delivery.start();
  lifecycle.onStop("delivery", () => delivery.stop());
}

async function startTimetable(settings: ServerSettings, deps: LiveDeps): Promise<void> {
  const { engine, node, state, lifecycle, isLive } = deps;
  const { scheduledJobs } = engine;
  const timetable = createTimetable(settings, deps);
  node.cluster?.shards.addUser(timetable);
  scheduledJobs.watch((names) => void timetable.refresh(names));
  scheduledJobs.runWith((name) => timetable.runNow(name));
  scheduledJobs.routeWith(deps.app);
  if (isLive) await timetable.start();
  lifecycle.onStop("timetable", () => timetable.stop());
  const { buckets, loop, delivery, queue } = engine;
  node.cluster?.follow(workOf({ tokens: state.tokens, buckets, loop, timetable, delivery, queue }));
}

/** Timetable whose jobs call the application in process, without the network. */
function createTimetable({ timezone }: ServerSettings, { app, node, state, log }: WorkDeps): Timetable {
  const { store, tokens, meter } = state;
  const activity = createActivityLog(log);
  return new Timetable({
    store,
    ownership: node.ownership,
    clock: systemClock,
    timezone,
    dispatch: async (request, { name, creator }) =>
      app.handle(request, { ...tokens.rightsOf(creator), scheduledJob: name }),
    onRun: (run) => {
      meter.onScheduledRun(run);
      activity.onScheduledRun(run);
    },
    onError: (error, job) =>
      job === null
        ? log.error("scheduled jobs not read", { error })
        : log.error("scheduled job not run", { job, error }),
  });
}
