// Reading a local bucket: which fields match, then block by block into the columns of the grid.
import type { Database } from "bun:sqlite";
import { countIntervals, type Grid } from "../../core/grid.ts";
import type { Metric } from "../../metrics/index.ts";
import { findReadStart, requireMetric } from "../aggregate.ts";
import { type Columns, groupBySource, toGrid } from "../features.ts";
import type { FeatureQuery, ReadQuery } from "../kind.ts";
import { createPacer } from "../pace.ts";
import { findFields } from "./catalog.ts";
import { createEnds, isByEnds } from "./ends.ts";
import { createFold, isFoldable } from "./fold.ts";
import { reduceFields } from "./reduce.ts";
import { type Scope, visitBlocks } from "./scan.ts";

export interface ScopedQuery {
  readonly query: ReadQuery;
  /** Points before this instant (ms) have expired and are not there. */
  readonly sinceAt: number;
}

/** Computes columns of metrics, in their order, from the points of a scope. */
type Compute = (
  query: ReadQuery,
  metrics: readonly Metric[],
  scope: Scope,
) => Promise<readonly Float64Array[]>;

/** Reads a grid in one snapshot of the file; undefined = no file, nothing there. Lets other work run in between. */
export async function readGrid(
  db: Database | undefined,
  { query, sinceAt }: ScopedQuery,
  signal: AbortSignal,
): Promise<Grid> {
  if (!db) return readNothing(query);
  const columns: Columns = new Map();
  const pace = createPacer(signal);
  for (const group of groupBySource(query.features)) {
    const fieldIds = findFields(db, group[0]!);
    for (const [compute, features] of Map.groupBy(group, chooseCompute)) {
      const part = { ...query, features };
      const range = { fromAt: Math.max(findReadStart(part), sinceAt), toAt: query.range.toAt };
      const metrics = features.map(({ metric }) => requireMetric(metric));
      const computed = await compute(part, metrics, { db, fieldIds, range, pace });
      for (const [i, { name }] of features.entries()) columns.set(name, computed[i]!);
    }
  }
  return toGrid(query, columns);
}

function readNothing(query: ReadQuery): Grid {
  const length = countIntervals(query.range, query.intervalMs);
  const emptyOf = ({ metric }: FeatureQuery) => new Float64Array(length).fill(requireMetric(metric).empty);
  return toGrid(query, new Map(query.features.map((feature) => [feature.name, emptyOf(feature)])));
}

/** The cheapest one: folding holds no points, reducing holds those of a window. */
function chooseCompute({ metric }: FeatureQuery): Compute {
  const { name } = requireMetric(metric);
  if (isFoldable(name)) return foldFields;
  return isByEnds(name) ? foldEnds : reduceFields;
}

async function foldFields(
  query: ReadQuery,
  metrics: readonly Metric[],
  scope: Scope,
): Promise<readonly Float64Array[]> {
  const names = metrics.map(({ name }) => name);
  const fold = createFold(query, countIntervals(query.range, query.intervalMs), names);
  await visitBlocks(scope, fold.add);
  return names.map(fold.finish);
}

async function foldEnds(
  query: ReadQuery,
  metrics: readonly Metric[],
  scope: Scope,
): Promise<readonly Float64Array[]> {
  const ends = createEnds(query, countIntervals(query.range, query.intervalMs));
  await visitBlocks(scope, ends.add);
  return metrics.map(ends.finish);
}
