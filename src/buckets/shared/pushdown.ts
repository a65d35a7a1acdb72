// Grid reads: metrics the store computes as src/metrics defines them are pushed down, all others reduced from raw points.
import { throwIfAborted } from "../../core/errors.ts";
import { type Columns, groupBySource, sourceKeyOf, toGrid } from "../../core/series/columns.ts";
import { countIntervals, type Grid, type Range } from "../../core/series/grid.ts";
import type { GroupedGrid } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, GroupedQuery, ReadQuery } from "../../core/series/query.ts";
import { findReadStart, requireMetric } from "../../metrics/index.ts";
import type { Client } from "../../net/fetch.ts";
import { createYielder } from "../../runtime/steps.ts";
import type { Bucket } from "../kind.ts";
import { createGroupReducer } from "./group-reducer.ts";
import { Groups } from "./groups.ts";
import { createSharedColumns } from "./per-series.ts";
import type { SampleStream, Yielder } from "./samples.ts";

/** A feature that the store computes, and the columns for its values. */
export interface Pushed<P> {
  readonly feature: FeatureQuery;
  readonly pushdown: P;
  /**
   * The column of a group that has a point of the feature, with the values of intervals without points at first.
   * @param group as `groupKeyOf`; `NO_GROUP` where the read is not grouped
   * @returns undefined for a group beyond the limit
   */
  columnOf(group: string): Float64Array | undefined;
}

/** Raw points of one field over a range. */
export interface RawQuery {
  readonly feature: FeatureQuery;
  readonly range: Range;
  /** Each sample must name its series. */
  readonly withSeries: boolean;
  /** All series in one order of time; else those of a series may follow those of another. */
  readonly isMerged: boolean;
  /** Tags by which the read is grouped: each sample must name its group, unless there are none. */
  readonly groupBy: readonly string[];
}

/** A store to read from; `P` is how it computes a metric. */
export interface GridSource<P> {
  /** Undefined where the store has no such metric, or defines it otherwise than src/metrics. */
  findPushdown(feature: FeatureQuery): P | undefined;
  /** Value of an interval without points; absent: that of the metric, NaN for a feature query. */
  emptyOf?(feature: FeatureQuery, pushdown: P): number;
  /** Fills the columns. @param query without `groupBy` where the read is not grouped */
  readPushed(query: GroupedQuery, pushed: readonly Pushed<P>[]): Promise<void>;
  /** The numbers of a field in order of time. */
  streamSamples(query: RawQuery): SampleStream;
}

/** Opens a store for one read. @param query without `groupBy` where the read is not grouped */
type OpenSource<P> = (query: GroupedQuery, signal: AbortSignal) => GridSource<P> | Promise<GridSource<P>>;

/** The reads of a bucket. Both throw what the source throws, and the reason of the signal when it is aborted. */
export function createReader<P>(open: OpenSource<P>): Required<Pick<Bucket, "read" | "readGrouped">> {
  return {
    async read(query, signal) {
      throwIfAborted(signal);
      return readGrid(await open({ ...query, ...ungrouped }, signal), query, signal);
    },
    async readGrouped(query, signal) {
      throwIfAborted(signal);
      return readGroups(await open(query, signal), query, signal);
    },
  };
}

const ungrouped = { groupBy: [], maxSeries: 1 } as const;

async function readGrid<P>(source: GridSource<P>, query: ReadQuery, signal: AbortSignal): Promise<Grid> {
  const length = countIntervals(query.range, query.intervalMs);
  const columns: Columns = new Map();
  const { known, raw } = splitFeatures(source, query.features);
  const pushed = known.map(({ feature, pushdown, empty }) => {
    const column = new Float64Array(length).fill(empty);
    columns.set(feature.name, column);
    return { feature, pushdown, columnOf: () => column };
  });
  for (const { name, metric } of raw)
    columns.set(name, new Float64Array(length).fill(requireMetric(metric).empty));
  if (length === 0) return toGrid(query, columns);
  if (pushed.length > 0) await source.readPushed({ ...query, ...ungrouped }, pushed);
  const yieldNow = createYielder(signal);
  for (const features of groupBySource(raw))
    await reduceRaw(source, { query: { ...query, features }, yieldNow }, columns);
  return toGrid(query, columns);
}

async function readGroups<P>(
  source: GridSource<P>,
  query: GroupedQuery,
  signal: AbortSignal,
): Promise<GroupedGrid> {
  const { known, raw } = splitFeatures(source, query.features);
  const empties = new Map(known.map(({ feature, empty }) => [feature.name, empty]));
  const groups = new Groups(query, ({ name, metric }) => empties.get(name) ?? requireMetric(metric).empty);
  if (countIntervals(query.range, query.intervalMs) === 0) return groups.finish();
  const pushed = known.map(({ feature, pushdown }) => ({
    ...{ feature, pushdown },
    columnOf: (key: string) => groups.columnOf(key, feature),
  }));
  if (pushed.length > 0) await source.readPushed(query, pushed);
  const yieldNow = createYielder(signal);
  for (const features of groupBySource(raw))
    await reduceGroups(source, { query: { ...query, features }, yieldNow }, groups);
  return groups.finish();
}

/** Groups pushed features of the same points, which the store reads together. */
export function groupPushed<P>(pushed: readonly Pushed<P>[]): Pushed<P>[][] {
  return [...Map.groupBy(pushed, ({ feature }) => sourceKeyOf(feature)).values()];
}

/** Splits features into those that the store computes, with the value of empty intervals, and all others. */
function splitFeatures<P>(source: GridSource<P>, features: readonly FeatureQuery[]) {
  const known: { readonly feature: FeatureQuery; readonly pushdown: P; readonly empty: number }[] = [];
  const raw: FeatureQuery[] = [];
  for (const feature of features) {
    const pushdown = source.findPushdown(feature);
    if (pushdown === undefined) raw.push(feature);
    else {
      const plain = feature.query === undefined ? requireMetric(feature.metric).empty : Number.NaN;
      known.push({ feature, pushdown, empty: source.emptyOf?.(feature, pushdown) ?? plain });
    }
  }
  return { known, raw };
}

interface RawRead {
  readonly query: ReadQuery;
  readonly yieldNow: Yielder;
}

/** Computes the columns of features that share their points. */
async function reduceRaw<P>(
  source: GridSource<P>,
  { query, yieldNow }: RawRead,
  columns: Columns,
): Promise<void> {
  const shared = createSharedColumns(query);
  const { withSeries, withMerged: isMerged } = shared;
  const range = { fromAt: findReadStart(query), toAt: query.range.toAt };
  const [feature] = query.features;
  const raw = { feature: feature!, range, withSeries, isMerged, groupBy: [] };
  for await (const samples of source.streamSamples(raw)) await shared.add(samples, yieldNow);
  shared.finish(columns);
}

/** As `reduceRaw`, per group. */
async function reduceGroups<P>(
  source: GridSource<P>,
  { query, yieldNow }: RawRead & { readonly query: GroupedQuery },
  groups: Groups,
): Promise<void> {
  const reducer = createGroupReducer(query, groups);
  const { features, groupBy } = query;
  const range = { fromAt: findReadStart(query), toAt: query.range.toAt };
  const [feature] = features;
  const stateful = features.filter(({ metric }) => requireMetric(metric).isStateful);
  const [withSeries, isMerged] = [stateful.length > 0, stateful.length < features.length];
  const raw = { feature: feature!, range, withSeries, isMerged, groupBy };
  for await (const samples of source.streamSamples(raw)) await reducer.add(samples, yieldNow);
  reducer.finish();
}

/** Rows of an answer to a grouped read, about 10 MB of JSON. */
const ROWS_PER_GROUPED_ANSWER = 100_000;

/**
 * Intervals per request, of which each may have a row per series.
 * @param rows per answer of a read without groups
 * @param statements whose rows share an answer
 */
export function intervalsPerAnswer(
  { groupBy, maxSeries }: GroupedQuery,
  rows: number,
  statements = 1,
): number {
  if (groupBy.length === 0) return rows;
  const grouped = Math.floor(ROWS_PER_GROUPED_ANSWER / (maxSeries * statements));
  return Math.max(1, Math.min(rows, grouped));
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
