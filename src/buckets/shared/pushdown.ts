// Reading a grid where the store computes some metrics itself: those are pushed down, all others are reduced here.
import { throwIfAborted } from "../../core/abort.ts";
import { type Columns, groupBySource, toGrid } from "../../core/series/columns.ts";
import { countIntervals, type Grid, type Range } from "../../core/series/grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { findReadStart, requireMetric } from "../../metrics/index.ts";
import type { Client } from "../../net/fetch.ts";
import { createYielder } from "../../runtime/pacer.ts";
import { createSharedColumns } from "./per-series.ts";
import type { SampleStream } from "./samples.ts";

/** A feature the store computes, and the column its values go to. */
export interface Pushed<P> {
  readonly feature: FeatureQuery;
  readonly pushdown: P;
  readonly column: Float64Array;
}

/** What a store can be asked for; `P` is how it computes a metric. */
export interface GridSource<P> {
  /** Undefined where the store has no such metric, or means something else by it than src/metrics. */
  findPushdown(feature: FeatureQuery): P | undefined;
  /** Fills the columns, which hold what an interval without points is worth. */
  readPushed(query: ReadQuery, pushed: readonly Pushed<P>[]): Promise<void>;
  /** The numbers of a feature's field in order of time, all series together; `withSeries` asks for the series of each. */
  streamSamples(feature: FeatureQuery, range: Range, withSeries: boolean): SampleStream;
}

/** Reads the grid. @throws what the source throws, and what `signal` says when it is aborted */
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
    const pace = createYielder(signal);
    for (const features of groupBySource(raw))
      await reduce(source, { query: { ...query, features }, pace }, columns);
  }
  return toGrid(query, columns);
}

/** Computes the columns of features that share their points. */
async function reduce<P>(
  source: GridSource<P>,
  { query, pace }: { readonly query: ReadQuery; readonly pace: () => Promise<void> | undefined },
  columns: Columns,
): Promise<void> {
  const shared = createSharedColumns(query);
  const range = { fromAt: findReadStart(query), toAt: query.range.toAt };
  for await (const samples of source.streamSamples(query.features[0]!, range, shared.withSeries))
    await shared.add(samples, pace);
  shared.finish(columns);
}

/** Which interval begins at `startAt` (ms). @throws TorusError `bucket_unavailable` where none does */
export function findSlot(
  client: Pick<Client, "refuse">,
  { range, intervalMs }: Pick<ReadQuery, "range" | "intervalMs">,
  startAt: number,
): number {
  const slot = (startAt - range.fromAt) / intervalMs;
  if (Number.isInteger(slot) && slot >= 0 && startAt < range.toAt) return slot;
  throw client.refuse("bucket_unavailable", "answered with an interval that was not asked for");
}
