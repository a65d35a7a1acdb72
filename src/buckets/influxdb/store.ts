// One InfluxDB database over HTTP: statements through /query, lines through /write.
import { TorusError } from "../../core/errors.ts";
import { Client, type ClientOptions } from "../../net/fetch.ts";
import { readResults } from "./answer.ts";
import { quoteName } from "./quote.ts";
import type { Source } from "./statement.ts";

interface StoreOptions extends Source {
  readonly client: ClientOptions;
  readonly database: string;
  /** Whether `write` may create the database. */
  readonly createDatabase: boolean;
}

/** A database, reached with each call. */
export class Store {
  readonly client: Client;

  constructor(private readonly options: StoreOptions) {
    this.client = new Client(options.client);
  }

  /** Runs a statement on the database. @returns the body of the answer, times in microseconds */
  query(statement: string, signal: AbortSignal): Promise<string> {
    const params = { db: this.options.database, epoch: "u" };
    // As POST: many statements exceed the length of a URL.
    const body = new URLSearchParams({ q: statement });
    return this.client.send({ method: "POST", path: "/query", params, body }, signal);
  }

  /** Runs several statements in one request. @throws as `readResults` where one fails, with its own reason */
  async queryAll(statements: readonly string[], signal: AbortSignal): Promise<string> {
    const answer = await this.query(statements.join(";"), signal);
    // InfluxDB 1.x may report a failed statement only as "not executed" of those after it.
    const failed = statements.length > 1 ? findUnexplained(answer) : undefined;
    if (failed !== undefined && failed < statements.length)
      readResults(this.client, await this.query(statements[failed]!, signal));
    return answer;
  }

  /**
   * Writes lines of the line protocol, times in ns. A missing database is created if allowed.
   * @throws TorusError `bucket_rejected` with the store's message, for a partial write too
   */
  async write(lines: string, signal: AbortSignal): Promise<void> {
    const { createDatabase, database } = this.options;
    try {
      await this.#send(lines, signal);
    } catch (error) {
      if (!createDatabase || !isMissingDatabase(error)) throw toRejected(this.client, error);
      readResults(this.client, await this.query(`create database ${quoteName(database)}`, signal));
      await this.#send(lines, signal).catch((again) => {
        throw toRejected(this.client, again);
      });
    }
  }

  #send(lines: string, signal: AbortSignal): Promise<string> {
    const { database, retentionPolicy } = this.options;
    const params = { db: database, precision: "ns", ...(retentionPolicy && { rp: retentionPolicy }) };
    const headers = { "Content-Type": "text/plain; charset=utf-8" };
    return this.client.send({ method: "POST", path: "/write", params, headers, body: lines }, signal);
  }
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
