// Grid reads: finds the matching fields, then folds their blocks into columns.
import { type Columns, groupBySource, toGrid } from "../core/series/columns.ts";
import { countIntervals, type Grid } from "../core/series/grid.ts";
import type { FeatureQuery, ReadQuery } from "../core/series/query.ts";
import { findReadStart, type Metric, requireMetric } from "../metrics/index.ts";
import { createYielder } from "../runtime/steps.ts";
import { type BlockView, clipBlock } from "./block.ts";
import { findFields } from "./catalog.ts";
import { createFirstLastFold, isFirstOrLast } from "./first-last.ts";
import { createFold, isFoldable } from "./fold.ts";
import { IntervalIndex } from "./interval-spans.ts";
import { PerSeriesSums } from "./per-series-sums.ts";
import { reduceFields } from "./reduce.ts";
import { type FileSnapshot, type Scope, visitBlocks } from "./scan.ts";
import { dropTexts } from "./special/kept-points.ts";

export interface RetainedQuery {
  readonly query: ReadQuery;
  /** Points before this instant (ms) have expired and are not returned. */
  readonly sinceAt: number;
}

/** Folds blocks into columns of features, one field after the other. */
interface Visitor {
  add(block: BlockView, fieldId: number): void;
  /** The columns, in the order of the features, each made when it is taken. */
  finish(): Iterable<Float64Array>;
}

type StartVisitor = (query: ReadQuery, metrics: readonly Metric[], index: IntervalIndex) => Visitor;

/**
 * Reads a grid in one snapshot of the file, yielding to the event loop in between.
 * @param file undefined where it does not exist yet: the grid is empty
 */
export async function readGrid(
  file: FileSnapshot | undefined,
  { query, sinceAt }: RetainedQuery,
  signal: AbortSignal,
): Promise<Grid> {
  if (!file) return readNothing(query);
  const columns: Columns = new Map();
  const read = startRead(file, { query, sinceAt }, signal);
  for (const features of groupBySource(query.features))
    await readSource(read, { features, fieldIds: findFields(file.db, features[0]!) }, columns);
  return toGrid(query, columns);
}

/** What the sources of one read share. */
export interface Reading extends RetainedQuery {
  readonly file: FileSnapshot;
  readonly index: IntervalIndex;
  readonly yieldNow: Scope["yieldNow"];
}

export function startRead(
  file: FileSnapshot,
  { query, sinceAt }: RetainedQuery,
  signal: AbortSignal,
): Reading {
  const index = new IntervalIndex({ fromAt: query.range.fromAt, intervalMs: query.intervalMs });
  return { file, query, sinceAt, index, yieldNow: createYielder(signal) };
}

/** Features that share the points of some fields. */
export interface FieldSource {
  readonly features: readonly FeatureQuery[];
  readonly fieldIds: readonly number[];
}

/** Sets the columns of a source. @returns whether a field has a point in the range that a feature counts */
export async function readSource(
  { file, query, sinceAt, index, yieldNow }: Reading,
  { features, fieldIds }: FieldSource,
  columns: Columns,
): Promise<boolean> {
  const range = { ...query.range, fromAt: Math.max(query.range.fromAt, sinceAt) };
  const scope = { ...file, fieldIds, range, yieldNow };
  const byVisitor = Map.groupBy(features, chooseVisitor);
  const reduced = byVisitor.get(undefined) ?? [];
  let isFound = false;
  if (reduced.length > 0) {
    const found = await reduceFields(query, metricsOf(reduced), scope);
    setColumns(columns, reduced, found);
    isFound = found.some((column) => column.some((value) => !Number.isNaN(value)));
  }
  byVisitor.delete(undefined);
  const readers = [...byVisitor].map(([start, group]) =>
    startReader(start!, { ...query, features: group }, { sinceAt, index }),
  );
  isFound = (await visitOnce(readers, scope)) || isFound;
  for (const { features: own, visitor } of readers) {
    let next = 0;
    for (const column of visitor.finish()) {
      columns.set(own[next++]!.name, column);
      await yieldNow();
    }
  }
  return isFound;
}

function setColumns(
  columns: Columns,
  features: readonly FeatureQuery[],
  computed: readonly Float64Array[],
): void {
  for (const [i, { name }] of features.entries()) columns.set(name, computed[i]!);
}

function metricsOf(features: readonly FeatureQuery[]): readonly Metric[] {
  return features.map(({ metric }) => requireMetric(metric));
}

/** Columns of a source without points. */
export function setEmpty(
  columns: Columns,
  { range, intervalMs }: ReadQuery,
  features: readonly FeatureQuery[],
): void {
  const length = countIntervals(range, intervalMs);
  for (const { name, metric } of features)
    columns.set(name, new Float64Array(length).fill(requireMetric(metric).empty));
}

function readNothing(query: ReadQuery): Grid {
  const columns: Columns = new Map();
  setEmpty(columns, query, query.features);
  return toGrid(query, columns);
}

/** The cheapest visitor that computes the metric; undefined where it needs every point of an interval. */
function chooseVisitor({ metric }: FeatureQuery): StartVisitor | undefined {
  const { name, isStateful } = requireMetric(metric);
  if (isStateful) return startSums;
  if (isFoldable(name)) return startFold;
  return isFirstOrLast(name) ? startFirstLast : undefined;
}

function startFold(
  { range, intervalMs }: ReadQuery,
  metrics: readonly Metric[],
  index: IntervalIndex,
): Visitor {
  const names = metrics.map(({ name }) => name);
  const fold = createFold(countIntervals(range, intervalMs), index, names);
  return { add: fold.add, finish: () => names.values().map(fold.finish) };
}

function startFirstLast(
  { range, intervalMs }: ReadQuery,
  metrics: readonly Metric[],
  index: IntervalIndex,
): Visitor {
  const fold = createFirstLastFold(countIntervals(range, intervalMs), index);
  return ofNumbers({ add: fold.add, finish: () => metrics.values().map(fold.finish) });
}

function startSums(query: ReadQuery, metrics: readonly Metric[], index: IntervalIndex): Visitor {
  return ofNumbers(new PerSeriesSums(query, metrics, index));
}

/** Leaves out texts and booleans. */
function ofNumbers(visitor: Visitor): Visitor {
  return {
    add: (block, fieldId) => {
      const numbers = dropTexts(block);
      if (numbers.values.length > 0) visitor.add(numbers, fieldId);
    },
    finish: () => visitor.finish(),
  };
}

/** A visitor with its features and the start of its range. */
interface BlockReader {
  readonly features: readonly FeatureQuery[];
  readonly visitor: Visitor;
  /** ms since the epoch. */
  readonly fromAt: number;
}

function startReader(
  start: StartVisitor,
  query: ReadQuery,
  { sinceAt, index }: { readonly sinceAt: number; readonly index: IntervalIndex },
): BlockReader {
  const { features } = query;
  const fromAt = Math.max(findReadStart(query), sinceAt);
  return { features, visitor: start(query, metricsOf(features), index), fromAt };
}

/** Visits each block once for all readers: finding blocks is half of the work. @returns as `readSource` */
async function visitOnce(readers: readonly BlockReader[], scope: Scope): Promise<boolean> {
  if (readers.length === 0) return false;
  const fromAt = Math.min(...readers.map((reader) => reader.fromAt));
  const countsTexts = readers.some(({ features }) =>
    features.some(({ metric }) => requireMetric(metric).counts === "any"),
  );
  let isFound = false;
  await visitBlocks({ ...scope, range: { ...scope.range, fromAt } }, (block, fieldId) => {
    isFound ||= hasPoint(clipBlock(block, scope.range.fromAt, Infinity), countsTexts);
    for (const reader of readers) {
      const own = block.startAt < reader.fromAt ? clipBlock(block, reader.fromAt, Infinity) : block;
      if (own.values.length > 0) reader.visitor.add(own, fieldId);
    }
  });
  return isFound;
}

function hasPoint({ values, isNumeric }: BlockView, countsTexts: boolean): boolean {
  return values.length > 0 && (isNumeric || countsTexts || values.some((value) => !Number.isNaN(value)));
}
