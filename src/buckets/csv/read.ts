// Reading a grid from CSV files: one pass where the rows come in order of time, a second one where they do not.
import { TorusError } from "../../core/errors.ts";
import { toNumber } from "../../core/formats/csv-reader.ts";
import { type Columns, groupBySource, toGrid } from "../../core/series/columns.ts";
import { floorTo, type Grid } from "../../core/series/grid.ts";
import type { FeatureQuery, ReadQuery } from "../../core/series/query.ts";
import { findReadStart } from "../../metrics/index.ts";
import { createYielder } from "../../runtime/pacer.ts";
import { createSharedColumns, type SharedColumns } from "../shared/per-series.ts";
import { nameRow } from "../shared/series-by.ts";
import type { Batch } from "./scan.ts";

/** Values of rows out of order that may be held in memory at a time. */
const MAX_HELD = 2_000_000;

/** Features of the same cells, and where their values go. */
interface Target {
  readonly features: readonly FeatureQuery[];
  readonly source: FeatureQuery;
  readonly columns: SharedColumns;
  /** Start of the interval of the value before. */
  latest: number;
  /** False once a value belongs to an interval that has ended; the columns are worth nothing then. */
  isInOrder: boolean;
}

/** The rows of the files that hold them. */
export interface Rows {
  /** Starts a pass over them. */
  scan(): AsyncIterable<Batch>;
  /** Columns that tell the series of a file apart. */
  readonly seriesBy: readonly string[];
}

/** What one pass over the rows needs. */
interface Pass {
  readonly rows: Rows;
  readonly query: ReadQuery;
  readonly signal: AbortSignal;
}

/** The measurements that features name; undefined where one names none, so that all files are read. */
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

/** Order is a matter of each target: another file, or another series, begins at its own beginning. */
async function readInOrder({ rows, query, signal }: Pass, targets: readonly Target[]): Promise<void> {
  const isInRange = rangeOf(query);
  const pace = createYielder(signal);
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
    await pace();
  }
}

/** Holds the values of the targets and sorts them. @returns the targets anew */
async function readSorted({ rows, query, signal }: Pass, unsorted: readonly Target[]): Promise<Target[]> {
  const targets = unsorted.map(({ features }) => ({
    ...makeTarget(features, query),
    points: [] as { at: number; value: number; series: string }[],
  }));
  const isInRange = rangeOf(query);
  const pace = createYielder(signal);
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
    await pace();
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

/** The series of a row: its file, and the cells that tell it; empty where no metric asks for it. */
function findSeries(
  { columns }: Target,
  batch: Batch,
  { cells, rows }: { readonly cells: readonly string[]; readonly rows: Rows },
): string {
  if (!columns.withSeries) return "";
  if (rows.seriesBy.length === 0) return batch.measurement;
  const tags = rows.seriesBy.map((name) => cells[batch.columns.get(name) ?? -1] ?? "");
  return nameRow([batch.measurement, ...tags]);
}

/** NaN for a text, undefined where there is nothing or the row is not one of the feature's. */
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
