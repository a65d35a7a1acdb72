// What a ClickHouse says of a table: version, columns with numbers, columns with texts and their values, its ends.
import type { Exploration, ExploreLimits, Finding } from "../kind.ts";
import { isNumber } from "./read.ts";
import { nameTable, quoteName, selectTime, type Table } from "./statement.ts";
import type { Store } from "./store.ts";

interface Source {
  readonly store: Store;
  readonly table: Table;
}

/** Connects, and asks for the version and the newest row. */
export async function probeServer(source: Source, signal: AbortSignal): Promise<Finding> {
  const [[version] = []] = await source.store.query(
    { text: "SELECT version() AS version", parameters: {} },
    1,
    signal,
  );
  const { lastAt } = await readEnds(source, signal);
  return { version: `ClickHouse ${version}`, newestAt: lastAt };
}

/** Numbers and booleans are fields, texts are tags; there are no measurements. */
export async function exploreServer(
  source: Source,
  limits: ExploreLimits,
  signal: AbortSignal,
): Promise<Exploration> {
  const { store, table } = source;
  const columns = [...(await store.readColumns(table, signal))].filter(([name]) => name !== table.time);
  const fields = columns.filter(([, type]) => isNumber(type) || type.includes("Bool"));
  const texts = columns.filter(([, type]) => /String|Enum|UUID|IPv/.test(type));
  let truncated = fields.length > limits.names || texts.length > limits.names;
  const tags: { name: string; values: string[] }[] = [];
  for (const [name] of texts.slice(0, limits.names)) {
    const text =
      `SELECT toString(${quoteName(name)}) AS torus_value FROM ${nameTable(table)} ` +
      `WHERE ${quoteName(name)} IS NOT NULL GROUP BY torus_value ORDER BY torus_value LIMIT ${limits.values + 1}`;
    const rows = await store.query({ text, parameters: {} }, 1, signal);
    truncated ||= rows.length > limits.values;
    tags.push({ name, values: rows.slice(0, limits.values).map(([value]) => String(value)) });
  }
  const measurement = {
    name: null,
    fields: fields.slice(0, limits.names).map(([name, type]) => ({ name, type })),
    tags,
    ...(await readEnds(source, signal)),
  };
  return { measurements: [measurement], truncated };
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
