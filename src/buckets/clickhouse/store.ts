// ClickHouse HTTP client: parametrised statements, answers in JSONCompact, inserts as JSON lines.
import { invalid } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import { type Client, type ClientOptions, createClient } from "../../net/fetch.ts";
import { parseJson } from "../shared/connection.ts";
import { nameTable, type Statement, type Table } from "./statement.ts";

export type Row = readonly unknown[];

export interface Store {
  readonly client: Client;
  /** All rows of a statement, `width` values each. @throws TorusError `bucket_unavailable` for a malformed answer */
  query(statement: Statement, width: number, signal: AbortSignal): Promise<readonly Row[]>;
  /** Types of the table's columns by name; empty where the table does not exist. */
  readColumns(table: Table, signal: AbortSignal): Promise<Map<string, string>>;
  /** Runs a statement without a result. */
  command(text: string, signal: AbortSignal): Promise<void>;
  /** Inserts rows in one request. */
  insert(table: Table, rows: readonly object[], signal: AbortSignal): Promise<void>;
}

/**
 * Errors come as a status and not in the middle of an answer. No settings, as far as can be: a user who may only read
 * may not set any but those that are so already.
 */
const base = { wait_end_of_query: "1" };

/** Creates the store without connecting. */
export function createStore(options: ClientOptions): Store {
  const client = createClient(options);

  async function query(
    { text, parameters, more }: Statement,
    width: number,
    signal: AbortSignal,
  ): Promise<Row[]> {
    const given = Object.entries(parameters).map(([name, value]) => [`param_${name}`, escapeValue(value)]);
    const params = { ...base, ...more, ...Object.fromEntries(given) };
    const body = `${text} FORMAT JSONCompact`;
    const answer = parseJson(await client.send({ method: "POST", path: "/", params, body }, signal));
    const rows = isRecord(answer) ? answer.data : undefined;
    if (!Array.isArray(rows) || !rows.every((row) => Array.isArray(row) && row.length === width))
      throw client.refuse(
        "bucket_unavailable",
        "sent something that is no complete answer of ClickHouse; check the address",
      );
    return rows;
  }

  return {
    client,
    query,
    async readColumns({ database, table }, signal) {
      const text =
        "SELECT name, type FROM system.columns WHERE database = {database:String} AND table = {table:String}";
      const rows = await query({ text, parameters: { database, table } }, 2, signal);
      return new Map(rows.map(([name, type]) => [String(name), String(type)]));
    },
    async command(text, signal) {
      await client.send({ method: "POST", path: "/", params: base, body: text }, signal);
    },
    async insert(table, rows, signal) {
      const params = {
        ...base,
        query: `INSERT INTO ${nameTable(table)} FORMAT JSONEachRow`,
        date_time_input_format: "best_effort",
        // By default ClickHouse drops fields without a column silently.
        input_format_skip_unknown_fields: "0",
      };
      const body = rows.map((row) => JSON.stringify(row)).join("\n");
      await client.send({ method: "POST", path: "/", params, body }, signal);
    },
  };
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** A value of a parameter is read as a field of tab-separated text. */
function escapeValue(value: string): string {
  if (value.includes("\0")) throw invalid("", "ClickHouse has no way to take NUL in a value");
  return value.replace(/[\\\t\n\r]/g, (letter) => escapes[letter]!);
}
