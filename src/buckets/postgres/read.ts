// Reading a grid from PostgreSQL: aggregates per interval in slices of the range, raw rows by a cursor.
import { type Columns, groupBySource, sliceRange, toGrid } from "../../core/series/columns.ts";
import { countIntervals, type Grid } from "../../core/series/grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { findReadStart, requireMetric } from "../../metrics/index.ts";
import { createYielder } from "../../runtime/pacer.ts";
import { createSharedColumns } from "../shared/per-series.ts";
import type { Samples } from "../shared/samples.ts";
import { nameRow } from "../shared/series-by.ts";
import { findPushdown, type Pushdown, whereFinite } from "./pushdown.ts";
import type { Row, Session } from "./session.ts";
import { Parameters, quoteName, type Source } from "./source.ts";

const INTERVALS_PER_QUERY = 50_000;
const ROWS_PER_FETCH = 10_000;

/** What every part of one read needs. */
interface Reader {
  readonly session: Session;
  readonly source: Source;
  readonly pace: () => Promise<void> | undefined;
}

/** One feature that PostgreSQL computes itself. */
interface Pushed {
  readonly feature: FeatureQuery;
  readonly pushdown: Pushdown;
  readonly column: Float64Array;
}

/** Reads the grid within one transaction. A column that is not there, or holds no numbers, has no values. */
export async function readGrid(
  { session, source }: Omit<Reader, "pace">,
  query: ReadQuery,
  signal: AbortSignal,
): Promise<Grid> {
  const length = countIntervals(query.range, query.intervalMs);
  const columns: Columns = new Map();
  const pushed: Pushed[] = [];
  const raw: FeatureQuery[] = [];
  for (const feature of query.features) {
    const metric = requireMetric(feature.metric);
    const kind = source.columns.get(feature.field)?.kind;
    const column = new Float64Array(length).fill(metric.empty);
    columns.set(feature.name, column);
    if (kind === undefined || (kind !== "number" && metric.counts === "numbers")) continue;
    const pushdown = findPushdown(feature.metric, `source.${quoteName(feature.field)}`, kind);
    if (pushdown) pushed.push({ feature, pushdown, column });
    else raw.push(feature);
  }
  const reader = { session, source, pace: createYielder(signal) };
  if (length > 0) {
    for (const group of groupByRows(pushed)) await readPushed(reader, query, group);
    for (const features of groupBySource(raw)) await readRaw(reader, { ...query, features }, columns);
  }
  return toGrid(query, columns);
}

/** Columns of the same rows are aggregated together. */
function groupByRows(pushed: readonly Pushed[]): Pushed[][] {
  const keyOf = ({ feature: { measurement, tags } }: Pushed) => JSON.stringify([measurement ?? null, tags]);
  return [...Map.groupBy(pushed, keyOf).values()];
}

async function readPushed(reader: Reader, query: ReadQuery, pushed: readonly Pushed[]): Promise<void> {
  const { session, source } = reader;
  for (const slice of sliceRange(query.range, INTERVALS_PER_QUERY * query.intervalMs)) {
    const parameters = new Parameters();
    const startAt = parameters.add(String(query.range.fromAt), "text::numeric");
    const intervalMs = parameters.add(String(query.intervalMs), "text::numeric");
    const where = source.whereFeature(pushed[0]!.feature, parameters);
    if (where === undefined) return;
    const values = pushed.map(({ pushdown }) => `(${pushdown.expression})::float8`).join(", ");
    const statement = `SELECT floor((${source.timeMs} - ${startAt}) / ${intervalMs})::float8, ${values}
      FROM ${source.from} WHERE ${source.whereTime(slice, parameters)}${where} GROUP BY 1`;
    placeRows(await session.run(statement, parameters.values), pushed);
    await reader.pace();
  }
}

function placeRows(rows: readonly Row[], pushed: readonly Pushed[]): void {
  for (const [index, ...values] of rows) {
    for (const [i, { column }] of pushed.entries()) {
      const value = values[i];
      if (typeof value === "number" && Number.isFinite(value)) column[index as number] = value;
    }
  }
}

async function readRaw(reader: Reader, query: ReadQuery, columns: Columns): Promise<void> {
  const { session, source, pace } = reader;
  const shared = createSharedColumns(query);
  const parameters = new Parameters();
  const [first] = query.features;
  const where = source.whereFeature(first!, parameters);
  if (where === undefined) return;
  const value = `source.${quoteName(first!.field)}::float8`;
  const selected = [`(${source.timeMs})::float8`, value, ...(shared.withSeries ? source.selectSeries() : [])];
  const range = { fromAt: findReadStart(query), toAt: query.range.toAt };
  await session.run(
    `DECLARE points NO SCROLL CURSOR FOR SELECT ${selected.join(", ")}
     FROM ${source.from} WHERE ${source.whereTime(range, parameters)}${where} AND ${whereFinite(value)}
     ORDER BY ${source.timeColumn}`,
    parameters.values,
  );
  for (;;) {
    const rows = await session.run(`FETCH ${ROWS_PER_FETCH} FROM points`);
    await shared.add(toSamples(rows, shared.withSeries), pace);
    if (rows.length < ROWS_PER_FETCH) break;
  }
  await session.run("CLOSE points");
  shared.finish(columns);
}

/** Rows of time, value and, behind them, what tells the series. */
function toSamples(rows: readonly Row[], withSeries: boolean): Samples {
  return {
    times: Float64Array.from(rows, ([at]) => at as number),
    values: Float64Array.from(rows, ([, number]) => number as number),
    ...(withSeries && { series: rows.map((row) => nameRow(row.slice(2))) }),
  };
}
