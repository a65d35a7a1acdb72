// Brokers of `mqtt` hooks: a connection for all hooks of equal settings, and the retained messages that they keep.
import type { HookBroker, HookMessage } from "../hooks/kind.ts";
import { sleep } from "../runtime/deadline.ts";
import { BrokerConnection, type ConnectionDeps } from "./broker-connection.ts";

/** Connections follow changes of hooks this often; the first event of a hook connects at once. */
const FOLLOW_EVERY_MS = 15_000;

/** Longest time to clear what a broker keeps. */
const CLEAR_MS = 5000;

interface BrokersDeps extends ConnectionDeps {
  /** The brokers of all hooks; equal ones keep the messages of all of them. */
  readonly list: () => Promise<readonly FollowedBroker[]>;
  readonly onError: (error: unknown) => void;
}

export interface FollowedBroker {
  readonly broker: HookBroker;
  /** Payloads that are kept at the broker for as long as they are listed, by topic. */
  readonly kept: ReadonlyMap<string, string>;
}

export class Brokers {
  readonly #connections = new Map<string, BrokerConnection>();
  readonly #stop = new AbortController();
  #following: Promise<void> = Promise.resolve();

  constructor(private readonly deps: BrokersDeps) {}

  /** Connects to the brokers of all hooks, and follows their changes. */
  start(): void {
    this.#following = this.#follow();
  }

  /**
   * Publishes with QoS 1 and waits for the acknowledgement.
   * @throws TorusError of the connection, `canceled`
   */
  publish(broker: HookBroker, message: HookMessage, signal: AbortSignal): Promise<void> {
    return this.#connect(broker).publish(message, signal);
  }

  /** Closes all connections. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#following;
    await this.#close([...this.#connections.keys()]);
  }

  async #follow(): Promise<void> {
    const { clock, list, onError } = this.deps;
    const { signal } = this.#stop;
    while (!signal.aborted) {
      try {
        const used = Map.groupBy(await list(), ({ broker }) => keyOf(broker));
        const keeping = [...used.values()].map((hooks) => this.#keep(hooks));
        const unused = [...this.#connections].filter(([key]) => !used.has(key));
        const clearing = unused.map(([, connection]) => this.#clear(connection));
        await Promise.all([...keeping, ...clearing]);
        await this.#close(unused.map(([key]) => key));
      } catch (error) {
        onError(error);
      }
      await sleep(FOLLOW_EVERY_MS, signal, clock);
    }
  }

  /** Of a broker that is away, the next round keeps what this one could not. */
  async #keep(hooks: readonly FollowedBroker[]): Promise<void> {
    const connection = this.#connect(hooks[0]!.broker);
    const wanted = new Map(hooks.flatMap(({ kept }) => [...kept]));
    await connection.keep(wanted).catch(() => {});
  }

  /** Clears what a broker that no hook uses any more keeps. */
  async #clear(connection: BrokerConnection): Promise<void> {
    const { clock } = this.deps;
    const cleared = connection.keep(new Map()).catch(() => {});
    await Promise.race([cleared, sleep(CLEAR_MS, this.#stop.signal, clock)]);
  }

  async #close(keys: readonly string[]): Promise<void> {
    const over = keys.map((key) => this.#connections.get(key)!);
    for (const key of keys) this.#connections.delete(key);
    await Promise.all(over.map((connection) => connection.close()));
  }

  #connect(broker: HookBroker): BrokerConnection {
    const key = keyOf(broker);
    const known = this.#connections.get(key);
    if (known) return known;
    const made = new BrokerConnection(broker, this.deps);
    this.#connections.set(key, made);
    return made;
  }
}

function keyOf(broker: HookBroker): string {
  return JSON.stringify(Object.entries(broker).sort(([a], [b]) => (a < b ? -1 : 1)));
}
