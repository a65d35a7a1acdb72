// ClickHouse HTTP client: parametrised statements, answers in JSONCompact, inserts as JSON lines.
import { invalid } from "../../core/errors.ts";
import { isRecord } from "../../core/input/json.ts";
import { Client, type ClientOptions } from "../../net/fetch.ts";
import { garblerOf, parseJson } from "../shared/connection.ts";
import { readException } from "./exception.ts";
import { nameTable, type Statement, type Table } from "./statement.ts";

export type Row = readonly unknown[];

/**
 * Errors come as a status and not in the middle of an answer. No settings, as far as can be: a user who may only read
 * may not set any but those that are so already.
 */
const base = { wait_end_of_query: "1" };

const garbled = garblerOf("ClickHouse", readException);

/** A server, reached with each call. */
export class Store {
  readonly client: Client;

  constructor(options: ClientOptions) {
    this.client = new Client(options);
  }

  /** All rows of a statement, `width` values each. @throws TorusError `bucket_unavailable` for a malformed answer */
  async query({ text, parameters, more }: Statement, width: number, signal: AbortSignal): Promise<Row[]> {
    const given = Object.entries(parameters).map(([name, value]) => [`param_${name}`, escapeValue(value)]);
    const params = { ...base, ...more, ...Object.fromEntries(given) };
    const body = await this.#post(params, `${text} FORMAT JSONCompact`, signal);
    const answer = parseJson(body);
    // Rows before an exception are a part of the answer.
    const rows = isRecord(answer) && answer.exception === undefined ? answer.data : undefined;
    if (!Array.isArray(rows) || !rows.every((row) => Array.isArray(row) && row.length === width))
      throw garbled(this.client, body);
    return rows;
  }

  /** Types of the table's columns by name; empty where the table does not exist. */
  async readColumns({ database, table }: Table, signal: AbortSignal): Promise<Map<string, string>> {
    const text =
      "SELECT name, type FROM system.columns WHERE database = {database:String} AND table = {table:String}";
    const rows = await this.query({ text, parameters: { database, table } }, 2, signal);
    return new Map(rows.map(([name, type]) => [String(name), String(type)]));
  }

  /** Runs a statement without a result. */
  async command(text: string, signal: AbortSignal): Promise<void> {
    await this.#post(base, text, signal);
  }

  /** Inserts rows in one request. */
  async insert(table: Table, rows: readonly object[], signal: AbortSignal): Promise<void> {
    const params = {
      ...base,
      query: `INSERT INTO ${nameTable(table)} FORMAT JSONEachRow`,
      date_time_input_format: "best_effort",
      // By default ClickHouse drops fields without a column silently.
      input_format_skip_unknown_fields: "0",
    };
    await this.#post(params, rows.map((row) => JSON.stringify(row)).join("\n"), signal);
  }

  #post(params: Readonly<Record<string, string>>, body: string, signal: AbortSignal): Promise<string> {
    return this.client.send({ method: "POST", path: "/", params, body }, signal);
  }
}

const escapes: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

/** A value of a parameter is read as a field of tab-separated text. */
function escapeValue(value: string): string {
  if (value.includes("\0")) throw invalid("", "ClickHouse has no way to take NUL in a value");
  return value.replace(/[\\\t\n\r]/g, (letter) => escapes[letter]!);
}
