// Points to grid: the fallback for every metric a data source cannot compute itself.
import { countIntervals, emptyGrid, type Grid } from "../../core/series/grid.ts";
import type { FeatureQuery, FieldValue, Point, ReadQuery } from "../../core/series/query.ts";
import { requireMetric } from "../../metrics/index.ts";
import { createYielder } from "../../runtime/pacer.ts";
import { type Column, createColumn } from "./column.ts";

/** Values of one field, interval by interval; NaN stands for a value that is not a number (only `count` sees it). */
export interface Samples {
  /** ms since the epoch. */
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** The series of each value, told by any text; absent: they are of one. */
  readonly series?: readonly string[];
}

/** Values between two looks at the clock. */
export const STEP = 4096;

export type SampleStream = Iterable<Samples> | AsyncIterable<Samples>;

/**
 * Reduces one stream per feature to a grid. Points must come interval by interval (order within an interval
 * is free); points outside of the range are skipped, and all are taken for one series. Memory: one interval's points
 * and one chunk.
 * @throws TorusError `bucket_rejected` when a stream goes back in time; what `signal` and the streams throw
 */
export async function aggregateStreams(
  query: ReadQuery,
  openStream: (feature: FeatureQuery) => SampleStream,
  signal: AbortSignal,
): Promise<Grid> {
  const pace = createYielder(signal);
  const grid = emptyGrid(query.range, query.intervalMs, []);
  const columns: Record<string, Float64Array> = {};
  for (const feature of query.features) {
    const column = createColumn(query, requireMetric(feature.metric));
    for await (const samples of openStream(feature)) await addSamples([column], samples, pace);
    columns[feature.name] = column.finish();
  }
  return { ...grid, columns };
}

/** Adds samples to columns of the same field; pauses where `pace` asks for it. */
export async function addSamples(
  columns: readonly Column[],
  { times, values }: Samples,
  pace: () => Promise<void> | undefined,
): Promise<void> {
  for (let from = 0; from < times.length; from += STEP) {
    const to = Math.min(from + STEP, times.length);
    for (const column of columns) for (let i = from; i < to; i++) column.add(times[i]!, values[i]!);
    await pace();
  }
  await pace();
}

/**
 * Reduces points to a grid, all features in one pass. An array may be in any order; a stream must be sorted by
 * time. The points are those of one measurement: which one is the caller's choice, `feature.measurement` is ignored.
 * Metrics that look back take them for one series.
 * @throws TorusError `bucket_rejected` when a stream goes back in time; what `signal` and the stream throw
 */
export async function aggregatePoints(
  query: ReadQuery,
  points: readonly Point[] | AsyncIterable<Point>,
  signal: AbortSignal,
): Promise<Grid> {
  const pace = createYielder(signal);
  const columns = query.features.map((feature) => createColumn(query, requireMetric(feature.metric)));
  let seen = 0;
  for await (const point of Array.isArray(points) ? sortPoints(points) : points) {
    for (const [index, feature] of query.features.entries()) {
      const value = valueFor(feature, point);
      if (value !== null) columns[index]!.add(point.at, typeof value === "number" ? value : Number.NaN);
    }
    if (++seen % 1024 === 0) await pace();
  }
  pace();
  const { fromAt: startAt } = query.range;
  return {
    startAt,
    intervalMs: query.intervalMs,
    length: countIntervals(query.range, query.intervalMs),
    columns: Object.fromEntries(query.features.map(({ name }, index) => [name, columns[index]!.finish()])),
  };
}

function sortPoints(points: readonly Point[]): readonly Point[] {
  return points.every((point, i) => i === 0 || points[i - 1]!.at <= point.at)
    ? points
    : points.toSorted((a, b) => a.at - b.at);
}

/** The feature's value in a point, null where the point has none or does not carry the tags. */
function valueFor(feature: FeatureQuery, { fields, tags }: Point): FieldValue {
  for (const { tag, value } of feature.tags) {
    if (!Object.hasOwn(tags, tag) || tags[tag] !== value) return null;
  }
  return Object.hasOwn(fields, feature.field) ? fields[feature.field]! : null;
}
