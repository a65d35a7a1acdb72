// Condition on the shard of a row, a generated column that PostgreSQL alone has.
import { type SQL, sql } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import { SHARDS } from "../../core/ownership.ts";

/** Whether a row is in one of the shards. @param shards undefined: of a single server; no condition, as for all shards */
export function inShards(table: SQLiteTable, shards: readonly number[] | undefined): SQL | undefined {
  if (!shards || shards.length === SHARDS) return undefined;
  return sql`${table}.shard = any(string_to_array(${shards.join(",")}, ',')::smallint[])`;
}
