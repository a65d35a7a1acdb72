// Checks the JSON columns of the state database: `quick_check` looks at pages and indexes, not at what a row says.
import type { Database } from "bun:sqlite";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "./schema.ts";

/** Damaged rows that are named at most. */
const NAMED = 5;
/** Bulk that no start depends on: a damaged one fails its own job alone. */
const UNCHECKED = new Set(["jobs.input", "jobs.result"]);
/** Columns that name a row for people, where the table has them. */
const NAMING = ["model", "name", "hook", "id"];

/** @returns what is wrong, as `models.settings of name "cpu" (rowid 7)`; empty where every row can be read */
export function findDamagedRows(sqlite: Database): string[] {
  const found: string[] = [];
  for (const table of Object.values(schema)) {
    if (!is(table, SQLiteTable)) continue;
    const columns = Object.values(getTableColumns(table));
    const naming = columns.map(({ name }) => name).filter((name) => NAMING.includes(name));
    for (const { name, dataType } of columns) {
      const place = `${getTableName(table)}.${name}`;
      if (dataType === "json" && !UNCHECKED.has(place))
        found.push(...findInColumn(sqlite, { table: getTableName(table), column: name, naming }));
    }
  }
  return found.slice(0, NAMED);
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly naming: readonly string[];
}

function findInColumn(sqlite: Database, { table, column, naming }: Column): string[] {
  const rows = sqlite
    .query(
      `select rowid as row_id, ${naming.join(", ")} from ${table} where not json_valid(${column}) limit ${NAMED}`,
    )
    .all() as Record<string, unknown>[];
  return rows.map((row) => {
    const names = naming.map((name) => `${name} ${JSON.stringify(row[name])}`).join(", ");
    return `${table}.${column} of ${names} (rowid ${row.row_id})`;
  });
}
