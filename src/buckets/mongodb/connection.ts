// MongoDB connection by its own driver: loaded and connected on first use, every wait has a timeout.

import type { Collection, Document, MongoClient, MongoClientOptions } from "mongodb";
import { TorusError, throwIfAborted } from "../../core/errors.ts";
import { type Upstream, upstreamError } from "../../net/refusal.ts";
import { resolveHost } from "../../net/resolve.ts";
import { readTlsOptions } from "../../net/tls.ts";
import { DeadlineError, withDeadline } from "../../runtime/deadline.ts";
import { readTimeout } from "../shared/connection.ts";
import { type MongoSettings, readHosts } from "./settings.ts";

/** A stored document. */
export type { Document };

export interface Connection {
  readonly upstream: Upstream;
  /**
   * Runs `work` with the collection.
   * @throws TorusError `bucket_unavailable`, `bucket_auth`, `bucket_rejected`, the reason of `signal` when it is aborted
   */
  run<T>(
    work: (collection: Collection<Document>, client: MongoClient) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T>;
  close(): void;
}

const DEFAULT_TIMEOUT_MS = 30_000;
const CONNECTIONS = 4;

/** Creates a connection without connecting. @throws TorusError `invalid` for a malformed address */
export function createConnection(own: MongoSettings): Connection {
  const hosts = readHosts(own);
  const names = hosts.map(({ host, port }) => `${host}:${port}`).join(",");
  const secrets = [own.username ?? "", own.password ?? ""];
  const upstream = { label: `MongoDB at ${names}`, secrets };
  const timeoutMs = readTimeout(own.timeout) ?? DEFAULT_TIMEOUT_MS;
  let opened: Promise<MongoClient> | undefined;

  function drop(broken: Promise<MongoClient> | undefined): void {
    if (opened === broken) opened = undefined;
    broken?.then((client) => client.close()).catch(() => {});
  }

  async function open(): Promise<MongoClient> {
    for (const { host } of hosts) await resolveHost(host, upstream);
    const options = await toDriverOptions(own, { timeoutMs, single: hosts.length === 1 });
    const lookup = createLookup(upstream);
    const { MongoClient: Driver } = await import("mongodb");
    const client = new Driver(`mongodb://${names}/`, { ...options, lookup });
    return connect(client, hosts.length);
  }

  return {
    upstream,
    async run(work, signal) {
      throwIfAborted(signal);
      opened ??= open();
      const mine = opened;
      const run = async () => {
        const client = await mine;
        return work(client.db(own.database).collection(own.collection), client);
      };
      try {
        return await withDeadline(timeoutMs, run, { signal });
      } catch (error) {
        throwIfAborted(signal);
        const failure =
          error instanceof DeadlineError
            ? upstreamError(upstream, "bucket_unavailable", `no complete answer within ${timeoutMs / 1000} s`)
            : explainFailure(upstream, error);
        if (failure.code !== "bucket_rejected" && failure.code !== "invalid") drop(mine);
        throw failure;
      }
    },
    close: () => drop(opened),
  };
}

/** Fails once every server was unreachable once; the driver would retry until its timeout. */
async function connect(client: MongoClient, servers: number): Promise<MongoClient> {
  const failed = new Set<string>();
  const { promise: unreachable, reject } = Promise.withResolvers<never>();
  unreachable.catch(() => {});
  client.on("serverHeartbeatFailed", ({ connectionId, failure }) => {
    failed.add(connectionId);
    if (failed.size >= servers) reject(failure);
  });
  try {
    return await Promise.race([client.connect(), unreachable]);
  } catch (error) {
    client.close().catch(() => {});
    throw error;
  } finally {
    client.removeAllListeners("serverHeartbeatFailed");
  }
}

/** Resolves names for the driver, also those announced by a replica set; forbidden addresses are refused. */
function createLookup(upstream: Upstream): NonNullable<MongoClientOptions["lookup"]> {
  return (host, { all }, done) => {
    const answer = (found: readonly string[]) => {
      const addresses = found.map((text) => {
        const address = text.replace(/^\[|\]$/g, "");
        return { address, family: address.includes(":") ? 6 : 4 };
      });
      if (all) done(null, addresses);
      else done(null, addresses[0]!.address, addresses[0]!.family);
    };
    resolveHost(host, upstream).then(answer, (error) => done(error, ""));
  };
}

async function toDriverOptions(
  own: MongoSettings,
  { timeoutMs, single }: { readonly timeoutMs: number; readonly single: boolean },
): Promise<MongoClientOptions> {
  const tls = own.use_ssl ? await readTlsOptions(own) : undefined;
  return {
    appName: "torus",
    maxPoolSize: CONNECTIONS,
    serverSelectionTimeoutMS: timeoutMs,
    connectTimeoutMS: timeoutMs,
    socketTimeoutMS: timeoutMs,
    ...(own.replica_set ? { replicaSet: own.replica_set } : { directConnection: single }),
    ...(own.username && {
      auth: { username: own.username, password: own.password ?? "" },
      authSource: own.auth_source || "admin",
    }),
    ...(tls && {
      tls: true,
      tlsAllowInvalidCertificates: !tls.rejectUnauthorized,
      ...(tls.ca && { ca: tls.ca }),
      ...(tls.cert && { cert: tls.cert }),
      ...(tls.key && { key: tls.key }),
    }),
  };
}

/** Server codes: authentication failed, unauthorized. */
const authCodes: ReadonlySet<unknown> = new Set([13, 18, 8000]);

/** Distinguished by name, since the driver and its classes are loaded lazily. */
export function explainFailure(upstream: Upstream, error: unknown): TorusError {
  if (error instanceof TorusError) return error;
  const {
    name = "",
    code,
    message = "",
  } = (error ?? {}) as { name?: string; code?: unknown; message?: string };
  if (authCodes.has(code))
    return upstreamError(upstream, "bucket_auth", `refused the credentials: ${message}`);
  if (name === "MongoServerError" || name.endsWith("WriteError"))
    return upstreamError(upstream, "bucket_rejected", message);
  if (/^BSON|^MongoInvalidArgument/.test(name)) return upstreamError(upstream, "bucket_rejected", message);
  return upstreamError(
    upstream,
    "bucket_unavailable",
    "cannot be reached, or does not speak MongoDB; check addr and use_ssl",
  );
}
