// Metrics that need the points themselves: samples of all matching series, interval by interval.
import type { Database } from "bun:sqlite";
import { floorTo, type Range } from "../../core/grid.ts";
import type { Samples } from "../aggregate.ts";
import { BLOCK_POINTS, timesOf } from "./block.ts";
import { countBlocks, scanBlocks } from "./scan.ts";

/** Points held in memory at a time when several series are put in order. */
const WINDOW_POINTS = { least: 262_144, perSeries: 1024, most: 2_097_152 };
/** Blocks between two chances for the reader to pause. */
const BLOCKS_PER_STEP = 64;
const nothing: Samples = { times: new Float64Array(0), values: new Float64Array(0) };

interface Window {
  readonly range: Range;
  readonly intervalMs: number;
}

/** Samples of the fields in the range, interval by interval; an empty one now and then, so that the reader can pause. */
export function* streamSamples(
  db: Database,
  fieldIds: readonly number[],
  { range, intervalMs }: Window,
): Generator<Samples> {
  if (fieldIds.length === 1) {
    for (const block of scanBlocks(db, fieldIds[0]!, range))
      yield { times: timesOf(block), values: block.values };
    return;
  }
  for (const window of splitRange(db, fieldIds, { range, intervalMs })) {
    yield* mergeSeries(db, fieldIds, { range: window, intervalMs });
  }
}

/** Ranges of whole intervals that hold about as many points as may be in memory. */
function* splitRange(
  db: Database,
  fieldIds: readonly number[],
  { range, intervalMs }: Window,
): Generator<Range> {
  let blocks = 0;
  for (const fieldId of fieldIds) blocks += countBlocks(db, fieldId, range);
  if (blocks === 0) return;
  const { least, perSeries, most } = WINDOW_POINTS;
  const target = Math.min(Math.max(fieldIds.length * perSeries, least), most);
  const windows = Math.ceil((blocks * BLOCK_POINTS) / target);
  const startAt = floorTo(range.fromAt, intervalMs);
  const stepMs = Math.ceil((range.toAt - startAt) / windows / intervalMs) * intervalMs;
  for (let at = startAt; at < range.toAt; at += stepMs) {
    yield { fromAt: Math.max(at, range.fromAt), toAt: Math.min(at + stepMs, range.toAt) };
  }
}

/** All samples of a window in one, in order of their intervals: a counting sort. */
function* mergeSeries(
  db: Database,
  fieldIds: readonly number[],
  { range, intervalMs }: Window,
): Generator<Samples> {
  const startAt = floorTo(range.fromAt, intervalMs);
  const ends = new Int32Array(Math.ceil((range.toAt - startAt) / intervalMs) + 1);
  const parts: Samples[] = [];
  for (const fieldId of fieldIds) {
    for (const block of scanBlocks(db, fieldId, range)) {
      const times = timesOf(block);
      for (const at of times) ends[Math.floor((at - startAt) / intervalMs) + 1]! += 1;
      parts.push({ times, values: block.values });
      if (parts.length % BLOCKS_PER_STEP === 0) yield nothing;
    }
  }
  for (let i = 1; i < ends.length; i++) ends[i]! += ends[i - 1]!;
  const total = ends[ends.length - 1]!;
  const merged = { times: new Float64Array(total), values: new Float64Array(total) };
  for (const [index, { times, values }] of parts.entries()) {
    for (let i = 0; i < times.length; i++) {
      const place = ends[Math.floor((times[i]! - startAt) / intervalMs)]!++;
      merged.times[place] = times[i]!;
      merged.values[place] = values[i]!;
    }
    if (index % BLOCKS_PER_STEP === 0) yield nothing;
  }
  yield merged;
}
