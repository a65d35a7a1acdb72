// Connection to PostgreSQL with a drizzle handle of the tables of SQLite; it counts as lost when a statement hangs.
import { drizzle } from "drizzle-orm/sqlite-proxy";
import { TorusError } from "../../core/errors.ts";
import { listServers } from "../../core/input/database-address.ts";
import type { Db } from "../db/database.ts";

/** The server cancels statements after `statement_timeout`; later answers do not come. */
const DEADLINE_MS = 35_000;
const MAX_CONNECT_S = 5;
const session = {
  statement_timeout: "30s",
  idle_in_transaction_session_timeout: "5s",
  lock_timeout: "5s",
  timezone: "UTC",
};

/** The server of an address that was the primary last. */
const primaries = new Map<string, string>();

export class Connection {
  readonly db: Db;
  #isLost = false;

  private constructor(
    private readonly deadlineMs: number,
    private readonly client: Bun.SQL,
    /** The client alone would open another session unnoticed, in the middle of a transaction. */
    private readonly reserved: Bun.ReservedSQL,
    closed: Promise<void>,
  ) {
    void closed.then(() => {
      this.#isLost = true;
    });
    // The builders are those of SQLite; statements, codecs and results differ by what `query` translates.
    this.db = drizzle(async (text, params, method) => {
      const rows = await this.query(text, params);
      return { rows: method === "get" ? (rows[0] as unknown[]) : rows };
    }) as unknown as Db;
  }

  /**
   * Opens a connection to the primary of the servers of an address; the one that it was on last is tried first.
   * @param deadlineMs a statement without an answer for longer hangs
   * @throws TorusError `storage_unavailable` where only standbys answer, the driver's error where none does
   */
  static async open(url: string, schema: string, deadlineMs = DEADLINE_MS): Promise<Connection> {
    const servers = listServers(url);
    const last = servers.indexOf(primaries.get(url) ?? "");
    const ordered = last > 0 ? [servers[last]!, ...servers.toSpliced(last, 1)] : servers;
    let standby = false;
    let failure: unknown;
    for (const server of ordered) {
      const connection = await Connection.#connect(server, schema, deadlineMs).catch((error) => {
        failure = error;
      });
      if (!connection) continue;
      if (await connection.#isWritable()) {
        primaries.set(url, server);
        return connection;
      }
      standby = true;
      await connection.close();
    }
    throw standby ? readOnly(servers.length) : failure;
  }

  static async #connect(server: string, schema: string, deadlineMs: number): Promise<Connection> {
    const { promise: closed, resolve: onclose } = Promise.withResolvers<void>();
    const client = new Bun.SQL(server, {
      max: 1,
      bigint: true,
      idleTimeout: 0,
      connectionTimeout: Math.min(MAX_CONNECT_S, Math.ceil(deadlineMs / 1000)),
      connection: { ...session, search_path: `"${schema}"` },
      onclose: () => onclose(),
    });
    try {
      return new Connection(deadlineMs, client, await client.reserve(), closed);
    } catch (error) {
      await client.close({ timeout: 0 }).catch(() => {});
      throw error;
    }
  }

  /** False on a standby, and where writing is switched off. */
  async #isWritable(): Promise<boolean> {
    const [row] = await this.query("select current_setting('transaction_read_only')");
    return row?.[0] === "off";
  }

  /** Whether a statement hung or the connection broke: it must not be used again. */
  get isLost(): boolean {
    return this.#isLost;
  }

  /** Rows of a statement with `?` for parameters, as drizzle's dialect of SQLite writes it. */
  async query(text: string, params: readonly unknown[] = []): Promise<unknown[][]> {
    const statement = this.reserved.unsafe(translate(text), params.map(toParameter));
    const rows = (await this.#within(statement.values())) as unknown[][];
    for (const row of rows) for (let i = 0; i < row.length; i++) row[i] = toValue(row[i]);
    return [...rows];
  }

  /** Runs statements without parameters, several at once. */
  async run(text: string): Promise<void> {
    await this.#within(this.reserved.unsafe(text).simple());
  }

  /** Ends the connection; what waits on it fails. */
  async close(): Promise<void> {
    this.#isLost = true;
    await this.client.close({ timeout: 0 }).catch(() => {});
  }

  async #within<T>(work: PromiseLike<T>): Promise<T> {
    const { promise: deadline, reject } = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      reject(Object.assign(new Error("a statement hangs"), { code: "ETIMEDOUT" }));
      void this.close();
    }, this.deadlineMs);
    try {
      return await Promise.race([work, deadline]);
    } finally {
      clearTimeout(timer);
    }
  }
}

function readOnly(servers: number): TorusError {
  const message =
    servers > 1
      ? "no server of the database takes writes, though a standby answers: promote it"
      : "the database takes no writes (a standby): name the primary, or all servers as in host1:5432,host2:5432";
  return new TorusError("storage_unavailable", message);
}

const translated = new Map<string, string>();
/** Statements kept: those of lists of names differ by their length. */
const MAX_TRANSLATED = 2000;

/**
 * A statement of the dialect of SQLite in that of PostgreSQL: `?` are `$1`, `$2`, .., and the columns of a conflict have
 * no table before them. Texts and names in quotes stay.
 */
export function translate(text: string): string {
  const known = translated.get(text);
  if (known !== undefined) return known;
  let count = 0;
  const statement = text
    .replace(/'(?:[^']|'')*'|"(?:[^"]|"")*"|\?/g, (part) => (part === "?" ? `$${++count}` : part))
    .replace(
      / on conflict \(([^()]*)\)/g,
      (_, columns: string) => ` on conflict (${columns.replace(/"[^"]*"\./g, "")})`,
    );
  if (translated.size >= MAX_TRANSLATED) translated.clear();
  translated.set(text, statement);
  return statement;
}

/** PostgreSQL refuses NUL in a text. */
function toParameter(value: unknown): unknown {
  if (typeof value === "boolean") return Number(value);
  return typeof value === "string" && value.includes("\0") ? value.replaceAll("\0", "") : value;
}

function toValue(value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}
