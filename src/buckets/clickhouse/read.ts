// Grid reads from ClickHouse: one grouped SELECT per source of features, in slices of the range.
import { sliceRange } from "../../core/series/columns.ts";
import { countIntervals, type Range } from "../../core/series/grid.ts";
import { groupKeyOf } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, GroupedQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import {
  findSlot,
  type GridSource,
  groupPushed,
  intervalsPerAnswer,
  type Pushed,
  type RawQuery,
} from "../shared/pushdown.ts";
import { assertNoQueries } from "../shared/query.ts";
import type { Samples } from "../shared/samples.ts";
import { assertColumns, seriesKeyOfRow } from "../shared/series-by.ts";
import { type SeriesPoint, streamWindows, toSamples } from "../shared/windows.ts";
import { quoteName, type Rows, selectNumber, selectRows, selectTime, type Table } from "./statement.ts";
import type { Row, Store } from "./store.ts";

const INTERVALS_PER_QUERY = 20_000;
const ROWS_PER_QUERY = 50_000;

/**
 * By canonical name of the metric, with `$n` in place of the column as a number. Its quantiles are of another kind,
 * and `argMin` takes any of several rows of one instant.
 */
const pushdowns: ReadonlyMap<string, string> = new Map([
  ["count", "count()"],
  ["sum", "sum($n)"],
  ["avg", "avg($n)"],
  ["min", "min($n)"],
  ["max", "max($n)"],
  ["spread", "max($n) - min($n)"],
  ["sum_of_squares", "sum(pow($n, 2))"],
  ["stddev", "stddevSampStable($n)"],
  ["variance", "varSampStable($n)"],
]);

/**
 * Opens a read. Aliases differ from column names, which ClickHouse would resolve first.
 * @throws TorusError `not_supported` for a feature query
 */
export async function openSource(
  { store, table }: Place,
  query: GroupedQuery,
  signal: AbortSignal,
): Promise<GridSource<string>> {
  assertNoQueries(query);
  const reader: Reader = { store, table, signal, columns: await store.readColumns(table, signal) };
  return {
    findPushdown: ({ metric }) => pushdowns.get(requireMetric(metric).name),
    readPushed: (query, pushed) => readPushed(reader, query, pushed),
    streamSamples: (raw) => streamSamples(reader, raw),
  };
}

/** What to read from. */
interface Place {
  readonly store: Store;
  readonly table: Table;
}

interface Reader extends Place {
  readonly columns: ReadonlyMap<string, string>;
  readonly signal: AbortSignal;
}

/** The name of a type without its wrappers: `Nullable(Float64)` is a `Float64`, an `Array(Float64)` stays one. */
function unwrap(type: string): string {
  return type.replace(/^(?:(?:LowCardinality|Nullable)\(|SimpleAggregateFunction\(\w+, )+/, "");
}

/** Whether a column of this type, as ClickHouse words it, holds numbers; no type, no column: false. */
export function isNumber(type: string | undefined): boolean {
  return /^(?:U?Int|Float|BFloat|Decimal)\d*/.test(unwrap(type ?? ""));
}

export function isBoolean(type: string): boolean {
  return unwrap(type).startsWith("Bool");
}

/** Whether the type is a text, so that the column may be a tag; lists, maps and tuples of texts are not. */
export function isText(type: string): boolean {
  return /^(?:String|FixedString|Enum|UUID|IPv)/.test(unwrap(type));
}

/** False where a column is missing, so that no row can match. */
function canMatch({ columns }: Reader, { field, tags }: FeatureQuery): boolean {
  return columns.has(field) && tags.every(({ tag }) => columns.has(tag));
}

/** Values of tags, "" for null and for a column that does not exist. */
function selectGroups({ columns }: Reader, groupBy: readonly string[]): string[] {
  return groupBy.map((tag, i) => {
    const value = columns.has(tag) ? `ifNull(toString(${quoteName(tag)}), '')` : "''";
    return `${value} AS ${nameGroup(i)}`;
  });
}

const nameGroup = (i: number) => `torus_group${i}`;

async function readPushed(
  reader: Reader,
  query: GroupedQuery,
  pushed: readonly Pushed<string>[],
): Promise<void> {
  for (const same of groupPushed(pushed)) {
    const { feature } = same[0]!;
    const isOfNumbers = isNumber(reader.columns.get(feature.field));
    const group = same.filter(({ pushdown }) => isOfNumbers || pushdown === "count()");
    if (group.length === 0 || !canMatch(reader, feature)) continue;
    const perSlice = intervalsPerAnswer(query, INTERVALS_PER_QUERY);
    for (const range of sliceRange(query.range, perSlice * query.intervalMs))
      await readSlice(reader, { query, range, isOfNumbers }, group);
  }
}

async function readSlice(
  reader: Reader,
  { query, range, isOfNumbers }: Pick<Rows, "range" | "isOfNumbers"> & { readonly query: GroupedQuery },
  group: readonly Pushed<string>[],
): Promise<void> {
  const { store, table, signal } = reader;
  const { groupBy, intervalMs } = query;
  const [{ feature }] = group as [Pushed<string>];
  const number = selectNumber(feature);
  const slot = `intDiv(${selectTime(table)} - {start:Int64}, {step:Int64}) AS torus_slot`;
  const values = group.map(
    ({ pushdown }, i) => `${pushdown.replaceAll("$n", () => number)} AS torus_value${i}`,
  );
  const columns = [slot, ...selectGroups(reader, groupBy), ...values];
  const { text, parameters } = selectRows(
    table,
    { feature, range, isOfNumbers },
    { columns, tail: groupRows(query, range) },
  );
  const grid = { start: String(range.fromAt), step: String(intervalMs) };
  const statement = { text, parameters: { ...parameters, ...grid } };
  for (const [index, ...found] of await store.query(statement, columns.length, signal)) {
    const at = findSlot(store.client, query, range.fromAt + Number(index) * intervalMs);
    const key = groupKeyOf(found.slice(0, groupBy.length));
    for (const [i, { columnOf }] of group.entries()) {
      const column = columnOf(key);
      if (column) column[at] = toNumber(found[groupBy.length + i]);
    }
  }
}

/** Groups the rows; of the first groups only, of which one more than wanted reveals that there are more. */
function groupRows({ groupBy, maxSeries, intervalMs }: GroupedQuery, range: Range): string {
  const keys = [...groupBy.map((_, i) => nameGroup(i)), "torus_slot"].join(", ");
  const limit = (maxSeries + 1) * countIntervals(range, intervalMs);
  return `GROUP BY ${keys} ORDER BY ${keys}${groupBy.length > 0 ? ` LIMIT ${limit}` : ""}`;
}

function toNumber(value: unknown): number {
  return value === null ? Number.NaN : Number(value);
}

/** The numbers of a column, page by page. */
async function* streamSamples(
  reader: Reader,
  { feature, range, withSeries, groupBy }: RawQuery,
): AsyncGenerator<Samples> {
  const { store, table, columns, signal } = reader;
  if (!isNumber(columns.get(feature.field)) || !canMatch(reader, feature)) return;
  const seriesBy = withSeries ? table.seriesBy : [];
  assertColumns(seriesBy, columns);
  const tags = seriesBy.map((name, i) => `toString(${quoteName(name)}) AS torus_series${i}`);
  const names = [...selectGroups(reader, groupBy), ...tags];
  yield* streamWindows({ range, limit: ROWS_PER_QUERY, client: store.client }, async (window) => {
    const statement = selectRows(
      table,
      { feature, range: window, isOfNumbers: true },
      {
        columns: [`${selectTime(table)} AS torus_at`, `${selectNumber(feature)} AS torus_value`, ...names],
        tail: `ORDER BY torus_at LIMIT ${ROWS_PER_QUERY + 1}`,
      },
    );
    const rows = await store.query(statement, 2 + names.length, signal);
    // One sample per row: the number of samples reveals a full page.
    return toSamples(rows.map((row) => toPoint(row, groupBy.length)));
  });
}

/** @param width number of tags of groups, which precede those of the series */
function toPoint([at, value, ...names]: Row, width: number): SeriesPoint {
  const group = width > 0 ? groupKeyOf(names.slice(0, width)) : undefined;
  return [Number(at), toNumber(value), seriesKeyOfRow(names.slice(width)), group];
}
