// Connection to the broker of `mqtt` hooks: kept between events, so that its last will says when the server is gone.
import { throwIfAborted } from "../core/errors.ts";
import type { HookBroker, HookMessage } from "../hooks/kind.ts";
import { type Broker, closedBy, connectBroker, whileConnected } from "../net/mqtt/connect.ts";
import { abortable } from "../runtime/abortable.ts";
import type { Clock } from "../runtime/clock.ts";
import { sleep } from "../runtime/deadline.ts";
import { reconnect } from "../runtime/reconnect.ts";

/** Longest farewell of a connection that is closed. */
const FAREWELL_MS = 1000;
const [ONLINE, OFFLINE] = ["online", "offline"] as const;

export interface ConnectionDeps {
  readonly clock: Clock;
  /** Whether private networks are refused. */
  readonly publicOnly: () => boolean;
}

export class BrokerConnection {
  readonly #stop = new AbortController();
  readonly #running: Promise<void>;
  /** Of the last attempt; rejected after a failure, until the next attempt. */
  #connected!: Promise<Broker>;
  /** Payloads that this server keeps at the broker, by topic, and the connection in which all of them were published. */
  readonly #kept = new Map<string, string>();
  #keptBy: Broker | undefined;

  constructor(
    private readonly broker: HookBroker,
    private readonly deps: ConnectionDeps,
  ) {
    const { signal } = this.#stop;
    const onDown = (error: unknown) => this.#follow(Promise.reject(error));
    this.#running = reconnect(() => this.#session(), { clock: deps.clock, signal, onDown });
  }

  /**
   * Publishes with QoS 1 and waits for the acknowledgement.
   * @throws TorusError of the connection, `canceled`
   */
  async publish({ topic, payload, isRetained }: HookMessage, signal: AbortSignal): Promise<void> {
    const sending = this.#connected.then((broker) => send(broker, { topic, payload, retain: isRetained }));
    try {
      await abortable(sending, signal);
    } catch (error) {
      throwIfAborted(signal);
      throw error;
    }
  }

  /**
   * Keeps retained messages at the broker: publishes what is new, all after another connection, for a broker may have
   * lost them; clears what is not wanted any more.
   * @param wanted payloads by topic
   * @throws TorusError of the connection; the next call goes on
   */
  async keep(wanted: ReadonlyMap<string, string>): Promise<void> {
    const broker = await this.#connected;
    const isKept = this.#keptBy === broker;
    this.#keptBy = undefined;
    for (const [topic, payload] of wanted) {
      if (isKept && this.#kept.get(topic) === payload) continue;
      this.#kept.set(topic, payload);
      await send(broker, { topic, payload, retain: true });
    }
    for (const topic of [...this.#kept.keys()].filter((known) => !wanted.has(known))) {
      await send(broker, { topic, payload: "", retain: true });
      this.#kept.delete(topic);
    }
    this.#keptBy = broker;
  }

  /** Publishes the farewell, as a last will is for crashes alone, and ends the connection. */
  async close(): Promise<void> {
    const { signal } = this.#stop;
    const farewell = this.#connected.then((broker) => send(broker, this.#status(OFFLINE)));
    await Promise.race([farewell.catch(() => {}), sleep(FAREWELL_MS, signal, this.deps.clock)]);
    this.#stop.abort();
    await this.#connected.then(({ client }) => client.end(true)).catch(() => {});
    await this.#running;
  }

  async #session(): Promise<void> {
    const connecting = this.#connect();
    this.#follow(connecting);
    const { closed, upstream } = await connecting;
    await closed;
    throw closedBy(upstream);
  }

  async #connect(): Promise<Broker> {
    const will = { ...this.#status(OFFLINE), payload: Buffer.from(OFFLINE), qos: 1 } as const;
    const connected = await connectBroker(this.broker, {
      session: { clean: true, will },
      signal: this.#stop.signal,
      publicOnly: this.deps.publicOnly(),
    });
    await send(connected, this.#status(ONLINE));
    return connected;
  }

  #status(payload: string): Message {
    return { topic: this.broker.statusTopic, payload, retain: true };
  }

  #follow(connected: Promise<Broker>): void {
    this.#connected = connected;
    // There may be no delivery that sees a failure.
    connected.catch(() => {});
  }
}

interface Message {
  readonly topic: string;
  readonly payload: string;
  readonly retain: boolean;
}

function send(broker: Broker, { topic, payload, retain }: Message): Promise<unknown> {
  return whileConnected(broker, (client) => client.publishAsync(topic, payload, { qos: 1, retain }));
}
