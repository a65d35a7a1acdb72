// Grid reads: finds the matching fields, then folds their blocks into columns.
import type { Database } from "bun:sqlite";
import { type Columns, groupBySource, toGrid } from "../core/series/columns.ts";
import { countIntervals, type Grid } from "../core/series/grid.ts";
import type { FeatureQuery, ReadQuery } from "../core/series/query.ts";
import { findReadStart, type Metric, requireMetric } from "../metrics/index.ts";
import { createYielder } from "../runtime/steps.ts";
import { type BlockView, clipBlock, keepNumbers } from "./block.ts";
import { findFields } from "./catalog.ts";
import { createFirstLastFold, isFirstOrLast } from "./first-last.ts";
import { createFold, isFoldable } from "./fold.ts";
import { IntervalIndex } from "./interval-spans.ts";
import { PerSeriesSums } from "./per-series-sums.ts";
import { reduceFields } from "./reduce.ts";
import { type Scope, visitBlocks } from "./scan.ts";

export interface RetainedQuery {
  readonly query: ReadQuery;
  /** Points before this instant (ms) have expired and are not returned. */
  readonly sinceAt: number;
}

/** Folds blocks into columns of features, one field after the other. */
interface Visitor {
  add(block: BlockView, fieldId: number): void;
  /** The columns, in the order of the features. */
  finish(): readonly Float64Array[];
}

type StartVisitor = (query: ReadQuery, metrics: readonly Metric[], index: IntervalIndex) => Visitor;

/**
 * Reads a grid in one snapshot of the file, yielding to the event loop in between.
 * @param db undefined where the file does not exist yet: the grid is empty
 */
export async function readGrid(
  db: Database | undefined,
  { query, sinceAt }: RetainedQuery,
  signal: AbortSignal,
): Promise<Grid> {
  if (!db) return readNothing(query);
  const columns: Columns = new Map();
  const yieldNow = createYielder(signal);
  for (const group of groupBySource(query.features)) {
    const range = { ...query.range, fromAt: Math.max(query.range.fromAt, sinceAt) };
    const scope = { db, fieldIds: findFields(db, group[0]!), range, yieldNow };
    const byVisitor = Map.groupBy(group, chooseVisitor);
    const reduced = byVisitor.get(undefined) ?? [];
    if (reduced.length > 0)
      setColumns(columns, reduced, await reduceFields(query, metricsOf(reduced), scope));
    byVisitor.delete(undefined);
    const index = new IntervalIndex({ fromAt: query.range.fromAt, intervalMs: query.intervalMs });
    const readers = [...byVisitor].map(([start, features]) =>
      startReader(start!, { ...query, features }, { sinceAt, index }),
    );
    await visitOnce(readers, scope);
    for (const { features, visitor } of readers) setColumns(columns, features, visitor.finish());
  }
  return toGrid(query, columns);
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

function readNothing(query: ReadQuery): Grid {
  const length = countIntervals(query.range, query.intervalMs);
  const emptyOf = ({ metric }: FeatureQuery) => new Float64Array(length).fill(requireMetric(metric).empty);
  return toGrid(query, new Map(query.features.map((feature) => [feature.name, emptyOf(feature)])));
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
  return { add: fold.add, finish: () => names.map(fold.finish) };
}

function startFirstLast(
  { range, intervalMs }: ReadQuery,
  metrics: readonly Metric[],
  index: IntervalIndex,
): Visitor {
  const fold = createFirstLastFold(countIntervals(range, intervalMs), index);
  return ofNumbers({ add: fold.add, finish: () => metrics.map(fold.finish) });
}

function startSums(query: ReadQuery, metrics: readonly Metric[], index: IntervalIndex): Visitor {
  return ofNumbers(new PerSeriesSums(query, metrics, index));
}

/** Leaves out texts and booleans. */
function ofNumbers(visitor: Visitor): Visitor {
  return {
    add: (block, fieldId) => {
      const numbers = keepNumbers(block);
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

/** Visits each block once for all readers: finding blocks is half of the work. */
async function visitOnce(readers: readonly BlockReader[], scope: Scope): Promise<void> {
  if (readers.length === 0) return;
  const fromAt = Math.min(...readers.map((reader) => reader.fromAt));
  await visitBlocks({ ...scope, range: { ...scope.range, fromAt } }, (block, fieldId) => {
    for (const reader of readers) {
      const own = block.startAt < reader.fromAt ? clipBlock(block, reader.fromAt, Infinity) : block;
      if (own.values.length > 0) reader.visitor.add(own, fieldId);
    }
  });
}
