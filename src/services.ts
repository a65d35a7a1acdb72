// Composition root: builds every part once, starts them in order, stops them in reverse.
import pack from "../package.json" with { type: "json" };
import { checkBucket } from "./buckets/index.ts";
import { fieldErrorsOf, placeErrors, TorusError } from "./core/errors.ts";
import { createEngine, type EngineDeps } from "./engine.ts";
import { type App, createApp } from "./http/app.ts";
import type { NodeInfo } from "./http/deps.ts";
import { Hosts } from "./http/hosts.ts";
import { systemClock } from "./jobs/clock.ts";
import { type Listener, listen } from "./listener.ts";
import { Timetable } from "./live/timetable.ts";
import type { Log } from "./log.ts";
import { createMeter, type Usage } from "./meter.ts";
import { Parts } from "./parts.ts";
import type { Buckets } from "./resources/buckets.ts";
import type { Tokens } from "./resources/tokens.ts";
import { checkTokens, createAuth, openSealedStore, seeThrough, startTokens } from "./security.ts";
import type { ServerSettings } from "./settings.ts";
import { takeCensus } from "./store/census.ts";
import { ensureMeta } from "./store/meta.ts";

export const version: string = pack.version;

export interface Services {
  /** Where it listens. */
  readonly url: string;
  /** Refuses new requests, finishes those under way, gives running jobs back, closes the store. */
  stop(): Promise<void>;
}

/**
 * Starts the service: lock, check, migrate, define buckets, recover jobs, listen.
 * @param measureUsage what the process uses of the machine, for the metrics
 * @throws what kept it from starting; everything already started is stopped again
 */
export async function startServices(
  settings: ServerSettings,
  log: Log,
  measureUsage?: () => Usage,
): Promise<Services> {
  const parts = new Parts(log);
  try {
    const url = await startParts(settings, { log, parts, measureUsage });
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

interface PartDeps {
  readonly log: Log;
  readonly parts: Parts;
  readonly measureUsage: (() => Usage) | undefined;
}

async function startParts(settings: ServerSettings, { log, parts, measureUsage }: PartDeps): Promise<string> {
  const store = openSealedStore(settings, log);
  parts.started("store", () => store.close());
  const tokens = await startTokens(settings, { store, log });
  parts.started("tokens", () => tokens.stop());
  const hostId = await ensureMeta(store, "host_id", () => crypto.randomUUID());

  const meter = createMeter({
    version,
    startedAt: systemClock.now(),
    takeCensus: () => takeCensus(store),
    measureUsage,
  });
  const { queue, loop, delivery, ...resources } = createEngine(settings, { store, log, parts, meter });
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
  const { limits, security } = settings;
  const peerOf = (request: Request) => listener?.addressOf(request) ?? "";
  const auth = createAuth(tokens, seeThrough(security.proxies, peerOf), log);
  const hosts = new Hosts({
    isGuarded: () => tokens.isOn,
    listenHost: settings.listen.host,
    allowed: security.allowedHosts,
  });
  const { cors, tls, hstsSeconds } = security;
  const guards = { tokens, auth, hosts, cors, tls: tls !== undefined, hstsSeconds, limits };
  const app = createApp({ ...resources, ...guards, meter, node, log, holdOpen });

  // Requests that wait for jobs are answered when the queue stops; only then may connections be cut.
  parts.started("connections", () => listener?.cut());
  const recovered = await queue.start();
  parts.started("queue", () => queue.stop());
  if (recovered.waiting + recovered.failed + recovered.canceled > 0)
    log.info("jobs recovered", { ...recovered });

  if (!settings.live) log.warn("live detection, hooks and scheduled jobs are off", { flag: "--no-live" });
  if (settings.live) await loop.start();
  parts.started("live", () => loop.stop());
  if (settings.live) await delivery.start();
  parts.started("delivery", () => delivery.stop());

  const timetable = createTimetable(app, settings, { store, log, tokens });
  resources.scheduledJobs.watch(() => void timetable.refresh());
  if (settings.live) await timetable.start();
  parts.started("timetable", () => timetable.stop());

  listener = listen(app, settings, log);
  parts.started("listener", () => listener?.drain());
  return listener.url;
}

/** Scheduled jobs are requests to the application itself: nothing goes over the network. */
function createTimetable(
  app: App,
  { timezone }: ServerSettings,
  { store, log, tokens }: Pick<EngineDeps, "store" | "log"> & { readonly tokens: Tokens },
): Timetable {
  return new Timetable({
    store,
    clock: systemClock,
    timezone,
    dispatch: async (request, { name, creator }) =>
      app.handle(request, { ...tokens.rightsOf(creator), scheduledJob: name }),
    onError: (error, job) => log.error("scheduled job not run", { job, error }),
  });
}

/**
 * Checks what the settings define as far as possible without starting.
 * @returns what only the start will know, for people
 * @throws TorusError `invalid`
 */
export function checkServices(settings: ServerSettings): string[] {
  const mistakes = settings.buckets.flatMap((definition, index) => findMistake(definition, index));
  const [first] = mistakes;
  if (first) {
    const errors = mistakes.flatMap((mistake) => fieldErrorsOf(mistake));
    throw new TorusError("invalid", first.message, { ...first.details, errors });
  }
  return checkTokens(settings);
}

function findMistake(definition: ServerSettings["buckets"][number], index: number): TorusError[] {
  try {
    checkBucket(definition);
    return [];
  } catch (error) {
    const placed = inFile(error, `buckets.${index}`);
    if (placed instanceof TorusError) return [placed];
    throw placed;
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
  if (!(error instanceof TorusError && error.code === "invalid")) return error;
  const errors = placeErrors(fieldErrorsOf(error), place);
  return new TorusError("invalid", `${place}: ${error.message}`, { path: place, errors });
}
