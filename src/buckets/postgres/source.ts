// FROM and WHERE of PostgreSQL statements: table or query, column types, conditions of a feature.
import { invalid } from "../../core/errors.ts";
import type { Range } from "../../core/series/grid.ts";
import type { FeatureQuery } from "../../core/series/query.ts";
import { assertColumns } from "../shared/series-by.ts";
import type { Session } from "./session.ts";
import { type PostgresSettings, timeUnits } from "./settings.ts";

/** Parameters of a statement, in the order of their `$` numbers. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Adds a value. @returns its placeholder with a cast */
  add(value: unknown, type: string): string {
    this.values.push(value);
    return `$${this.values.length}::${type}`;
  }
}

export type ColumnKind = "number" | "timestamp" | "boolean" | "text" | "other";

export interface Source {
  /** The FROM item, with the alias `source`. */
  readonly from: string;
  readonly columns: ReadonlyMap<string, { readonly kind: ColumnKind; readonly type: string | undefined }>;
  /** Expressions that identify the series of a row. @throws TorusError `invalid` where a column of `series_by` is missing */
  selectSeries(): string[];
  /** Expressions of the values of tags, "" for null and for a column that does not exist. */
  selectGroups(groupBy: readonly string[]): string[];
  readonly timeColumn: string;
  /** ms since the epoch as numeric. */
  readonly timeMs: string;
  /** Rows whose time lies in the range. */
  whereTime(range: Range, parameters: Parameters): string;
  /** Rows of the measurement and the tags; undefined where a column is missing, so that no row matches. */
  whereFeature(
    feature: Pick<FeatureQuery, "measurement" | "tags">,
    parameters: Parameters,
  ): string | undefined;
}

/** By object id. Integer types are distinguished, so that an index on them is used. */
const types: ReadonlyMap<number, readonly [ColumnKind, string]> = new Map([
  [16, ["boolean", "boolean"]],
  [20, ["number", "int8"]],
  [21, ["number", "int2"]],
  [23, ["number", "int4"]],
  [700, ["number", "float4"]],
  [701, ["number", "float8"]],
  [1700, ["number", "numeric"]],
  [25, ["text", "text"]],
  [1042, ["text", "bpchar"]],
  [1043, ["text", "varchar"]],
  [1082, ["timestamp", "date"]],
  [1114, ["timestamp", "timestamp"]],
  [1184, ["timestamp", "timestamptz"]],
]);

/** By object id of the type. */
export function kindOf(type: number): ColumnKind {
  return types.get(type)?.[0] ?? "other";
}

/** The time of a row in ms since the epoch, as numeric. @param column quoted */
export function selectTimeMs(
  column: string,
  kind: "timestamp" | "number",
  { time_unit = "s" }: Pick<PostgresSettings, "time_unit">,
): string {
  if (kind === "timestamp") return `(extract(epoch FROM ${column})::numeric * 1000)`;
  return `(${column}::numeric / ${timeUnits[time_unit]}::numeric)`;
}

/** Looks up the columns. @throws TorusError `invalid` for an invalid time column, `bucket_*` */
export async function openSource(session: Session, own: PostgresSettings): Promise<Source> {
  const from = nameSource(own);
  const described = await session.describe(from);
  const columns = new Map(
    described.map(({ name, type }) => [name, { kind: kindOf(type), type: types.get(type)?.[1] }]),
  );
  const time = columns.get(own.time_column);
  const timeColumn = `source.${quoteName(own.time_column)}`;
  if (time?.kind !== "timestamp" && time?.kind !== "number")
    throw invalid("time_column", "must be a column with timestamps, dates or numbers");
  const perMs = time.kind === "number" ? timeUnits[own.time_unit ?? "s"] : 1;
  return {
    from,
    columns,
    selectSeries: () => selectSeries(columns, own),
    selectGroups: (groupBy) =>
      groupBy.map((tag) => `coalesce(${columns.has(tag) ? `source.${quoteName(tag)}` : "NULL"}::text, '')`),
    timeColumn,
    timeMs: selectTimeMs(timeColumn, time.kind, own),
    whereTime({ fromAt, toAt }, parameters) {
      const bound = (at: number) =>
        time.kind === "timestamp"
          ? parameters.add(new Date(at).toISOString(), "text::timestamptz")
          : parameters.add(toUnit(at, perMs, time.type!), `text::${time.type}`);
      return `${timeColumn} >= ${bound(fromAt)} AND ${timeColumn} < ${bound(toAt)}`;
    },
    whereFeature({ measurement, tags }, parameters) {
      const pairs = tags.map(({ tag, value }) => [tag, value] as const);
      if (measurement !== undefined) pairs.push([requireMeasurementColumn(own), measurement]);
      if (pairs.some(([column]) => !columns.has(column))) return undefined;
      return pairs
        .map(([column, value]) => {
          const name = `source.${quoteName(column)}`;
          // Cast only where necessary: a cast prevents the use of an index.
          const text = columns.get(column)!.kind === "text" ? name : `${name}::text`;
          return ` AND ${text} = ${parameters.add(value, "text")}`;
        })
        .join("");
    },
  };
}

function selectSeries(
  columns: Source["columns"],
  { series_by = [], measurement_column }: PostgresSettings,
): string[] {
  assertColumns(series_by, columns);
  const hasMeasurements = measurement_column !== undefined && columns.has(measurement_column);
  return [...series_by, ...(hasMeasurements ? [measurement_column] : [])].map(
    (name) => `source.${quoteName(name)}::text`,
  );
}

/** A bound in the unit of the column, rounded up for integers. */
function toUnit(at: number, perMs: number, type: string): string {
  if (perMs >= 1) return String(BigInt(Math.round(at)) * BigInt(perMs));
  const value = at * perMs;
  return type.startsWith("int") ? String(Math.ceil(value)) : String(value);
}

/** @throws TorusError `invalid` where the bucket has no measurements */
export function requireMeasurementColumn({ measurement_column }: PostgresSettings): string {
  if (measurement_column !== undefined) return measurement_column;
  throw invalid("measurement", "has no column in this bucket: leave it out, or set measurement_column");
}

function nameSource(own: PostgresSettings): string {
  if (own.query !== undefined) return nameQuery(own.query);
  return `${nameTable(own)} AS source`;
}

/** A query as a FROM item; the line break ends a trailing comment. */
export function nameQuery(query: string): string {
  return `(${query.replace(/[;\s]+$/, "")}\n) AS source`;
}

/** The table with its schema, quoted. */
export function nameTable({ schema, table }: PostgresSettings): string {
  return [schema, table]
    .filter((name) => name !== undefined)
    .map(quoteName)
    .join(".");
}

/** `"name"`. @throws TorusError `invalid` for a name that PostgreSQL would truncate or cannot store */
export function quoteName(name: string): string {
  if (name !== "" && Buffer.byteLength(name) <= 63 && !name.includes("\0"))
    return `"${name.replaceAll('"', '""')}"`;
  throw invalid("", `PostgreSQL has no column ${JSON.stringify(name.slice(0, 64))}: 1 to 63 bytes, no NUL`);
}
