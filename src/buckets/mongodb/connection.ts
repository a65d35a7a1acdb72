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

const DEFAULT_TIMEOUT_MS = 30_000;
const CONNECTIONS = 4;

/** A collection; the driver connects with the first call. */
export class Connection {
  readonly upstream: Upstream;
  readonly #hosts: ReturnType<typeof readHosts>;
  readonly #names: string;
  readonly #timeoutMs: number;
  #opened: Promise<MongoClient> | undefined;

  /** @throws TorusError `invalid` for a malformed address */
  constructor(private readonly own: MongoSettings) {
    this.#hosts = readHosts(own);
    this.#names = this.#hosts.map(({ host, port }) => `${host}:${port}`).join(",");
    const secrets = [own.username ?? "", own.password ?? ""];
    this.upstream = { label: `MongoDB at ${this.#names}`, secrets };
    this.#timeoutMs = readTimeout(own.timeout) ?? DEFAULT_TIMEOUT_MS;
  }

  /**
   * Runs `work` with the collection.
   * @throws TorusError `bucket_unavailable`, `bucket_auth`, `bucket_rejected`, the reason of `signal` when it is aborted
   */
  async run<T>(
    work: (collection: Collection<Document>, client: MongoClient) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    throwIfAborted(signal);
    this.#opened ??= this.#open();
    const mine = this.#opened;
    const { database, collection } = this.own;
    const run = async () => {
      const client = await mine;
      return work(client.db(database).collection(collection), client);
    };
    try {
      return await withDeadline(this.#timeoutMs, run, { signal });
    } catch (error) {
      throwIfAborted(signal);
      const late = `no complete answer within ${this.#timeoutMs / 1000} s`;
      const failure =
        error instanceof DeadlineError
          ? upstreamError(this.upstream, "bucket_unavailable", late)
          : explainFailure(this.upstream, error);
      if (failure.code !== "bucket_rejected" && failure.code !== "invalid") this.#drop(mine);
      throw failure;
    }
  }

  close(): void {
    this.#drop(this.#opened);
  }

  #drop(broken: Promise<MongoClient> | undefined): void {
    if (this.#opened === broken) this.#opened = undefined;
    broken?.then((client) => client.close()).catch(() => {});
  }

  async #open(): Promise<MongoClient> {
    for (const { host } of this.#hosts) await resolveHost(host, this.upstream);
    const single = this.#hosts.length === 1;
    const options = await toDriverOptions(this.own, { timeoutMs: this.#timeoutMs, single });
    const lookup = createLookup(this.upstream);
    const { MongoClient: Driver } = await import("mongodb");
    const client = new Driver(`mongodb://${this.#names}/`, { ...options, lookup });
    return connect(client, this.#hosts.length);
  }
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
