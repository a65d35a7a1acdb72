// Composition root: starts all components in order and stops them in reverse.
import pack from "../../package.json" with { type: "json" };
import { type App, createApp } from "../http/app.ts";
import type { NodeInfo } from "../http/framework/deps.ts";
import { Hosts } from "../http/framework/hosts.ts";
import { sweepScores } from "../live/score-history.ts";
import { Events } from "../resources/events/index.ts";
import { Session } from "../resources/server/session.ts";
import { defaultLimits } from "../resources/shared/range.ts";
import type { Tokens } from "../resources/tokens/index.ts";
import { systemClock } from "../runtime/clock.ts";
import { Timetable } from "../scheduler/timetable.ts";
import type { ServerSettings } from "../settings/load.ts";
import { ensureMeta } from "../store/db/meta.ts";
import { countRows } from "../store/db/statistics.ts";
import type { Log } from "../telemetry/log.ts";
import { createMeter, type Usage } from "../telemetry/meter.ts";
import { startNode, workOf } from "./cluster.ts";
import { defineResources } from "./definitions.ts";
import type { CurrentSettings } from "./delivery.ts";
import { createEngine, type EngineDeps } from "./engine.ts";
import { Lifecycle } from "./lifecycle.ts";
import { type Listener, type ListenSettings, listen } from "./listener.ts";
import { clientAddress, createAuth, openSealedStore, reconfigureTokens, startTokens } from "./security.ts";
import { createUiFiles } from "./ui/files.ts";

export const version: string = pack.version;

export interface Services {
  /** Base URL of the listener. */
  readonly url: string;
  /**
   * Applies the reloadable settings and the resources they define.
   * @throws TorusError `invalid`; the old settings stay effective
   */
  reload(settings: ServerSettings): Promise<void>;
  /** Refuses new requests, finishes open ones, returns running jobs to the queue, closes the store. */
  stop(): Promise<void>;
}

/**
 * Starts the service: lock, check, migrate, define resources, recover jobs, listen.
 * @param measureUsage resource usage of the process, for the metrics
 * @throws the cause of a failed start, after stopping what had started
 */
export async function startServices(
  settings: ServerSettings,
  log: Log,
  measureUsage?: () => Usage,
): Promise<Services> {
  const lifecycle = new Lifecycle(log);
  try {
    const { url, reload } = await startComponents(settings, { log, lifecycle, measureUsage });
    let stopping: Promise<void> | undefined;
    let reloading: Promise<void> = Promise.resolve();
    return {
      url,
      reload: (next) => {
        reloading = reloading.catch(() => {}).then(() => (stopping ? undefined : reload(next)));
        return reloading;
      },
      stop: () => {
        stopping ??= reloading.catch(() => {}).then(() => lifecycle.stopAll());
        return stopping;
      },
    };
  } catch (error) {
    await lifecycle.stopAll();
    throw error;
  }
}

interface ComponentDeps {
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  readonly measureUsage: (() => Usage) | undefined;
}

async function startComponents(
  settings: ServerSettings,
  { log, lifecycle, measureUsage }: ComponentDeps,
): Promise<Pick<Services, "url" | "reload">> {
  const current: CurrentSettings = { value: settings };
  const startedAt = systemClock.now();
  const meter = createMeter({
    version,
    startedAt,
    countRows: () => countRows(store),
    countStreams: () => events.streams,
    measureUsage,
    // Its node joins before anything is rendered.
    ...(settings.postgres && { nodeState: () => cluster!.state }),
  });
  const store = await openSealedStore(settings, log, meter.node);
  lifecycle.onStop("store", () => store.close());
  const tokens = await startTokens(settings, { store, log });
  lifecycle.onStop("tokens", () => tokens.stop());
  const hostId = await ensureMeta(store, "host_id", () => crypto.randomUUID());

  let listener: Listener | undefined;
  const address = () => (listener ? formatAddress(settings.listen.host, listener.port) : "");
  const { cluster, ownership, clusterNodes, queueNode, ...joined } = await startNode(settings, {
    ...{ store, log, lifecycle, version, startedAt, address, hostId },
    onTaken: (count) => meter.node?.onTaken(count),
  });
  const session = createSession(current, tokens, startedAt);
  const { onEventSent: onSent, onSlowStream: onSlow } = meter;
  const events = new Events({ store, clock: systemClock, onSent, onSlow });
  const { queue, loop, delivery, brokers, calendarRefresh, ...resources } = createEngine(current, {
    store,
    log,
    lifecycle,
    meter,
    ownership,
    ...(queueNode && { queueNode }),
    ...(cluster && { nodeState: () => cluster.state }),
  });
  for (const user of [loop, delivery]) cluster?.shards.addUser(user);
  await defineResources(resources.apply, settings, log);
  await resources.scheduledJobs.define();
  await resources.buckets.inspect();

  const node: NodeInfo = {
    get hostId() {
      return cluster?.member.id ?? hostId;
    },
    name: settings.nodeName,
    clusterName: settings.clusterName,
    version,
    address: () => ({ host: settings.listen.host, port: listener?.port ?? settings.listen.port }),
  };
  const holdOpen = (request: Request) => listener?.holdOpen(request);
  const peerAddress = (request: Request) => listener?.addressOf(request) ?? "";
  const auth = createAuth(
    tokens,
    clientAddress(() => current.value.security.proxies, peerAddress),
    log,
  );
  const files = createUiFiles();
  const edge = { tokens, events, session, auth, meter, node, clusterNodes, log, holdOpen };
  const makeApp = () => {
    const ui = current.value.ui ? files : undefined;
    return createApp({ ...resources, ...guardsOf(current.value, tokens), ...edge, ui });
  };
  let effectiveApp = makeApp();
  const app: App = { handle: (request, principal) => effectiveApp.handle(request, principal) };

  // The queue answers waiting requests when it stops; connections are closed only afterwards.
  lifecycle.onStop("connections", () => listener?.cut());
  const recovered = joined.recovered ?? (await queue.start());
  if (joined.recovered) await queue.start();
  lifecycle.onStop("queue", () => queue.stop());
  if (cluster) lifecycle.onStop("shards", () => cluster.release());
  if (recovered.waiting + recovered.failed + recovered.canceled > 0)
    log.info("jobs recovered", { ...recovered });

  if (!settings.live)
    log.warn("live detection, hooks, scheduled jobs and subscriptions are off", { flag: "--no-live" });
  // A copy of a server must not take the session of the original from its broker.
  if (settings.live) await resources.subscriptions.start();
  lifecycle.onStop("subscriptions", () => resources.subscriptions.stop());
  const isLive = settings.live && (!cluster || settings.cluster.work.includes("live"));
  if (isLive) await loop.start();
  lifecycle.onStop("live", () => loop.stop());
  const stopSweeping = sweepScores({
    store,
    clock: systemClock,
    historyMs: () => current.value.historyMs,
    onError: (error) => log.error("old scores not removed", { error }),
  });
  lifecycle.onStop("score history", stopSweeping);
  if (settings.live) calendarRefresh.start();
  lifecycle.onStop("calendars", () => calendarRefresh.stop());
  if (settings.live) brokers.start();
  lifecycle.onStop("brokers", () => brokers.stop());
  if (isLive) await delivery.start();
  lifecycle.onStop("delivery", () => delivery.stop());

  const timetable = createTimetable(app, settings, { store, log, tokens, ownership });
  cluster?.shards.addUser(timetable);
  resources.scheduledJobs.watch((names) => void timetable.refresh(names));
  resources.scheduledJobs.runWith((name) => timetable.runNow(name));
  if (isLive) await timetable.start();
  lifecycle.onStop("timetable", () => timetable.stop());
  const { buckets } = resources;
  cluster?.follow(workOf({ tokens, buckets, loop, timetable, delivery, queue }));

  listener = listen(app, withLimits(settings, current), log);
  lifecycle.onStop("listener", () => listener?.drain());
  // Streams would keep the listener waiting.
  lifecycle.onStop("events", () => events.close());
  const reload = async (next: ServerSettings) => {
    const before = current.value;
    reconfigureTokens(next, tokens);
    current.value = next;
    try {
      await defineResources(resources.apply, next, log);
    } catch (error) {
      current.value = before;
      reconfigureTokens(before, tokens);
      throw error;
    }
    await resources.scheduledJobs.define();
    effectiveApp = makeApp();
  };
  return { url: listener.url, reload };
}

function formatAddress(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

/** Rights of senders and effective settings, for clients. */
function createSession(current: CurrentSettings, tokens: Tokens, startedAt: number): Session {
  const facts = () => {
    const { timezone, externalUrl, hooks, limits: body } = current.value;
    const { allowPrivate, programs, smtp } = hooks;
    return {
      timezone,
      externalUrl,
      hooks: { mail: smtp !== undefined, exec: programs.length > 0, allowPrivate },
      body,
    };
  };
  return new Session({ tokens, version, startedAt, limits: defaultLimits, facts });
}

/** Request guards of the application; listen address and TLS do not change after the start. */
function guardsOf({ listen, limits, security }: ServerSettings, tokens: Tokens) {
  const { allowedHosts: allowed, cors, tls, hstsSeconds } = security;
  const hosts = new Hosts({ isGuarded: () => tokens.isOn, listenHost: listen.host, allowed });
  return { hosts, cors, tls: tls !== undefined, hstsSeconds, limits };
}

/** Settings of the listener, with the effective limits. */
function withLimits({ listen, security }: ServerSettings, current: CurrentSettings): ListenSettings {
  return {
    listen,
    security,
    get limits() {
      return current.value.limits;
    },
  };
}

/** Timetable whose jobs call the application in process, without the network. */
function createTimetable(
  app: App,
  { timezone }: ServerSettings,
  {
    store,
    log,
    tokens,
    ownership,
  }: Pick<EngineDeps, "store" | "log" | "ownership"> & { readonly tokens: Tokens },
): Timetable {
  return new Timetable({
    store,
    ownership,
    clock: systemClock,
    timezone,
    dispatch: async (request, { name, creator }) =>
      app.handle(request, { ...tokens.rightsOf(creator), scheduledJob: name }),
    onError: (error, job) => log.error("scheduled job not run", { job, error }),
  });
}
