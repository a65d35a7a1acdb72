// PostgreSQL database: a small connection pool; transactions with a deadline per statement.
import { throwIfAborted } from "../../core/errors.ts";
import { isLiteral } from "../../net/address.ts";
import { type Upstream, upstreamError } from "../../net/refusal.ts";
import { resolveHost } from "../../net/resolve.ts";
import { readTlsOptions, type TlsSettings } from "../../net/tls.ts";
import { DeadlineError } from "../../runtime/deadline.ts";
import { watchProgress } from "./deadline.ts";
import { explainFailure } from "./failure.ts";
import type { CancelableSession, Column, Session } from "./session.ts";

export interface ConnectOptions {
  readonly host: string;
  readonly port: number;
  readonly database: string;
  readonly user: string;
  readonly password: string;
  readonly tls: TlsSettings;
  /** For one statement, and for connecting. */
  readonly timeoutMs: number;
}

const CONNECTIONS = 4;
const IDLE_S = 30;
/** Grace period of running statements when the pool is closed. */
const CLOSE_S = 5;
/** Connect timeout of the driver. */
const CONNECT_MS = 10_000;
/** Extra time after the server-side statement timeout before the client gives up. */
const GRACE_MS = 1000;

/** A database; the pool connects with the first transaction. */
export class Database {
  readonly upstream: Upstream;
  #pool: Promise<Bun.SQL> | undefined;

  constructor(private readonly options: ConnectOptions) {
    const { host, port, user, password } = options;
    // The default user name is not a secret, and it occurs in every message.
    const secrets = [user === "postgres" ? "" : user, password];
    this.upstream = { label: `PostgreSQL at ${host}:${port}`, secrets };
  }

  /**
   * Runs `work` in a transaction; a read transaction sees one snapshot.
   * @throws TorusError `bucket_unavailable`, `bucket_auth`, `bucket_rejected`, the reason of `signal` when it is aborted
   */
  async transact<T>(
    mode: "read" | "write",
    work: (session: Session) => Promise<T>,
    signal: AbortSignal,
  ): Promise<T> {
    throwIfAborted(signal);
    const { upstream } = this;
    const { timeoutMs } = this.options;
    const mine = this.#findPool();
    const watch = watchProgress(signal, timeoutMs + GRACE_MS);
    try {
      const running = mine.then((sql) => this.#begin(sql, mode, (session) => work(watch.follow(session))));
      running.catch(() => {});
      return await Promise.race([running, watch.ended]);
    } catch (error) {
      const isOver = error instanceof DeadlineError;
      const failure = isOver
        ? upstreamError(upstream, "bucket_unavailable", `no answer within ${timeoutMs / 1000} s`)
        : explainFailure(upstream, error);
      if (isOver || isBroken(error)) this.#drop(mine);
      throwIfAborted(signal);
      throw failure;
    } finally {
      watch.stop();
    }
  }

  close(): void {
    this.#drop(this.#pool);
  }

  /** The next transaction resolves the host and connects again; running ones may finish. */
  #drop(broken: Promise<Bun.SQL> | undefined): void {
    if (this.#pool === broken) this.#pool = undefined;
    broken?.then((sql) => sql.close({ timeout: CLOSE_S })).catch(() => {});
  }

  #findPool(): Promise<Bun.SQL> {
    if (this.#pool) return this.#pool;
    const opening = openPool(this.options, this.upstream);
    opening.catch(() => this.#drop(opening));
    this.#pool = opening;
    return opening;
  }

  async #begin<T>(sql: Bun.SQL, mode: "read" | "write", work: (session: CancelableSession) => Promise<T>) {
    const level = mode === "read" ? "isolation level repeatable read, read only" : "read write";
    return (await sql.begin(level, async (transaction) => {
      // Times without a zone are UTC, whatever the time zone of the server.
      await transaction.unsafe(
        `SET LOCAL TIME ZONE 'UTC'; SET LOCAL statement_timeout = ${Math.ceil(this.options.timeoutMs)}`,
      );
      const result = await work(createSession(transaction));
      // Up to version 15, read-only transactions can create large objects.
      if (mode === "read") await transaction.unsafe("ROLLBACK");
      return result;
    })) as T;
  }
}

/** True for errors of the connection, false for those of a statement. */
function isBroken(error: unknown): boolean {
  return String((error as { code?: unknown }).code).startsWith("ERR_POSTGRES_CONNECTION");
}

/** Connects to the address that was checked, by its number. */
async function openPool(options: ConnectOptions, upstream: Upstream): Promise<Bun.SQL> {
  const { host, port, database, user, password, tls, timeoutMs } = options;
  const [address] = await resolveHost(host, upstream);
  const secure = tls.use_ssl ? await readTlsOptions(tls) : undefined;
  return new Bun.SQL({
    ...{ hostname: address!.replace(/^\[|\]$/g, ""), port, database, username: user, password },
    ...{ max: CONNECTIONS, idleTimeout: IDLE_S, connectionTimeout: Math.min(timeoutMs, CONNECT_MS) / 1000 },
    // Prepared statements outlive a transaction, which breaks behind a transaction pooler.
    prepare: false,
    ...(secure && { tls: isLiteral(host) ? secure : { ...secure, serverName: host } }),
  });
}

function createSession(transaction: Bun.SQL): CancelableSession {
  let running: { cancel(): void } | undefined;
  const send = (statement: string, parameters: readonly unknown[]) => {
    const query = transaction.unsafe(statement, [...parameters]).values();
    running = query;
    return query;
  };
  return {
    run: async (statement, parameters = []) => [...(await send(statement, parameters))],
    async describe(from) {
      // Always with a parameter: the simple protocol would run several statements.
      const query = send(`SELECT * FROM ${from} LIMIT $1::int8`, ["0"]);
      const rows = (await query) as unknown as { columns?: readonly Column[] };
      return rows.columns ?? [];
    },
    cancel: () => running?.cancel(),
  };
}
