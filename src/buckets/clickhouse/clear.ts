// Clearing a ClickHouse bucket: truncates the table; refuses engines that keep no rows of their own.
import { throwIfAborted } from "../../core/errors.ts";
import { nameTable, type Table } from "./statement.ts";
import type { Store } from "./store.ts";

/** Engines without rows of their own: some accept TRUNCATE and delete nothing. */
const withoutRows: ReadonlySet<string> = new Set([
  "Distributed",
  "Merge",
  "View",
  "MaterializedView TO",
  "Dictionary",
]);

/**
 * Truncates the table; a missing table is fine.
 * @throws TorusError `bucket_rejected` where the table shows the rows of others, or may not be emptied
 */
export async function clearTable(
  { store, table }: { readonly store: Store; readonly table: Table },
  signal: AbortSignal,
): Promise<void> {
  throwIfAborted(signal);
  const engine = await readEngine(store, table, signal);
  if (engine === undefined) return;
  if (withoutRows.has(engine))
    throw store.client.refuse(
      "bucket_rejected",
      `cannot be cleared: its table is of engine ${engine} and shows rows of other tables; clear those`,
    );
  await store.command(`TRUNCATE TABLE ${nameTable(table)}`, signal);
}

async function readEngine(
  store: Store,
  { database, table }: Table,
  signal: AbortSignal,
): Promise<string | undefined> {
  // A materialized view `TO` a table has no rows either; one without keeps a table of its own.
  const text =
    "SELECT if(engine = 'MaterializedView' AND create_table_query LIKE '% TO %', 'MaterializedView TO', engine) " +
    "FROM system.tables WHERE database = {database:String} AND name = {table:String}";
  const [[engine] = []] = await store.query({ text, parameters: { database, table } }, 1, signal);
  return engine === undefined ? undefined : String(engine);
}
