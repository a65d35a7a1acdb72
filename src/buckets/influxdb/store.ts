// One InfluxDB database over HTTP: statements through /query, lines through /write.
import { TorusError } from "../../core/errors.ts";
import { type Client, type ClientOptions, createClient } from "../../net/fetch.ts";
import { readResults } from "./answer.ts";
import { quoteName } from "./quote.ts";
import type { Source } from "./statement.ts";

export interface StoreOptions extends Source {
  readonly client: ClientOptions;
  readonly database: string;
  /** Whether `write` may create the database. */
  readonly createDatabase: boolean;
}

export interface Store {
  readonly client: Client;
  /** Runs a statement on the database. @returns the body of the answer, times in microseconds */
  query(statement: string, signal: AbortSignal): Promise<string>;
  /** Runs several statements in one request. @throws as `readResults` where one fails, with its own reason */
  queryAll(statements: readonly string[], signal: AbortSignal): Promise<string>;
  /**
   * Writes lines of the line protocol, times in ns. A missing database is created if allowed.
   * @throws TorusError `bucket_rejected` with the store's message, for a partial write too
   */
  write(lines: string, signal: AbortSignal): Promise<void>;
}

/** Prepares requests to the database; connects to nothing. */
export function createStore({
  client: options,
  database,
  createDatabase,
  retentionPolicy,
}: StoreOptions): Store {
  const client = createClient(options);
  const writeParams = { db: database, precision: "ns", ...(retentionPolicy && { rp: retentionPolicy }) };

  /** As POST: many statements exceed the length of a URL. */
  function query(statement: string, signal: AbortSignal): Promise<string> {
    const params = { db: database, epoch: "u" };
    return client.send(
      { method: "POST", path: "/query", params, body: new URLSearchParams({ q: statement }) },
      signal,
    );
  }

  /** InfluxDB 1.x may report a failed statement only as "not executed" of those after it. */
  async function queryAll(statements: readonly string[], signal: AbortSignal): Promise<string> {
    const answer = await query(statements.join(";"), signal);
    const failed = statements.length > 1 ? findUnexplained(answer) : undefined;
    if (failed !== undefined && failed < statements.length)
      readResults(client, await query(statements[failed]!, signal));
    return answer;
  }

  function send(lines: string, signal: AbortSignal): Promise<string> {
    const headers = { "Content-Type": "text/plain; charset=utf-8" };
    return client.send({ method: "POST", path: "/write", params: writeParams, headers, body: lines }, signal);
  }

  return {
    client,
    query,
    queryAll,
    async write(lines, signal) {
      try {
        await send(lines, signal);
      } catch (error) {
        if (!createDatabase || !isMissingDatabase(error)) throw toRejected(client, error);
        readResults(client, await query(`create database ${quoteName(database)}`, signal));
        await send(lines, signal).catch((again) => {
          throw toRejected(client, again);
        });
      }
    },
  };
}

/** Index of the statement that failed without a reason; the answer ends there. */
function findUnexplained(answer: string): number | undefined {
  const [, place] = /"statement_id":(\d+),"error":"not executed"\}\]\}\s*$/.exec(answer.slice(-200)) ?? [];
  return place === undefined ? undefined : Number(place);
}

/** Detected by a failed write, so that users without the right to create databases can write. */
function isMissingDatabase(error: unknown): boolean {
  return (
    error instanceof TorusError && error.details.upstream_status === 404 && /database/i.test(error.message)
  );
}

/** InfluxDB 1.x answers 500 for a retention policy that does not exist, which a retry cannot fix. */
function toRejected(client: Client, error: unknown): unknown {
  if (!(error instanceof TorusError) || !error.message.includes("retention policy not found")) return error;
  return client.refuse(
    "bucket_rejected",
    "the retention policy does not exist; create it or change retention_policy",
  );
}
