// Reading a grid from InfluxDB: aggregates in slices of the range, raw points in pages, both of bounded size.
import { type Columns, groupBySource, sliceRange, toGrid } from "../../core/series/columns.ts";
import { countIntervals, type Grid } from "../../core/series/grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { findReadStart } from "../../metrics/index.ts";
import { createYielder } from "../../runtime/pacer.ts";
import { createSharedColumns } from "../shared/per-series.ts";
import { type Rows, readRows } from "./answer.ts";
import { findPushdown, type Pushdown } from "./pushdown.ts";
import { type Source, selectAggregate } from "./statement.ts";
import type { Store } from "./store.ts";
import { type Reader, ROWS_PER_STATEMENT, splitSeries, streamPoints, toSamples } from "./stream.ts";

/** Rows of one answer, all statements together: about 1 MB of JSON. */
const ROWS_PER_REQUEST = 20_000;

/** One feature that InfluxDB computes itself. */
interface Pushed {
  readonly feature: FeatureQuery;
  readonly pushdown: Pushdown;
  readonly column: Float64Array;
}

/** Reads the grid; `source` says where features without a measurement of their own look. */
export async function readGrid(
  store: Store,
  { query, source }: { readonly query: ReadQuery; readonly source: Source },
  signal: AbortSignal,
): Promise<Grid> {
  const columns: Columns = new Map();
  const length = countIntervals(query.range, query.intervalMs);
  const raw: FeatureQuery[] = [];
  const pushed: Pushed[] = [];
  for (const feature of query.features) {
    const pushdown = findPushdown(feature.metric);
    if (!pushdown) raw.push(feature);
    else pushed.push({ feature, pushdown, column: new Float64Array(length).fill(pushdown.empty) });
  }
  for (const { feature, column } of pushed) columns.set(feature.name, column);
  const reader = { store, source, signal, pace: createYielder(signal) };
  if (pushed.length > 0) await readPushed(reader, query, pushed);
  for (const features of groupBySource(raw)) await readRaw(reader, { ...query, features }, columns);
  return toGrid(query, columns);
}

async function readPushed(reader: Reader, query: ReadQuery, pushed: readonly Pushed[]): Promise<void> {
  const { store, source, signal } = reader;
  const { intervalMs } = query;
  const perSlice = Math.max(1, Math.min(ROWS_PER_STATEMENT, Math.floor(ROWS_PER_REQUEST / pushed.length)));
  for (const range of sliceRange(query.range, perSlice * intervalMs)) {
    const statements = pushed.map(({ feature, pushdown }) =>
      selectAggregate(feature, pushdown, { source, range, intervalMs }),
    );
    const answer = await store.queryAll(statements, signal);
    const results = readRows(store.client, answer, pushed.length);
    for (const [index, rows] of results.entries()) placeRows(reader, { query, rows }, pushed[index]!);
    await reader.pace();
  }
}

/** Rows go where their time says; how many there are and in which order means nothing. */
function placeRows(
  { store }: Reader,
  { query, rows }: { readonly query: ReadQuery; readonly rows: Rows },
  { pushdown, column }: Pushed,
): void {
  for (const [micros, value] of rows) {
    const index = (micros / 1000 - query.range.fromAt) / query.intervalMs;
    if (!Number.isInteger(index) || index < 0 || index >= column.length)
      throw store.client.refuse("bucket_unavailable", "answered with an interval that was not asked for");
    if (value !== null) column[index] = pushdown.convert(value);
  }
}

async function readRaw(reader: Reader, query: ReadQuery, columns: Columns): Promise<void> {
  const { range, intervalMs } = query;
  const shared = createSharedColumns(query);
  if (range.fromAt < range.toAt) {
    const { withPooled, withSeries: withTags } = shared;
    const span = { fromAt: findReadStart(query), toAt: range.toAt, intervalMs, withTags };
    for await (const page of streamPoints(reader, query.features[0]!, span)) {
      if (withPooled) await shared.addPooled(toSamples(page.rows), reader.pace);
      for (const [series, rows] of withTags ? splitSeries(page) : [])
        await shared.addSeries(series, toSamples(rows), reader.pace);
    }
  }
  shared.finish(columns);
}
