// Side of a transfer on PostgreSQL: one connection to a database that no server uses meanwhile.
import type { Connection } from "../postgres/connection.ts";
import { type Row, rowsLike, type Side } from "./side.ts";
import { quote, type StateTable, versionsTable } from "./tables.ts";

/** Of the first batch, whose rows tell how large the others may be. */
const FIRST_ROWS = 20;

export class PostgresSide implements Side {
  #isOpen = false;

  constructor(private readonly connection: Connection) {}

  async begin(): Promise<void> {
    await this.connection.run("begin isolation level serializable");
    this.#isOpen = true;
    // The other side may take longer than a request: reading, or writing to a slow disk.
    await this.connection.run("set local idle_in_transaction_session_timeout = 0");
  }

  async commit(): Promise<void> {
    await this.connection.run("commit");
    this.#isOpen = false;
  }

  async close(): Promise<void> {
    if (this.#isOpen) await this.connection.run("rollback").catch(() => {});
    await this.connection.close();
  }

  async count({ name, where }: StateTable): Promise<number> {
    return Number(await this.#get(`select count(*) from "${name}" where ${where}`));
  }

  read(table: StateTable): AsyncIterable<readonly Row[]> {
    const { name, columns, key, where } = table;
    const select = `select ${quote(columns)} from "${name}" where ${where} order by ${quote(key)}`;
    return this.#fetch({ name: `${name}_rows`, select, table });
  }

  async insert({ name, columns }: StateTable, rows: readonly Row[]): Promise<void> {
    const places = `(${columns.map(() => "?").join(", ")})`;
    const values = rows.map(() => places).join(", ");
    await this.connection.query(`insert into "${name}" (${quote(columns)}) values ${values}`, rows.flat());
  }

  async clear({ name, where }: StateTable): Promise<void> {
    await this.connection.query(`delete from "${name}" where ${where}`);
  }

  async readSerial({ name, serial }: StateTable): Promise<number> {
    const [row] = await this.connection.query("select pg_get_serial_sequence(?, ?)", [name, serial]);
    return Number(await this.#get(`select case when is_called then last_value else 0 end from ${row![0]}`));
  }

  async writeSerial({ name, serial }: StateTable, last: number): Promise<void> {
    if (last === 0) return;
    await this.connection.query("select setval(pg_get_serial_sequence(?, ?), ?)", [name, serial, last]);
  }

  checksums(): AsyncIterable<readonly Row[]> {
    const select =
      "select model, number, encode(sha256(weights), 'hex') from versions order by model, number";
    return this.#fetch({ name: "checksums", select, table: versionsTable });
  }

  async readMeta(key: string): Promise<string | undefined> {
    const [row] = await this.connection.query("select value from meta where key = ?", [key]);
    return row?.[0] as string | undefined;
  }

  /** Reads by a cursor. @param name of its own: the statements of a name are prepared once */
  async *#fetch({ name, select, table }: Fetch): AsyncIterable<readonly Row[]> {
    await this.connection.run(`declare ${name} no scroll cursor for ${select}`);
    let size = FIRST_ROWS;
    for (;;) {
      const rows = await this.connection.query(`fetch ${size} from ${name}`);
      if (rows.length > 0) yield rows;
      if (rows.length < size) break;
      size = rowsLike(rows, table);
    }
    await this.connection.run(`close ${name}`);
  }

  async #get(query: string): Promise<unknown> {
    return (await this.connection.query(query))[0]?.[0];
  }
}

interface Fetch {
  readonly name: string;
  readonly select: string;
  readonly table: StateTable;
}
