// Reading a local bucket: which fields match, then block by block into the columns of the grid.
import type { Database } from "bun:sqlite";
import { countIntervals, type Grid, type Range } from "../../core/grid.ts";
import { findReadStart, requireMetric } from "../aggregate.ts";
import { createColumn } from "../column.ts";
import type { FeatureQuery, ReadQuery } from "../kind.ts";
import { createPacer } from "../pace.ts";
import { type BlockView, clipBlock, viewBlock } from "./block.ts";
import { findFields } from "./catalog.ts";
import { createFold, isFoldable } from "./fold.ts";
import { streamSamples } from "./stream.ts";

export interface ScopedQuery {
  readonly query: ReadQuery;
  /** Points before this instant (ms) have expired and are not there. */
  readonly sinceAt: number;
}

/** Reads a grid in one snapshot of the file; undefined = no file, nothing there. Lets other work run in between. */
export async function readGrid(
  db: Database | undefined,
  { query, sinceAt }: ScopedQuery,
  signal: AbortSignal,
): Promise<Grid> {
  const columns = new Map<string, Float64Array>();
  for (const features of groupBySource(query.features)) {
    const fieldIds = db ? findFields(db, features[0]!) : [];
    const part = { ...query, features };
    const range = { fromAt: Math.max(findReadStart(part), sinceAt), toAt: query.range.toAt };
    const blocks = (fieldId: number, within: Range) => readBlocks(db!, fieldId, within);
    await foldFeatures(part, { fieldIds, range, blocks }, columns, signal);
    await streamFeatures(part, { fieldIds, range, blocks }, columns, signal);
  }
  return {
    startAt: query.range.fromAt,
    intervalMs: query.intervalMs,
    length: countIntervals(query.range, query.intervalMs),
    columns: Object.fromEntries(query.features.map(({ name }) => [name, columns.get(name)!])),
  };
}
