// Reading a grid from CSV files: one pass where the rows come in order of time, a second one where they do not.

import { toNumber } from "../../core/csv-reader.ts";
import { TorusError } from "../../core/errors.ts";
import { floorTo, type Grid } from "../../core/grid.ts";
import { findReadStart, requireMetric } from "../aggregate.ts";
import { type Column, createColumn } from "../column.ts";
import { type Columns, groupBySource, toGrid } from "../features.ts";
import type { FeatureQuery, ReadQuery } from "../kind.ts";
import { createPacer } from "../pace.ts";
import type { Batch } from "./scan.ts";

/** Values of rows out of order that may be held in memory at a time. */
const MAX_HELD = 2_000_000;

/** Features of the same cells, and where their values go. */
interface Target {
  readonly source: FeatureQuery;
  readonly columns: readonly Column[];
  readonly names: readonly string[];
  /** Only filled where rows are out of order. */
  readonly held: { at: number; value: number }[];
}

/** @param scan starts a pass over all rows */
export async function readGrid(
  scan: () => AsyncIterable<Batch>,
  query: ReadQuery,
  signal: AbortSignal,
): Promise<Grid> {
  const targets = (await readInOrder(scan, query, signal)) ?? (await readSorted(scan, query, signal));
  const columns: Columns = new Map();
  for (const target of targets)
    for (const [i, name] of target.names.entries()) columns.set(name, target.columns[i]!.finish());
  return toGrid(query, columns);
}

function makeTargets(query: ReadQuery): Target[] {
  return groupBySource(query.features).map((features) => ({
    source: features[0]!,
    columns: features.map(({ metric }) => createColumn(query, requireMetric(metric))),
    names: features.map(({ name }) => name),
    held: [],
  }));
}

/** Undefined where a row belongs to an interval that has ended. */
async function readInOrder(
  scan: () => AsyncIterable<Batch>,
  query: ReadQuery,
  signal: AbortSignal,
): Promise<Target[] | undefined> {
  const targets = makeTargets(query);
  const isInRange = rangeOf(query);
  const pace = createPacer(signal);
  let latest = Number.NEGATIVE_INFINITY;
  for await (const batch of scan()) {
    for (const { at, cells } of batch.rows) {
      if (!isInRange(at)) continue;
      const interval = floorTo(at, query.intervalMs);
      if (interval < latest) return undefined;
      latest = interval;
      for (const target of targets) {
        const value = findValue(target.source, batch, cells);
        if (value !== undefined) for (const column of target.columns) column.add(at, value);
      }
    }
    await pace();
  }
  return targets;
}

async function readSorted(
  scan: () => AsyncIterable<Batch>,
  query: ReadQuery,
  signal: AbortSignal,
): Promise<Target[]> {
  const targets = makeTargets(query);
  const isInRange = rangeOf(query);
  const pace = createPacer(signal);
  let held = 0;
  for await (const batch of scan()) {
    for (const { at, cells } of batch.rows) {
      if (!isInRange(at)) continue;
      for (const { source, held: points } of targets) {
        const value = findValue(source, batch, cells);
        if (value === undefined) continue;
        points.push({ at, value });
        if (++held > MAX_HELD) throw tooMany();
      }
    }
    await pace();
  }
  for (const { held: points, columns } of targets) {
    points.sort((a, b) => a.at - b.at);
    for (const { at, value } of points) for (const column of columns) column.add(at, value);
  }
  return targets;
}

function tooMany(): TorusError {
  const way = "sort the rows by time, or read a shorter range";
  return new TorusError("bucket_rejected", `more than ${MAX_HELD} values are out of order: ${way}`);
}

function rangeOf(query: ReadQuery): (at: number) => boolean {
  const fromAt = findReadStart(query);
  return (at) => at >= fromAt && at < query.range.toAt;
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
