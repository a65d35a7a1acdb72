// Checks that JSON columns hold valid JSON, which `PRAGMA quick_check` does not.
import type { Database } from "bun:sqlite";
import { getTableColumns, getTableName, is } from "drizzle-orm";
import { SQLiteTable } from "drizzle-orm/sqlite-core";
import * as schema from "./schema.ts";

/** Damaged rows in the message. */
const MAX_NAMED_ROWS = 5;
/** Not needed at the start: a damaged one fails its job only. */
const UNCHECKED_COLUMNS = new Set(["jobs.input", "jobs.result"]);
/** Columns that identify a row in the message, where the table has them. */
const NAMING_COLUMNS = ["model", "name", "hook", "id", "key", "bin", "place"];

/** @returns findings such as `models.settings of name "cpu" (rowid 7)`; empty where all rows are valid */
export function findDamagedRows(sqlite: Database): string[] {
  const found: string[] = [];
  for (const table of Object.values(schema)) {
    if (!is(table, SQLiteTable)) continue;
    const columns = Object.values(getTableColumns(table));
    const naming = columns.map(({ name }) => name).filter((name) => NAMING_COLUMNS.includes(name));
    for (const { name, dataType } of columns) {
      const place = `${getTableName(table)}.${name}`;
      if (dataType === "json" && !UNCHECKED_COLUMNS.has(place))
        found.push(...findInColumn(sqlite, { table: getTableName(table), column: name, naming }));
    }
  }
  return found.slice(0, MAX_NAMED_ROWS);
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly naming: readonly string[];
}

function findInColumn(sqlite: Database, { table, column, naming }: Column): string[] {
  const rows = sqlite
    .query(
      `select rowid as row_id, ${naming.join(", ")} from ${table} where not json_valid(${column}) limit ${MAX_NAMED_ROWS}`,
    )
    .all() as Record<string, unknown>[];
  return rows.map((row) => {
    const names = naming.map((name) => `${name} ${JSON.stringify(row[name])}`).join(", ");
    return `${table}.${column} of ${names} (rowid ${row.row_id})`;
  });
}
