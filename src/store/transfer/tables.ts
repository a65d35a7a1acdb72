// Tables of the state in the order of their foreign keys, from the schema: a new table is copied without a line here.
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { getTableConfig, SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "../db/schema.ts";

export interface StateTable {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns of the primary key. */
  readonly key: readonly string[];
  /** The key, where rows without one are numbered by the database. */
  readonly serial?: string;
  /** SQL condition of the rows that belong to the state. */
  readonly where: string;
}

/** Rows of `meta` about one database: the server that holds it, work on its file that is left. */
const ofDatabase = ["cluster_name", "scrub_due"];

/** Every table; a referenced one precedes those that refer to it. */
export const stateTables: readonly StateTable[] = inOrder(
  Object.values(schema).filter((value) => is(value, SQLiteTable)),
).map(describe);

export const versionsTable: StateTable = stateTables.find(({ name }) => name === "versions")!;

function inOrder(tables: readonly SQLiteTable[]): SQLiteTable[] {
  const ordered = new Set<SQLiteTable>();
  const add = (table: SQLiteTable) => {
    for (const { reference } of getTableConfig(table).foreignKeys)
      add(reference().foreignTable as SQLiteTable);
    ordered.add(table);
  };
  for (const table of tables) add(table);
  return [...ordered];
}

function describe(table: SQLiteTable): StateTable {
  const columns = Object.values(getTableColumns(table));
  const name = getTableName(table);
  const single = columns.find(({ primary }) => primary);
  const key = single
    ? [single.name]
    : getTableConfig(table).primaryKeys[0]!.columns.map((column) => column.name);
  return {
    name,
    columns: columns.map((column) => column.name),
    key,
    ...(single?.columnType === "SQLiteInteger" && { serial: single.name }),
    where: name === "meta" ? `key not in (${ofDatabase.map((text) => `'${text}'`).join(", ")})` : "true",
  };
}

/** Names in quotes, as both engines read them. */
export function quote(names: readonly string[]): string {
  return names.map((name) => `"${name}"`).join(", ");
}
