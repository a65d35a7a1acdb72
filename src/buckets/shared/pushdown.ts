// Grid reads: metrics the store computes as src/metrics defines them are pushed down, all others reduced from raw points.
import { throwIfAborted } from "../../core/errors.ts";
import { type Columns, groupBySource, toGrid } from "../../core/series/columns.ts";
import { countIntervals, type Grid, type Range } from "../../core/series/grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { findReadStart, requireMetric } from "../../metrics/index.ts";
import type { Client } from "../../net/fetch.ts";
import { createYielder } from "../../runtime/steps.ts";
import { createSharedColumns } from "./per-series.ts";
import type { SampleStream, Yielder } from "./samples.ts";

/** A feature that the store computes, and the column for its values. */
export interface Pushed<P> {
  readonly feature: FeatureQuery;
  readonly pushdown: P;
  readonly column: Float64Array;
}

/** Raw points of one field over a range. */
export interface RawQuery {
  readonly feature: FeatureQuery;
  readonly range: Range;
  /** Each sample must name its series. */
  readonly withSeries: boolean;
  /** All series in one order of time; else those of a series may follow those of another. */
  readonly isMerged: boolean;
}

/** A store to read from; `P` is how it computes a metric. */
export interface GridSource<P> {
  /** Undefined where the store has no such metric, or defines it otherwise than src/metrics. */
  findPushdown(feature: FeatureQuery): P | undefined;
  /** Fills the columns, whose values are those of intervals without points. */
  readPushed(query: ReadQuery, pushed: readonly Pushed<P>[]): Promise<void>;
  /** The numbers of a field in order of time. */
  streamSamples(query: RawQuery): SampleStream;
}

/** Reads the grid. @throws what the source throws, and the reason of `signal` when it is aborted */
export async function readThrough<P>(
  source: GridSource<P>,
  query: ReadQuery,
  signal: AbortSignal,
): Promise<Grid> {
  throwIfAborted(signal);
  const length = countIntervals(query.range, query.intervalMs);
  const columns: Columns = new Map();
  const pushed: Pushed<P>[] = [];
  const raw: FeatureQuery[] = [];
  for (const feature of query.features) {
    const pushdown = source.findPushdown(feature);
    const empty = feature.query === undefined ? requireMetric(feature.metric).empty : Number.NaN;
    const column = new Float64Array(length).fill(empty);
    columns.set(feature.name, column);
    if (pushdown === undefined) raw.push(feature);
    else pushed.push({ feature, pushdown, column });
  }
  if (length > 0 && pushed.length > 0) await source.readPushed(query, pushed);
  if (length > 0) {
    const yieldNow = createYielder(signal);
    for (const features of groupBySource(raw))
      await reduceRaw(source, { query: { ...query, features }, yieldNow }, columns);
  }
  return toGrid(query, columns);
}

/** Computes the columns of features that share their points. */
async function reduceRaw<P>(
  source: GridSource<P>,
  { query, yieldNow }: { readonly query: ReadQuery; readonly yieldNow: Yielder },
  columns: Columns,
): Promise<void> {
  const shared = createSharedColumns(query);
  const { withSeries, withMerged: isMerged } = shared;
  const range = { fromAt: findReadStart(query), toAt: query.range.toAt };
  const [feature] = query.features;
  for await (const samples of source.streamSamples({ feature: feature!, range, withSeries, isMerged }))
    await shared.add(samples, yieldNow);
  shared.finish(columns);
}

/**
 * Index of the interval that begins at `startAt` (ms).
 * @throws TorusError `bucket_unavailable` for any other instant
 */
export function findSlot(
  client: Pick<Client, "refuse">,
  { range, intervalMs }: Pick<ReadQuery, "range" | "intervalMs">,
  startAt: number,
): number {
  const slot = (startAt - range.fromAt) / intervalMs;
  if (Number.isInteger(slot) && slot >= 0 && startAt < range.toAt) return slot;
  throw client.refuse("bucket_unavailable", "answered with an interval outside of the query");
}
