// Connections to MQTT brokers, version 3.1.1; the library is loaded with the first one.
// Protocol: https://docs.oasis-open.org/mqtt/mqtt/v3.1.1/mqtt-v3.1.1.html
import type { IClientOptions, IPublishPacket, MqttClient } from "mqtt";
import type { TorusError } from "../../core/errors.ts";
import { isLiteral, parseAddress, withoutZone } from "../address.ts";
import { codeOf, connectionError, type Upstream, upstreamError } from "../refusal.ts";
import { type ResolveOptions, resolveHost } from "../resolve.ts";
import { readTlsOptions } from "../tls.ts";
import type { BrokerSettings } from "./settings.ts";

const [PORT, TLS_PORT] = [1883, 8883];
const CONNECT_MS = 10_000;
const KEEP_ALIVE_S = 30;
/** Return codes of refusals: section 3.2.2.3. */
const refusedCredentials = new Set([4, 5]);
const UNAVAILABLE = 3;

export interface Broker {
  readonly client: MqttClient;
  readonly upstream: Upstream;
  /** Resolves at the end of the connection. */
  readonly closed: Promise<void>;
}

export interface ConnectOptions extends ResolveOptions {
  /** Session, last will. */
  readonly session: Pick<IClientOptions, "clean" | "clientId" | "will">;
  /** A message is acknowledged when the promise resolves; the next one waits for it. */
  readonly onMessage?: (packet: IPublishPacket) => Promise<void>;
  /** Ends the attempt. */
  readonly signal?: AbortSignal;
}

/**
 * Connects once; the connection is not repeated.
 * @throws TorusError `bucket_unavailable`, `bucket_auth`, `bucket_rejected`, `forbidden`, `invalid` (a file of TLS)
 */
export async function connectBroker(
  settings: BrokerSettings,
  { session, onMessage = async () => {}, signal, ...resolving }: ConnectOptions,
): Promise<Broker> {
  const { host, port, tls, upstream } = await placeOf(settings);
  const [address] = await resolveHost(host, upstream, resolving);
  const { default: mqtt } = await import("mqtt");
  const client = mqtt.connect({
    ...session,
    ...(tls && { ...tls, ...(!isLiteral(host) && { servername: host }) }),
    protocol: tls ? "mqtts" : "mqtt",
    host: withoutZone(address!),
    port,
    protocolVersion: 4,
    keepalive: KEEP_ALIVE_S,
    connectTimeout: CONNECT_MS,
    reconnectPeriod: 0,
    // Messages are published again by those who wait for them.
    queueQoSZero: false,
    ...(settings.username && { username: settings.username, password: settings.password ?? "" }),
  });
  client.handleMessage = (packet, callback) => void onMessage(packet).then(() => callback(), callback);
  const abort = () => void client.end(true);
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted) abort();
  return awaitConnection(client, upstream).finally(() => signal?.removeEventListener("abort", abort));
}

async function placeOf(settings: BrokerSettings) {
  const { host, port } = parseAddress(settings.addr);
  const tls = settings.use_ssl ? await readTlsOptions({ verify_ssl: true, ...settings }) : undefined;
  const place = { host, port: port ?? (tls ? TLS_PORT : PORT) };
  const secrets = [settings.username, settings.password].filter((text) => text !== undefined && text !== "");
  const upstream: Upstream = { label: `MQTT at ${host}:${place.port}`, secrets: secrets as string[] };
  return { ...place, tls, upstream };
}

async function awaitConnection(client: MqttClient, upstream: Upstream): Promise<Broker> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const { promise: closed, resolve: onClose } = Promise.withResolvers<void>();
  client.once("connect", () => resolve());
  client.on("error", reject);
  client.once("close", () => {
    reject(closedBy(upstream));
    onClose();
  });
  try {
    await promise;
    return { client, upstream, closed };
  } catch (error) {
    client.end(true);
    throw explain(error, upstream);
  }
}

/**
 * The outcome of work on a connection, or a rejection at its end: the client would wait for another connection.
 * @throws TorusError `bucket_unavailable`, or the error of the work
 */
export function whileConnected<T>(
  { client, closed, upstream }: Broker,
  work: (client: MqttClient) => Promise<T>,
): Promise<T> {
  const lost = closed.then(() => {
    throw closedBy(upstream);
  });
  const done = work(client).catch((error: unknown) => {
    throw client.connected ? error : closedBy(upstream);
  });
  return Promise.race([done, lost]);
}

/** The error of a connection that the broker ended. */
export function closedBy(upstream: Upstream): TorusError {
  return upstreamError(upstream, "bucket_unavailable", "closed the connection");
}

function explain(error: unknown, upstream: Upstream): unknown {
  const { code, message } = error as { readonly code?: unknown; readonly message?: unknown };
  if (typeof code === "number" && refusedCredentials.has(code))
    return upstreamError(upstream, "bucket_auth", "refused the credentials; check username and password");
  if (code === UNAVAILABLE)
    return upstreamError(upstream, "bucket_unavailable", "says that it is unavailable");
  if (typeof code === "number")
    return upstreamError(upstream, "bucket_rejected", `refused the connection (return code ${code})`);
  if (message === "connack timeout")
    return upstreamError(upstream, "bucket_unavailable", "did not answer; does it speak MQTT on this port?");
  return codeOf(error).startsWith("bucket_") ? error : connectionError(upstream, error);
}
