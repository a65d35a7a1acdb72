// State of a server: the store with its key, tokens, the meter and the event streams, opened before anything runs.
import { Events } from "../resources/events/index.ts";
import { loadLinkKey } from "../resources/judgements/links.ts";
import { ExternalUrl } from "../resources/server/external-url.ts";
import type { Tokens } from "../resources/tokens/index.ts";
import { systemClock } from "../runtime/clock.ts";
import type { ServerSettings } from "../settings/load.ts";
import { ensureMeta } from "../store/db/meta.ts";
import type { Store } from "../store/db/open.ts";
import { countRows } from "../store/db/statistics.ts";
import type { NodeState } from "../store/postgres/nodes.ts";
import type { Log } from "../telemetry/log.ts";
import { createMeter, type Meter, type Usage } from "../telemetry/meter.ts";
import type { Lifecycle } from "./lifecycle.ts";
import { openSealedStore, startTokens } from "./security.ts";

export interface StateDeps {
  readonly log: Log;
  readonly lifecycle: Lifecycle;
  readonly version: string;
  readonly startedAt: number;
  /** Resource usage of the process, for the metrics. */
  readonly measureUsage?: (() => Usage) | undefined;
  /** Ends the wait for a shared database, with its reason. */
  readonly signal?: AbortSignal | undefined;
  /** Called once the node has joined its cluster. */
  readonly nodeState: () => NodeState;
}

export interface State {
  readonly store: Store;
  readonly tokens: Tokens;
  readonly meter: Meter;
  readonly events: Events;
  readonly externalUrl: ExternalUrl;
  /** Signs judgement links. */
  readonly judgementKey: string;
  /** Of a server whose state is a file. */
  readonly hostId: string;
}

/** @throws TorusError `internal`, `invalid` with the steps to take */
export async function openState(settings: ServerSettings, deps: StateDeps): Promise<State> {
  const { log, lifecycle, version, startedAt, measureUsage, signal, nodeState } = deps;
  const meter = createMeter({
    version,
    startedAt,
    countRows: () => countRows(store),
    countStreams: () => events.streams,
    measureUsage,
    ...(settings.postgres && { nodeState }),
  });
  const store = await openSealedStore(settings, log, { meter: meter.node, signal });
  lifecycle.onStop("store", () => store.close());
  const tokens = await startTokens(settings, { store, log });
  lifecycle.onStop("tokens", () => tokens.stop());
  const { onEventSent: onSent, onSlowStream: onSlow } = meter;
  const events = new Events({ store, clock: systemClock, onSent, onSlow });
  const externalUrl = new ExternalUrl({ store, clock: systemClock });
  await externalUrl.load();
  const hostId = await ensureMeta(store, "host_id", () => crypto.randomUUID());
  const judgementKey = await loadLinkKey(store);
  return { store, tokens, meter, events, externalUrl, judgementKey, hostId };
}
