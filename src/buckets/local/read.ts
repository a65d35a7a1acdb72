// Reading a local bucket: which fields match, then block by block into the columns of the grid.
import type { Database } from "bun:sqlite";
import { countIntervals, type Grid } from "../../core/grid.ts";
import { addSamples, findReadStart, requireMetric } from "../aggregate.ts";
import { createColumn } from "../column.ts";
import { type Columns, groupBySource, toGrid } from "../features.ts";
import type { FeatureQuery, ReadQuery } from "../kind.ts";
import { createPacer } from "../pace.ts";
import { findFields } from "./catalog.ts";
import { createFold, isFoldable } from "./fold.ts";
import { scanBlocks } from "./scan.ts";
import { streamSamples } from "./stream.ts";

export interface ScopedQuery {
  readonly query: ReadQuery;
  /** Points before this instant (ms) have expired and are not there. */
  readonly sinceAt: number;
}

/** The fields to read for features of one source; without a connection there are none. */
interface Source {
  readonly db: Database | undefined;
  readonly fieldIds: readonly number[];
  readonly sinceAt: number;
  readonly pace: () => Promise<void> | undefined;
}

/** Reads a grid in one snapshot of the file; undefined = no file, nothing there. Lets other work run in between. */
export async function readGrid(
  db: Database | undefined,
  { query, sinceAt }: ScopedQuery,
  signal: AbortSignal,
): Promise<Grid> {
  const columns: Columns = new Map();
  const pace = createPacer(signal);
  for (const features of groupBySource(query.features)) {
    const source = { db, fieldIds: db ? findFields(db, features[0]!) : [], sinceAt, pace };
    const folded = features.filter(isFolded);
    const streamed = features.filter((feature) => !isFolded(feature));
    if (folded.length > 0) await foldFeatures({ ...query, features: folded }, source, columns);
    if (streamed.length > 0) await streamFeatures({ ...query, features: streamed }, source, columns);
  }
  return toGrid(query, columns);
}

function isFolded({ metric }: FeatureQuery): boolean {
  return isFoldable(requireMetric(metric).name);
}

async function foldFeatures(query: ReadQuery, source: Source, columns: Columns): Promise<void> {
  const names = query.features.map(({ metric }) => requireMetric(metric).name);
  const fold = createFold(query, countIntervals(query.range, query.intervalMs), names);
  const range = { fromAt: Math.max(query.range.fromAt, source.sinceAt), toAt: query.range.toAt };
  let blocks = 0;
  for (const fieldId of source.fieldIds) {
    for (const block of scanBlocks(source.db!, fieldId, range)) {
      fold.add(block);
      if (++blocks % 32 === 0) await source.pace();
    }
  }
  for (const [index, { name }] of query.features.entries()) columns.set(name, fold.finish(names[index]!));
}

async function streamFeatures(query: ReadQuery, source: Source, columns: Columns): Promise<void> {
  const { db, fieldIds, sinceAt, pace } = source;
  const built = query.features.map(({ metric }) => createColumn(query, requireMetric(metric)));
  const range = { fromAt: Math.max(findReadStart(query), sinceAt), toAt: query.range.toAt };
  if (db && fieldIds.length > 0) {
    for (const samples of streamSamples(db, fieldIds, { range, intervalMs: query.intervalMs })) {
      await addSamples(built, samples, pace);
    }
  }
  for (const [index, { name }] of query.features.entries()) columns.set(name, built[index]!.finish());
}
