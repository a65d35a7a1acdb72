// Subscription to an MQTT broker: each message is stored before it is acknowledged; connects again by itself.
import type { IPublishPacket } from "mqtt";
import { offsetsOf } from "../../core/time/timezone.ts";
import { type Broker, closedBy, connectBroker, whileConnected } from "../../net/mqtt/connect.ts";
import { upstreamError } from "../../net/refusal.ts";
import { reconnect } from "../../runtime/reconnect.ts";
import { createYielder } from "../../runtime/steps.ts";
import type { PushSink, Reading, Subscription } from "../kind.ts";
import { ArrivalTimes } from "./arrival.ts";
import { type PayloadRules, readPayload } from "./payload.ts";
import type { MqttSettings } from "./settings.ts";
import { parseTopic, type TopicPattern } from "./topic.ts";

/** Larger messages are no measurements. */
const MAX_PAYLOAD_BYTES = 1024 * 1024;
/** Return code of a subscription that the broker refuses: MQTT 3.1.1, section 3.9.3. */
const REFUSED = 128;

interface Topic {
  readonly pattern: TopicPattern;
  readonly rules: PayloadRules;
  readonly topic: string;
  readonly qos: 0 | 1;
}

/** Subscribes until it is closed. The session is the broker's to keep, so that it holds messages meanwhile. */
export function subscribe(name: string, own: MqttSettings, sink: PushSink): Subscription {
  const topics = own.topics.map((settings, i): Topic => {
    const { topic, qos = 1, format = "number", timezone, ...rules } = settings;
    const pattern = parseTopic(topic, `topics.${i}.topic`);
    return { topic, qos, pattern, rules: { format, ...rules, offsetAt: offsetsOf(timezone) } };
  });
  const stop = new AbortController();
  const { signal } = stop;
  const session = { clientId: own.client_id || `torus-${name}`, clean: false };
  const arrivals = new ArrivalTimes();
  const pace = createYielder(signal);
  let broker: Broker | undefined;

  async function receive(packet: IPublishPacket): Promise<void> {
    // Messages that are refused wait for nothing else.
    await pace();
    const nowAt = arrivals.take(packet.topic, sink.clock.now());
    const reading = readMessage(packet, { topics, nowAt });
    if (reading) await sink.take(packet.topic, reading, signal);
  }

  async function run(): Promise<void> {
    broker = await connectBroker(own, { session, onMessage: receive, signal });
    try {
      signal.throwIfAborted();
      for (const topic of topics) await subscribeTo(topic, broker);
      sink.onUp();
      await broker.closed;
      throw closedBy(broker.upstream);
    } finally {
      broker.client.end(true);
    }
  }

  const running = reconnect(run, { clock: sink.clock, signal, onDown: sink.onDown });
  const close = async () => {
    stop.abort();
    broker?.client.end(true);
    await running;
  };
  return {
    close,
    release: async (next) => {
      const kept =
        next === undefined ? undefined : keptBy(next as MqttSettings & { name: string }, own, session);
      const unused = topics.map(({ pattern }) => pattern.filter).filter((filter) => !kept?.has(filter));
      if (kept && broker && unused.length > 0)
        await whileConnected(broker, (client) => client.unsubscribeAsync(unused)).catch(() => {});
      await close();
      if (!kept) await endSession(own, session);
    },
  };
}

interface Session {
  readonly clientId: string;
  readonly clean: boolean;
}

/** Filters that the settings take from the same session; undefined: they have another one. */
function keptBy(next: MqttSettings & { readonly name: string }, own: MqttSettings, { clientId }: Session) {
  const isSame = next.addr === own.addr && (next.client_id || `torus-${next.name}`) === clientId;
  if (!isSame || next.username !== own.username) return undefined;
  return new Set(next.topics.map(({ topic }, i) => parseTopic(topic, `topics.${i}.topic`).filter));
}

/** Makes the broker drop the session: section 3.1.2.4. One that is away drops it by its own rules. */
async function endSession(own: MqttSettings, { clientId }: Session): Promise<void> {
  const broker = await connectBroker(own, { session: { clientId, clean: true } }).catch(() => undefined);
  await broker?.client.endAsync();
}

/** @throws TorusError `bucket_auth` where the broker refuses it, `bucket_unavailable` */
async function subscribeTo({ topic, pattern, qos }: Topic, broker: Broker): Promise<void> {
  const { client, upstream } = broker;
  const text = `refuses the subscription to ${topic}; check the rights of the user`;
  const refusal = upstreamError(upstream, "bucket_auth", text);
  const subscribing = whileConnected(broker, () => client.subscribeAsync(pattern.filter, { qos }));
  const granted = await subscribing.catch((error: unknown) => {
    throw client.connected ? refusal : error;
  });
  if (granted.some((grant) => Number(grant.qos) === REFUSED)) throw refusal;
}

/** Of several topics that match, the first one counts; undefined: none does, as after a change of the settings. */
function readMessage(
  { topic, payload, retain }: IPublishPacket,
  { topics, nowAt }: { readonly topics: readonly Topic[]; readonly nowAt: number },
): Reading | undefined {
  for (const { pattern, rules } of topics) {
    const captured = pattern.match(topic);
    if (!captured) continue;
    if (payload.length > MAX_PAYLOAD_BYTES) return { mistake: `has more than ${MAX_PAYLOAD_BYTES} bytes` };
    return readPayload({ payload: payload.toString(), captured, nowAt, isRetained: retain }, rules);
  }
  return undefined;
}
