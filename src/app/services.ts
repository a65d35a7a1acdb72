// Composition root: starts all components in order and stops them in reverse.
import pack from "../../package.json" with { type: "json" };
import type { Cluster } from "../cluster/cluster.ts";
import type { Member } from "../cluster/member.ts";
import { TorusError } from "../core/errors.ts";
import type { NodeInfo } from "../http/framework/deps.ts";
import { settleFiles } from "../resources/bin/files.ts";
import { systemClock } from "../runtime/clock.ts";
import { sleep } from "../runtime/deadline.ts";
import type { ServerSettings } from "../settings/load.ts";
import type { Log } from "../telemetry/log.ts";
import type { Usage } from "../telemetry/meter.ts";
import { type Application, createApplication } from "./application.ts";
import { type NodeParts, startNode } from "./cluster.ts";
import { checkJobRoutes, defineResources, warnOfJobCalls } from "./definitions.ts";
import type { CurrentSettings } from "./delivery.ts";
import { createEngine } from "./engine/index.ts";
import { Lifecycle } from "./lifecycle.ts";
import { type Listener, type ListenSettings, listen } from "./listener.ts";
import { reconfigureTokens, STORE_WAIT_MS } from "./security.ts";
import { openState, type State, type StateDeps } from "./state.ts";
import { startWork } from "./work.ts";

export const version: string = pack.version;
/** Between two starts. */
const RETRY_MS = 500;

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

export interface StartOptions {
  /** Resource usage of the process, for the metrics. */
  readonly measureUsage?: (() => Usage) | undefined;
  /** Ends a start that waits for the database, with its reason. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Starts the service: lock, check, migrate, define resources, recover jobs, listen. Where the shared database goes away
 * meanwhile, all of it begins anew, as running nodes go on once it is back.
 * @throws the cause of a failed start, after stopping what had started
 */
export async function startServices(
  settings: ServerSettings,
  log: Log,
  options: StartOptions = {},
): Promise<Services> {
  const { signal } = options;
  const endAt = performance.now() + STORE_WAIT_MS;
  for (;;) {
    try {
      return await startOnce(settings, log, options);
    } catch (error) {
      const isAway = error instanceof TorusError && error.code === "storage_unavailable";
      if (!isAway || !settings.postgres || performance.now() > endAt) throw error;
      log.warn("the database went away during the start: starting anew", { reason: error.message });
      if (!(await sleep(RETRY_MS, signal))) throw signal?.reason;
    }
  }
}

/** @throws the cause of a failed start, after stopping what had started */
async function startOnce(settings: ServerSettings, log: Log, options: StartOptions): Promise<Services> {
  const lifecycle = new Lifecycle(log);
  try {
    const { url, reload } = await startComponents(settings, { ...options, log, lifecycle });
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

type Engine = ReturnType<typeof createEngine>;

interface ComponentDeps extends StartOptions {
  readonly log: Log;
  readonly lifecycle: Lifecycle;
}

/** What components learn of others that are made later. */
interface Later {
  listener?: Listener;
  cluster?: Cluster;
}

/** The stages of a start, in order; each names what it releases. */
async function startComponents(
  settings: ServerSettings,
  { log, lifecycle, ...options }: ComponentDeps,
): Promise<Pick<Services, "url" | "reload">> {
  const current: CurrentSettings = { value: settings };
  const later: Later = {};
  const facts = { log, lifecycle, version, startedAt: systemClock.now() };

  // Its node joins before anything is measured.
  const nodeState = () => later.cluster!.state;
  const state = await openState(settings, { ...facts, ...options, nodeState });
  const node = await joinCluster(settings, { ...facts, state, later });
  const engine = createEngine(current, { ...facts, ...state, ...node, ...(node.cluster && { nodeState }) });
  for (const user of [engine.loop, engine.delivery]) node.cluster?.shards.addUser(user);
  const app = createApplication(current, {
    ...facts,
    state,
    served: { ...engine, clusterNodes: node.clusterNodes, node: describeNode(settings, { state, later }) },
    listener: () => later.listener,
  });
  checkJobRoutes(settings, app);
  warnOfJobCalls(settings, app, log);
  await defineResources(engine.apply, settings, log);
  await engine.scheduledJobs.define();
  await settleFiles(state.store, settings.dataDir);
  await engine.buckets.inspect();
  // The queue answers waiting requests when it stops; connections are closed only afterwards.
  lifecycle.onStop("connections", () => later.listener?.cut());
  await startWork(current, { ...facts, engine, node, state, app });
  later.listener = startListener(current, { ...facts, app, state });
  if (node.cluster?.member.isPreparing) void beginWork(node.cluster.member, { engine, log });
  return { url: later.listener.url, reload: createReload(current, { log, engine, state, app }) };
}

/** Prepares live work before other nodes leave models to this one: these would wait for its worker. */
async function beginWork(
  member: Member,
  { engine, log }: { readonly engine: Engine; readonly log: Log },
): Promise<void> {
  await engine.prepare().catch((error) => log.warn("live work not prepared", { error }));
  member.begin();
}

interface JoinDeps extends Omit<StateDeps, "measureUsage" | "nodeState"> {
  readonly state: State;
  readonly later: Later;
}

async function joinCluster(settings: ServerSettings, deps: JoinDeps): Promise<NodeParts> {
  const { state, later, ...facts } = deps;
  const { store, hostId, meter } = state;
  const address = () => (later.listener ? formatAddress(settings.listen.host, later.listener.port) : "");
  const onTaken = (count: number) => meter.node?.onTaken(count);
  const node = await startNode(settings, { ...facts, store, hostId, address, onTaken });
  if (node.cluster) later.cluster = node.cluster;
  return node;
}

function formatAddress(host: string, port: number): string {
  return host.includes(":") ? `[${host}]:${port}` : `${host}:${port}`;
}

function describeNode(
  { nodeName: name, clusterName, listen: { host, port } }: ServerSettings,
  { state, later }: { readonly state: State; readonly later: Later },
): NodeInfo {
  return {
    get hostId() {
      return later.cluster?.member.id ?? state.hostId;
    },
    name,
    clusterName,
    version,
    address: () => ({ host, port: later.listener?.port ?? port }),
  };
}

interface Running {
  readonly log: Log;
  readonly state: State;
  readonly app: Application;
}

function startListener(
  current: CurrentSettings,
  { app, state, log, lifecycle }: Running & { readonly lifecycle: Lifecycle },
): Listener {
  const listener = listen(app, withLimits(current), log);
  lifecycle.onStop("listener", () => listener.drain());
  // Streams would keep the listener waiting.
  lifecycle.onStop("events", () => state.events.close());
  return listener;
}

/** Settings of the listener, with the effective limits. */
function withLimits(current: CurrentSettings): ListenSettings {
  const { listen, security } = current.value;
  return {
    listen,
    security,
    get limits() {
      return current.value.limits;
    },
  };
}

function createReload(
  current: CurrentSettings,
  { log, engine, state: { tokens }, app }: Running & { readonly engine: Engine },
): Services["reload"] {
  return async (next) => {
    checkJobRoutes(next, app);
    warnOfJobCalls(next, app, log);
    const before = current.value;
    reconfigureTokens(next, tokens);
    current.value = next;
    try {
      await defineResources(engine.apply, next, log);
    } catch (error) {
      current.value = before;
      reconfigureTokens(before, tokens);
      throw error;
    }
    await engine.scheduledJobs.define();
    app.renew();
  };
}
