// Probing and exploring ClickHouse: version, numeric columns as fields, texts as tags, first and last row.
import type { NamePattern } from "../../core/input/name-pattern.ts";
import type { Exploration, ExploreOptions, ProbeResult } from "../kind.ts";
import { chooseFields, cut, toTagExploration, withoutMeasurement } from "../shared/choose.ts";
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
  const { tag, search, limits, skip = 0 } = options;
  if (tag !== undefined) {
    const page = { limit: limits.values + 1, skip, search };
    const isColumn = columns.some(([name]) => name === tag);
    const found = isColumn ? await listValues(source, { name: tag, ...page }, signal) : [];
    return toTagExploration({ tag }, cut(found, limits.values));
  }
  const numbers = columns.filter(([, type]) => isNumber(type) || isBoolean(type));
  const fields = chooseFields(
    numbers.map(([name, type]) => ({ measurement: null, name, type })),
    withoutMeasurement(options),
  );
  const texts = cut(
    columns.filter(([, type]) => isText(type)),
    limits.names,
  );
  let truncated = fields.truncated || texts.truncated;
  const tags: { name: string; values: readonly string[] }[] = [];
  for (const [name] of texts.chosen) {
    const found = cut(await listValues(source, { name, limit: limits.values + 1 }, signal), limits.values);
    truncated ||= found.truncated;
    tags.push({ name, values: found.chosen });
  }
  const measurement = {
    name: null,
    fields: fields.chosen.map(({ name, type }) => ({ name, type })),
    tags,
    ...(await readEnds(source, signal)),
  };
  return { measurements: [measurement], truncated };
}

interface ValuePage {
  readonly name: string;
  readonly limit: number;
  readonly skip?: number;
  readonly search?: NamePattern | undefined;
}

async function listValues(
  { store, table }: Source,
  { name, limit, skip = 0, search }: ValuePage,
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
