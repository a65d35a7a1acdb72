// Brokers of `mqtt` hooks: one connection for all hooks of equal settings, from the start of the server on.
import type { HookBroker, HookMessage } from "../hooks/kind.ts";
import { sleep } from "../runtime/deadline.ts";
import { BrokerConnection, type ConnectionDeps } from "./broker-connection.ts";

/** Connections follow changes of hooks this often; the first event of a hook connects at once. */
const FOLLOW_EVERY_MS = 15_000;

interface BrokersDeps extends ConnectionDeps {
  /** The brokers of all hooks. */
  readonly list: () => Promise<readonly HookBroker[]>;
  readonly onError: (error: unknown) => void;
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

  /** Says farewell to all. */
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
        const brokers = await list();
        for (const broker of brokers) this.#connect(broker);
        const used = new Set(brokers.map(keyOf));
        await this.#close([...this.#connections.keys()].filter((key) => !used.has(key)));
      } catch (error) {
        onError(error);
      }
      await sleep(FOLLOW_EVERY_MS, signal, clock);
    }
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
