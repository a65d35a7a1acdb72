// Probing and exploring ClickHouse: version, numeric columns as fields, texts as tags, first and last row.
import type { Exploration, ExploreOptions, ProbeResult } from "../kind.ts";
import { exploreTable, type ValuePage } from "../shared/table.ts";
import { isBoolean, isNumber, isText } from "./read.ts";
import { nameTable, quoteName, selectTime, type Table } from "./statement.ts";
import type { Store } from "./store.ts";

interface Source {
  readonly store: Store;
  readonly table: Table;
}

/** Reads the version and the newest row. */
export async function probeServer(source: Source, signal: AbortSignal): Promise<ProbeResult> {
  const [[version] = []] = await source.store.query(
    { text: "SELECT version() AS version", parameters: {} },
    1,
    signal,
  );
  const { lastAt } = await readEnds(source, signal);
  return { version: `ClickHouse ${version}`, newestAt: lastAt };
}

/** Lists numbers and booleans as fields, texts as tags; there are no measurements. */
export async function exploreServer(
  source: Source,
  options: ExploreOptions,
  signal: AbortSignal,
): Promise<Exploration> {
  const { store, table } = source;
  const columns = [...(await store.readColumns(table, signal))].filter(([name]) => name !== table.time);
  const numbers = columns.filter(([, type]) => isNumber(type) || isBoolean(type));
  return exploreTable(
    {
      readColumns: async () => ({
        fields: numbers.map(([name, type]) => ({ name, type })),
        texts: columns.filter(([, type]) => isText(type)).map(([name]) => name),
      }),
      listValues: async (name, page) =>
        columns.some(([column]) => column === name) ? listValues(source, { name, ...page }, signal) : [],
      readEnds: () => readEnds(source, signal),
    },
    options,
  );
}

async function listValues(
  { store, table }: Source,
  { name, limit, skip = 0, search }: ValuePage & { readonly name: string },
  signal: AbortSignal,
): Promise<string[]> {
  const column = quoteName(name);
  const like = search ? ` AND toString(${column}) ILIKE {like:String}` : "";
  const text =
    `SELECT toString(${column}) AS torus_value FROM ${nameTable(table)} ` +
    `WHERE ${column} IS NOT NULL${like} GROUP BY torus_value ORDER BY torus_value LIMIT ${limit} OFFSET ${skip}`;
  const parameters: Record<string, string> = search ? { like: search.like } : {};
  const rows = await store.query({ text, parameters }, 1, signal);
  return rows.map(([value]) => String(value));
}

async function readEnds(
  { store, table }: Source,
  signal: AbortSignal,
): Promise<{ firstAt: number | null; lastAt: number | null }> {
  const time = selectTime(table);
  const text = `SELECT count() AS torus_rows, min(${time}) AS torus_first, max(${time}) AS torus_last FROM ${nameTable(table)}`;
  const [[rows, first, last] = []] = await store.query({ text, parameters: {} }, 3, signal);
  const isEmpty = Number(rows ?? 0) === 0;
  return { firstAt: isEmpty ? null : Number(first), lastAt: isEmpty ? null : Number(last) };
}
