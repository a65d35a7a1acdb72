// Side of a transfer on SQLite: the file of a data directory, locked while it is open.
import type { SQLQueryBindings, Statement } from "bun:sqlite";
import { createHash } from "node:crypto";
import type { SqliteStore } from "../db/open.ts";
import { Batch, type Row, type Side } from "./side.ts";
import { quote, type StateTable, versionsTable } from "./tables.ts";

export class SqliteSide implements Side {
  readonly #inserts = new Map<StateTable, Statement>();

  constructor(private readonly store: SqliteStore) {}

  async begin(): Promise<void> {
    this.store.sqlite.run("begin immediate");
  }

  async commit(): Promise<void> {
    this.store.sqlite.run("commit");
  }

  async close(): Promise<void> {
    const { sqlite } = this.store;
    if (sqlite.inTransaction) sqlite.run("rollback");
    this.store.close();
  }

  async count({ name, where }: StateTable): Promise<number> {
    return this.#get(`select count(*) as value from ${name} where ${where}`) as number;
  }

  async *read(table: StateTable): AsyncIterable<readonly Row[]> {
    const { name, columns, key, where } = table;
    const batch = new Batch(table);
    const select = `select ${quote(columns)} from ${name} where ${where} order by ${quote(key)}`;
    for (const row of this.store.sqlite.query<Record<string, unknown>, []>(select).iterate())
      if (batch.add(columns.map((column) => row[column]))) yield batch.take();
    if (batch.rows.length > 0) yield batch.take();
  }

  async insert(table: StateTable, rows: readonly Row[]): Promise<void> {
    const { name, columns } = table;
    let statement = this.#inserts.get(table);
    if (!statement) {
      const places = columns.map(() => "?").join(", ");
      statement = this.store.sqlite.prepare(`insert into ${name} (${quote(columns)}) values (${places})`);
      this.#inserts.set(table, statement);
    }
    for (const row of rows) statement.run(...(row as SQLQueryBindings[]));
  }

  async clear({ name, where }: StateTable): Promise<void> {
    this.store.sqlite.run(`delete from ${name} where ${where}`);
  }

  async readSerial({ name, serial }: StateTable): Promise<number> {
    // Numbers of removed rows are not given again where the table counts them.
    const given = `select seq from sqlite_sequence where name = '${name}'`;
    return this.#get(
      `select max(coalesce((${given}), 0), coalesce(max("${serial}"), 0)) as value from ${name}`,
    ) as number;
  }

  async writeSerial({ name }: StateTable, last: number): Promise<void> {
    this.store.sqlite.query("delete from sqlite_sequence where name = ?").run(name);
    this.store.sqlite
      .query(
        "insert into sqlite_sequence (name, seq) select name, ? from sqlite_master where name = ? and sql like '%autoincrement%'",
      )
      .run(last, name);
  }

  async *checksums(): AsyncIterable<readonly Row[]> {
    const batch = new Batch(versionsTable);
    const select = "select model, number, weights from versions order by model, number";
    for (const { model, number, weights } of this.store.sqlite
      .query<{ model: string; number: number; weights: Uint8Array }, []>(select)
      .iterate())
      if (batch.add([model, number, createHash("sha256").update(weights).digest("hex")])) yield batch.take();
    if (batch.rows.length > 0) yield batch.take();
  }

  async readMeta(key: string): Promise<string | undefined> {
    return this.#get(`select value from meta where key = '${key}'`) as string | undefined;
  }

  #get(query: string): unknown {
    return this.store.sqlite.query<{ value: unknown }, []>(query).get()?.value;
  }
}
