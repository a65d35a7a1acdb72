// Collection of what a write has sent: values in columns, by the ids of their fields.
import type { Point } from "../../core/series/query.ts";
import type { SampleBatch, SeriesName } from "../../core/series/samples.ts";
import type { Catalog, Series } from "../catalog.ts";
import { PointBatch, type PointColumns } from "../head/batch.ts";
import type { Target, Unstored } from "./target.ts";

/** What a write sends. */
export type Sent = readonly Point[] | SampleBatch;

export function isSamples(sent: Sent): sent is SampleBatch {
  return !Array.isArray(sent);
}

/** The points of a write in columns, and those that are not stored. */
export interface Collected extends Unstored {
  readonly points: PointColumns;
}

/** Collects the values of points. A series exists once it has one. */
export function collectPoints(
  sent: readonly Point[],
  catalog: Catalog,
  { measurement, cutoffAt, maxSeries = Infinity }: Target,
): Collected {
  const points = new PointBatch(sent.length);
  let [expired, refused] = [0, 0];
  for (const { at, fields, tags, special } of sent) {
    if (!(at >= cutoffAt)) {
      expired++;
      continue;
    }
    let series: Series | undefined;
    for (const field in fields) {
      const value = fields[field]!;
      if (value === null || (typeof value === "number" && !Number.isFinite(value) && !special)) continue;
      series ??= catalog.findSeries(measurement, tags, maxSeries);
      const id = series && catalog.findField(series, field, maxSeries);
      if (id === undefined) refused++;
      else if (special === "stale") points.addStale(id, at);
      else points.add(id, at, value);
    }
  }
  return { points, expired, refused };
}

/** Collects samples; most senders put those of one series together. */
export function collectSamples(
  { series, times, values, stale }: SampleBatch,
  catalog: Catalog,
  { measurement, cutoffAt, maxSeries = Infinity }: Target,
): Collected {
  const points = new PointBatch(times.length);
  let [expired, refused] = [0, 0];
  let last: SeriesName | undefined;
  let id: number | undefined;
  for (let i = 0; i < times.length; i++) {
    const at = times[i]!;
    if (!(at >= cutoffAt)) {
      expired++;
      continue;
    }
    if (series[i] !== last) {
      last = series[i]!;
      id = catalog.findSampled(measurement, last, maxSeries);
    }
    if (id === undefined) refused++;
    else if (stale.has(i)) points.addStale(id, at);
    else points.add(id, at, values[i]!);
  }
  return { points, expired, refused };
}
