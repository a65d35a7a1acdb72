// Builder of ClickHouse statements: quoted names, values as parameters.
import { invalid } from "../../core/errors.ts";
import type { Range } from "../../core/series/grid.ts";
import type { FeatureQuery } from "../../core/series/query.ts";

/** The table and its time column. */
export interface Table {
  readonly database: string;
  readonly table: string;
  readonly time: string;
  /** Columns that identify a series. */
  readonly seriesBy: readonly string[];
}

/** A statement and the values of its `{name:Type}` parameters. */
export interface Statement {
  readonly text: string;
  readonly parameters: Readonly<Record<string, string>>;
  /** Further parameters of the request. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Quotes a name. @throws TorusError `invalid` for NUL, which no name may hold */
export function quoteName(name: string): string {
  if (name.includes("\0")) throw invalid("", "ClickHouse has no way to write NUL in a name");
  return `\`${name.replace(/[\\`]/g, "\\$&")}\``;
}

/** Quotes the table name. @throws TorusError `invalid` for NUL in either name */
export function nameTable({ database, table }: Table): string {
  return `${quoteName(database)}.${quoteName(table)}`;
}

/** The time of a row in ms since the epoch. */
export function selectTime({ time }: Table): string {
  return `toUnixTimestamp64Milli(toDateTime64(${quoteName(time)}, 3))`;
}

/** Rows of a feature in a range. */
export interface Rows {
  readonly feature: FeatureQuery;
  readonly range: Range;
  /** The column holds numbers: rows that are not finite are excluded. */
  readonly isOfNumbers: boolean;
}

/** The field as a number that may not be finite. */
export function selectNumber({ field }: FeatureQuery): string {
  return `toFloat64(${quoteName(field)})`;
}

/** Instants that a DateTime64 holds in any of its precisions; compared with later ones, nanoseconds overflow. */
const EARLIEST = Date.UTC(1900, 0, 1);
const LATEST = Date.UTC(2262, 3, 11);

function clampInstant(at: number): number {
  return Math.min(Math.max(at, EARLIEST), LATEST);
}

/** A selection over the rows of a feature in a range, as far as its `ORDER BY`. */
export function selectRows(
  table: Table,
  { feature, range, isOfNumbers }: Rows,
  { columns, tail }: { readonly columns: readonly string[]; readonly tail: string },
): Statement {
  const time = quoteName(table.time);
  const conditions = [
    `${time} >= fromUnixTimestamp64Milli({from:Int64})`,
    `${time} < fromUnixTimestamp64Milli({to:Int64})`,
    `${quoteName(feature.field)} IS NOT NULL`,
    ...(isOfNumbers ? [`isFinite(${selectNumber(feature)})`] : []),
    ...feature.tags.map(({ tag }, i) => `toString(${quoteName(tag)}) = {tag${i}:String}`),
  ];
  return {
    text: `SELECT ${columns.join(", ")} FROM ${nameTable(table)} WHERE ${conditions.join(" AND ")} ${tail}`,
    parameters: {
      from: String(clampInstant(range.fromAt)),
      to: String(clampInstant(range.toAt)),
      ...Object.fromEntries(feature.tags.map(({ value }, i) => [`tag${i}`, value])),
    },
  };
}
