// Grid reads from ClickHouse: one grouped SELECT per source of features, in slices of the range.
import { groupBySource, sliceRange } from "../../core/series/columns.ts";
import type { Grid, Range } from "../../core/series/grid.ts";
import { NO_GROUP } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import { findSlot, type Pushed, readThrough } from "../shared/pushdown.ts";
import type { Samples } from "../shared/samples.ts";
import { assertColumns, seriesKeyOfRow } from "../shared/series-by.ts";
import { streamWindows, toSamples } from "../shared/windows.ts";
import { quoteName, type Rows, selectNumber, selectRows, selectTime, type Table } from "./statement.ts";
import type { Store } from "./store.ts";

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

/** Reads the grid. Aliases differ from column names, which ClickHouse would resolve first. */
export async function readGrid(
  { store, table }: { readonly store: Store; readonly table: Table },
  query: ReadQuery,
  signal: AbortSignal,
): Promise<Grid> {
  const reader: Reader = { store, table, signal, columns: await store.readColumns(table, signal) };
  return readThrough(
    {
      findPushdown: ({ metric }) => pushdowns.get(requireMetric(metric).name),
      readPushed: (whole, pushed) => readPushed(reader, whole, pushed),
      streamSamples: ({ feature, range, withSeries }) =>
        streamSamples(reader, feature, { range, seriesBy: withSeries ? table.seriesBy : [] }),
    },
    query,
    signal,
  );
}

interface Reader {
  readonly store: Store;
  readonly table: Table;
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

async function readPushed(
  reader: Reader,
  query: ReadQuery,
  pushed: readonly Pushed<string>[],
): Promise<void> {
  const byName = new Map(pushed.map((one) => [one.feature.name, one]));
  for (const features of groupBySource(pushed.map(({ feature }) => feature))) {
    const [feature] = features as [FeatureQuery];
    const isOfNumbers = isNumber(reader.columns.get(feature.field));
    const group = features
      .map(({ name }) => byName.get(name)!)
      .filter(({ pushdown }) => isOfNumbers || pushdown === "count()");
    if (group.length === 0 || !canMatch(reader, feature)) continue;
    for (const range of sliceRange(query.range, INTERVALS_PER_QUERY * query.intervalMs))
      await readSlice(reader, { query, range, isOfNumbers }, group);
  }
}

async function readSlice(
  { store, table, signal }: Reader,
  { query, range, isOfNumbers }: Pick<Rows, "range" | "isOfNumbers"> & { readonly query: ReadQuery },
  group: readonly Pushed<string>[],
): Promise<void> {
  const [{ feature }] = group as [Pushed<string>];
  const number = selectNumber(feature);
  const slot = `intDiv(${selectTime(table)} - {start:Int64}, {step:Int64}) AS torus_slot`;
  const values = group.map(
    ({ pushdown }, i) => `${pushdown.replaceAll("$n", () => number)} AS torus_value${i}`,
  );
  const { text, parameters } = selectRows(
    table,
    { feature, range, isOfNumbers },
    { columns: [slot, ...values], tail: "GROUP BY torus_slot ORDER BY torus_slot" },
  );
  const grid = { start: String(range.fromAt), step: String(query.intervalMs) };
  const statement = { text, parameters: { ...parameters, ...grid } };
  for (const [index, ...found] of await store.query(statement, group.length + 1, signal)) {
    const startAt = range.fromAt + Number(index) * query.intervalMs;
    const at = findSlot(store.client, query, startAt);
    for (const [i, { columnOf }] of group.entries()) columnOf(NO_GROUP)![at] = toNumber(found[i]);
  }
}

function toNumber(value: unknown): number {
  return value === null ? Number.NaN : Number(value);
}

/** The numbers of a column, page by page. */
async function* streamSamples(
  reader: Reader,
  feature: FeatureQuery,
  { range, seriesBy }: { readonly range: Range; readonly seriesBy: readonly string[] },
): AsyncGenerator<Samples> {
  const { store, table, columns, signal } = reader;
  if (!isNumber(columns.get(feature.field)) || !canMatch(reader, feature)) return;
  assertColumns(seriesBy, columns);
  const tags = seriesBy.map((name, i) => `toString(${quoteName(name)}) AS torus_series${i}`);
  yield* streamWindows({ range, limit: ROWS_PER_QUERY, client: store.client }, async (window) => {
    const statement = selectRows(
      table,
      { feature, range: window, isOfNumbers: true },
      {
        columns: [`${selectTime(table)} AS torus_at`, `${selectNumber(feature)} AS torus_value`, ...tags],
        tail: `ORDER BY torus_at LIMIT ${ROWS_PER_QUERY + 1}`,
      },
    );
    const rows = await store.query(statement, 2 + tags.length, signal);
    // One sample per row: the number of samples reveals a full page.
    return toSamples(
      rows.map(([at, value, ...found]) => [Number(at), toNumber(value), seriesKeyOfRow(found)] as const),
    );
  });
}
