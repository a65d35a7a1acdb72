// Grid reads from CSV files: one pass over rows in order of time, a second pass where they are not.
import { TorusError } from "../../core/errors.ts";
import { toNumber } from "../../core/formats/csv-reader.ts";
import { type Columns, groupBySource, toGrid } from "../../core/series/columns.ts";
import { floorTo, type Grid } from "../../core/series/grid.ts";
import { type GroupedGrid, groupKeyOf, NO_GROUP } from "../../core/series/grouped-grid.ts";
import type { FeatureQuery, GroupedQuery, ReadQuery } from "../../core/series/query.ts";
import { findReadStart, requireMetric } from "../../metrics/index.ts";
import { createYielder } from "../../runtime/steps.ts";
import { createGroupReducer, type PointKeys } from "../shared/group-reducer.ts";
import { Groups } from "../shared/groups.ts";
import { createSharedColumns } from "../shared/per-series.ts";
import { seriesKeyOfRow } from "../shared/series-by.ts";
import type { Batch } from "./scan.ts";

/** Values of unordered rows held in memory at a time. */
const MAX_HELD = 2_000_000;

/** Takes the values of features that share them. */
interface Sink {
  /** Whether values must name their series. */
  readonly withSeries: boolean;
  put(at: number, value: number, keys: PointKeys): void;
  finish(): void;
}
type StartSink = (features: readonly FeatureQuery[]) => Sink;

/** Features of the same cells. */
interface Target {
  readonly features: readonly FeatureQuery[];
  readonly source: FeatureQuery;
  readonly sink: Sink;
  /** Start of the interval of the value before, by group. */
  readonly latest: Map<string, number>;
  /** False once a value lies in an interval that has ended; what the sink has is invalid then. */
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
  /** Columns whose values distinguish the groups; none where the read is not grouped. */
  readonly groupBy: readonly string[];
  readonly startSink: StartSink;
  readonly signal: AbortSignal;
}

/** The measurements of the features; undefined where a feature names none, so that all files are read. */
export function namesOf({ features }: ReadQuery): ReadonlySet<string> | undefined {
  const names = features.map(({ measurement }) => measurement).filter((name) => name !== undefined);
  return names.length === features.length ? new Set(names) : undefined;
}

export async function readGrid(rows: Rows, query: ReadQuery, signal: AbortSignal): Promise<Grid> {
  const columns: Columns = new Map();
  const startSink: StartSink = (features) => {
    const shared = createSharedColumns({ ...query, features });
    return {
      withSeries: shared.withSeries,
      put: (at, value, { series }) => shared.put(at, value, series),
      finish: () => shared.finish(columns),
    };
  };
  await readRows({ rows, query, groupBy: [], startSink, signal });
  return toGrid(query, columns);
}

export async function readGroups(rows: Rows, query: GroupedQuery, signal: AbortSignal): Promise<GroupedGrid> {
  const groups = new Groups(query, ({ metric }) => requireMetric(metric).empty);
  const startSink: StartSink = (features) => {
    const withSeries = features.some(({ metric }) => requireMetric(metric).isStateful);
    return { withSeries, ...createGroupReducer({ ...query, features }, groups) };
  };
  await readRows({ rows, query, groupBy: query.groupBy, startSink, signal });
  return groups.finish();
}

async function readRows(pass: Pass): Promise<void> {
  const targets = groupBySource(pass.query.features).map((features) => makeTarget(features, pass));
  await readInOrder(pass, targets);
  for (const { isInOrder, sink } of targets) if (isInOrder) sink.finish();
  const others = targets.filter(({ isInOrder }) => !isInOrder);
  if (others.length > 0) await readSorted(pass, others);
}

function makeTarget(features: readonly FeatureQuery[], { startSink }: Pass): Target {
  return {
    features,
    source: features[0]!,
    sink: startSink(features),
    latest: new Map(),
    isInOrder: true,
  };
}

/** Each target has its own order: a new file, or a new series, starts at its own beginning. */
async function readInOrder(pass: Pass, targets: readonly Target[]): Promise<void> {
  const { rows, query, signal } = pass;
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
        const keys = findKeys(target, batch, { cells, pass });
        target.isInOrder = !(interval < target.latest.get(keys.group)!);
        target.latest.set(keys.group, interval);
        if (target.isInOrder) target.sink.put(at, value, keys);
      }
    }
    if (targets.every(({ isInOrder }) => !isInOrder)) return;
    await yieldNow();
  }
}

/** Holds the values of the targets and sorts them, for sinks of their own. */
async function readSorted(pass: Pass, unsorted: readonly Target[]): Promise<void> {
  const { rows, query, signal } = pass;
  const targets = unsorted.map(({ features }) => ({
    ...makeTarget(features, pass),
    points: [] as { at: number; value: number; keys: PointKeys }[],
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
        target.points.push({ at, value, keys: findKeys(target, batch, { cells, pass }) });
        if (++held > MAX_HELD) throw tooMany();
      }
    }
    await yieldNow();
  }
  for (const { points, sink } of targets) {
    points.sort((a, b) => a.at - b.at);
    for (const { at, value, keys } of points) sink.put(at, value, keys);
    sink.finish();
  }
}

function tooMany(): TorusError {
  const way = "sort the rows by time, name one file as the measurement, or read a shorter range";
  return new TorusError("bucket_rejected", `more than ${MAX_HELD} values are out of order: ${way}`);
}

function rangeOf(query: ReadQuery): (at: number) => boolean {
  const fromAt = findReadStart(query);
  return (at) => at >= fromAt && at < query.range.toAt;
}

/** The keys of all rows of a read that needs none. */
const noKeys: PointKeys = { group: NO_GROUP, series: "" };

/** The keys of a row: its group by its cells, its series by its file and its `series_by` cells. */
function findKeys(
  { sink }: Target,
  batch: Batch,
  { cells, pass }: { readonly cells: readonly string[]; readonly pass: Pass },
): PointKeys {
  const { groupBy, rows } = pass;
  if (groupBy.length === 0 && !sink.withSeries) return noKeys;
  const cellsOf = (names: readonly string[]) =>
    names.map((name) => cells[batch.columns.get(name) ?? -1] ?? "");
  const group = groupBy.length === 0 ? NO_GROUP : groupKeyOf(cellsOf(groupBy));
  if (!sink.withSeries) return { group, series: "" };
  const { seriesBy } = rows;
  const series =
    seriesBy.length === 0 ? batch.measurement : seriesKeyOfRow([batch.measurement, ...cellsOf(seriesBy)]);
  return { group, series };
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
