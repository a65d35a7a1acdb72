// Grid reads from CSV files: one pass over rows in order of time, a second pass where they are not.
import { TorusError } from "../../core/errors.ts";
import { toNumber } from "../../core/formats/csv-reader.ts";
import { type Columns, groupBySource, toGrid } from "../../core/series/columns.ts";
import { floorTo, type Grid } from "../../core/series/grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { findReadStart } from "../../metrics/index.ts";
import { createYielder } from "../../runtime/steps.ts";
import { createSharedColumns, type SharedColumns } from "../shared/per-series.ts";
import { seriesKeyOfRow } from "../shared/series-by.ts";
import type { Batch } from "./scan.ts";

/** Values of unordered rows held in memory at a time. */
const MAX_HELD = 2_000_000;

/** Features of the same cells with their columns. */
interface Target {
  readonly features: readonly FeatureQuery[];
  readonly source: FeatureQuery;
  readonly columns: SharedColumns;
  /** Start of the interval of the value before. */
  latest: number;
  /** False once a value lies in an interval that has ended; the columns are invalid then. */
  isInOrder: boolean;
}

/** The rows to read. */
export interface Rows {
  /** Starts a pass over them. */
  scan(): AsyncIterable<Batch>;
  /** Columns that identify a series within a file. */
  readonly seriesBy: readonly string[];
}

interface Pass {
  readonly rows: Rows;
  readonly query: ReadQuery;
  readonly signal: AbortSignal;
}

/** The measurements of the features; undefined where a feature names none, so that all files are read. */
export function namesOf({ features }: ReadQuery): ReadonlySet<string> | undefined {
  const names = features.map(({ measurement }) => measurement).filter((name) => name !== undefined);
  return names.length === features.length ? new Set(names) : undefined;
}

export async function readGrid(rows: Rows, query: ReadQuery, signal: AbortSignal): Promise<Grid> {
  const pass = { rows, query, signal };
  const targets = groupBySource(query.features).map((features) => makeTarget(features, query));
  await readInOrder(pass, targets);
  const columns: Columns = new Map();
  finish(
    targets.filter(({ isInOrder }) => isInOrder),
    columns,
  );
  const others = targets.filter(({ isInOrder }) => !isInOrder);
  finish(others.length > 0 ? await readSorted(pass, others) : [], columns);
  return toGrid(query, columns);
}

function makeTarget(features: readonly FeatureQuery[], query: ReadQuery): Target {
  return {
    features,
    source: features[0]!,
    columns: createSharedColumns({ ...query, features }),
    latest: Number.NEGATIVE_INFINITY,
    isInOrder: true,
  };
}

function finish(targets: readonly Target[], columns: Columns): void {
  for (const target of targets) target.columns.finish(columns);
}

/** Each target has its own order: a new file, or a new series, starts at its own beginning. */
async function readInOrder({ rows, query, signal }: Pass, targets: readonly Target[]): Promise<void> {
  const isInRange = rangeOf(query);
  const yieldNow = createYielder(signal);
  for await (const batch of rows.scan()) {
    for (const { at, cells } of batch.rows) {
      if (!isInRange(at)) continue;
      const interval = floorTo(at, query.intervalMs);
      for (const target of targets) {
        if (!target.isInOrder) continue;
        const value = findValue(target.source, batch, cells);
        if (value === undefined) continue;
        target.isInOrder = interval >= target.latest;
        target.latest = interval;
        if (target.isInOrder) target.columns.put(at, value, findSeries(target, batch, { cells, rows }));
      }
    }
    if (targets.every(({ isInOrder }) => !isInOrder)) return;
    await yieldNow();
  }
}

/** Holds the values of the targets and sorts them. @returns the targets anew */
async function readSorted({ rows, query, signal }: Pass, unsorted: readonly Target[]): Promise<Target[]> {
  const targets = unsorted.map(({ features }) => ({
    ...makeTarget(features, query),
    points: [] as { at: number; value: number; series: string }[],
  }));
  const isInRange = rangeOf(query);
  const yieldNow = createYielder(signal);
  let held = 0;
  for await (const batch of rows.scan()) {
    for (const { at, cells } of batch.rows) {
      if (!isInRange(at)) continue;
      for (const target of targets) {
        const value = findValue(target.source, batch, cells);
        if (value === undefined) continue;
        target.points.push({ at, value, series: findSeries(target, batch, { cells, rows }) });
        if (++held > MAX_HELD) throw tooMany();
      }
    }
    await yieldNow();
  }
  for (const { points, columns } of targets) {
    points.sort((a, b) => a.at - b.at);
    for (const { at, value, series } of points) columns.put(at, value, series);
  }
  return targets;
}

function tooMany(): TorusError {
  const way = "sort the rows by time, name one file as the measurement, or read a shorter range";
  return new TorusError("bucket_rejected", `more than ${MAX_HELD} values are out of order: ${way}`);
}

function rangeOf(query: ReadQuery): (at: number) => boolean {
  const fromAt = findReadStart(query);
  return (at) => at >= fromAt && at < query.range.toAt;
}

/** The series key of a row: its file and its `series_by` cells; empty where no metric needs it. */
function findSeries(
  { columns }: Target,
  batch: Batch,
  { cells, rows }: { readonly cells: readonly string[]; readonly rows: Rows },
): string {
  if (!columns.withSeries) return "";
  if (rows.seriesBy.length === 0) return batch.measurement;
  const tags = rows.seriesBy.map((name) => cells[batch.columns.get(name) ?? -1] ?? "");
  return seriesKeyOfRow([batch.measurement, ...tags]);
}

/** NaN for a text; undefined for an empty cell and for a row of other tags. */
function findValue(source: FeatureQuery, batch: Batch, cells: readonly string[]): number | undefined {
  const { measurement, field, tags } = source;
  if (measurement !== undefined && measurement !== batch.measurement) return undefined;
  const place = batch.columns.get(field);
  if (place === undefined) return undefined;
  for (const { tag, value } of tags) {
    const tagPlace = batch.columns.get(tag);
    if (tagPlace === undefined || cells[tagPlace] !== value) return undefined;
  }
  return toNumber(cells[place]!);
}
