// HTTP application of a server: resources behind the guards of the effective settings, made anew by a reload.
import { type App, createApp } from "../http/app.ts";
import type { AppDeps } from "../http/framework/deps.ts";
import { Hosts } from "../http/framework/hosts.ts";
import { Session } from "../resources/server/session.ts";
import { defaultLimits } from "../resources/shared/range.ts";
import type { Tokens } from "../resources/tokens/index.ts";
import type { ServerSettings } from "../settings/load.ts";
import type { Log } from "../telemetry/log.ts";
import type { CurrentSettings } from "./delivery.ts";
import type { Listener } from "./listener.ts";
import { clientAddress, createAuth } from "./security.ts";
import type { State } from "./state.ts";
import { createUiFiles } from "./ui/files.ts";

/** What the application takes from the engine, and of the node. */
type Served = Omit<AppDeps, keyof ReturnType<typeof guardsOf> | keyof ReturnType<typeof edgeOf> | "ui">;

interface ApplicationDeps {
  readonly state: State;
  readonly served: Served;
  readonly log: Log;
  readonly version: string;
  readonly startedAt: number;
  /** Undefined before it listens. */
  readonly listener: () => Listener | undefined;
}

export interface Application extends App {
  /** Puts the effective settings in force. */
  renew(): void;
}

export function createApplication(current: CurrentSettings, deps: ApplicationDeps): Application {
  const { tokens } = deps.state;
  const edge = edgeOf(current, deps);
  const files = createUiFiles();
  const make = () => {
    const ui = current.value.ui ? files : undefined;
    return createApp({ ...deps.served, ...guardsOf(current.value, tokens), ...edge, ui });
  };
  let effective = make();
  return {
    handle: (request, principal) => effective.handle(request, principal),
    requireRoute: (method, path) => effective.requireRoute(method, path),
    requireCall: (call) => effective.requireCall(call),
    renew: () => {
      effective = make();
    },
  };
}

/** What requests meet beside the resources: who sends them, event streams, metrics, the connection. */
function edgeOf(current: CurrentSettings, deps: Omit<ApplicationDeps, "served">) {
  const { log, listener, state } = deps;
  const { tokens, events, meter } = state;
  const peerAddress = (request: Request) => listener()?.addressOf(request) ?? "";
  const proxies = () => current.value.security.proxies;
  return {
    tokens,
    events,
    meter,
    log,
    session: createSession(current, deps),
    putExternalUrl: (body: unknown) => state.externalUrl.put(body, current.value.externalUrl),
    auth: createAuth(tokens, clientAddress(proxies, peerAddress), log),
    holdOpen: (request: Request) => listener()?.holdOpen(request),
  };
}

/** Rights of senders and effective settings, for clients. */
function createSession(
  current: CurrentSettings,
  { state, version, startedAt }: Omit<ApplicationDeps, "served">,
): Session {
  const facts = () => {
    const { timezone, externalUrl, hooks, binMs, limits: body } = current.value;
    const { allowPrivate, programs, smtp } = hooks;
    return {
      timezone,
      externalUrl: state.externalUrl.valueBeside(externalUrl),
      binMs,
      hooks: { mail: smtp !== undefined, exec: programs.length > 0, allowPrivate },
      body,
    };
  };
  return new Session({ tokens: state.tokens, version, startedAt, limits: defaultLimits, facts });
}

/** Request guards of the application; listen address and TLS do not change after the start. */
function guardsOf({ listen, limits, security }: ServerSettings, tokens: Tokens) {
  const { allowedHosts: allowed, cors, tls, hstsSeconds } = security;
  const hosts = new Hosts({ isGuarded: () => tokens.isOn, listenHost: listen.host, allowed });
  return { hosts, cors, tls: tls !== undefined, hstsSeconds, limits };
}
