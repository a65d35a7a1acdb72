// Chunks: ranges of whole intervals, each with as many points of the matching fields as may be in memory.
import { floorTo, type Range } from "../core/series/grid.ts";
import { BLOCK_POINTS, type BlockView } from "./block.ts";
import { countBlocks, type Scope, visitBlocks } from "./scan.ts";

/** Points in memory at a time: many, because each chunk looks up every series and cuts one of its blocks. */
const MAX_CHUNK_POINTS = 2 ** 21;
/** Share of `maxPoints` that the next chunk should take, by the density of the last one. */
const TARGET_FILL = 0.8;
/** Most that a chunk may grow by: an empty one says little about the next. */
const MAX_GROWTH = 8;

export interface ChunkOptions {
  readonly intervalMs: number;
  /** Points that a chunk may have. */
  readonly maxPoints?: number;
}

/** Takes the points of one chunk after the other. */
export interface BlockConsumer {
  /** Drops the points of the chunk before. */
  start(): void;
  /** Field by field, the blocks of a field in order of time, cut to the range. */
  add(block: BlockView): void;
}

/**
 * Fills `consumer` chunk by chunk, in order of time, and yields the range of each. No chunk has more points, or more
 * intervals, than `maxPoints`, unless it is a single interval. A chunk that would have more is read again, halved.
 */
export async function* scanInChunks(
  scope: Scope,
  { intervalMs, maxPoints = MAX_CHUNK_POINTS }: ChunkOptions,
  consumer: BlockConsumer,
): AsyncGenerator<Range> {
  const { range } = scope;
  const estimate = (await countBlocks(scope)) * BLOCK_POINTS;
  if (estimate === 0) return;
  const startAt = floorTo(range.fromAt, intervalMs);
  const total = Math.ceil((range.toAt - startAt) / intervalMs);
  const limit = (intervals: number) => Math.min(Math.max(Math.floor(intervals), 1), total, maxPoints);
  let intervals = limit((total * TARGET_FILL * maxPoints) / estimate);
  for (let at = startAt; at < range.toAt; ) {
    const endAt = Math.min(at + intervals * intervalMs, range.toAt);
    const part = { fromAt: Math.max(at, range.fromAt), toAt: endAt };
    consumer.start();
    const points = await fillChunk({ ...scope, range: part }, consumer, intervals > 1 ? maxPoints : Infinity);
    if (points > maxPoints && intervals > 1) {
      intervals = limit(intervals / 2);
      continue;
    }
    yield part;
    at = endAt;
    intervals = limit(intervals * Math.min((TARGET_FILL * maxPoints) / (points + 1), MAX_GROWTH));
  }
}

/** Stops as soon as there are more than `maxPoints`. @returns the number of points */
async function fillChunk(scope: Scope, consumer: BlockConsumer, maxPoints: number): Promise<number> {
  let points = 0;
  await visitBlocks(scope, (block) => {
    points += block.values.length;
    if (points > maxPoints) return false;
    consumer.add(block);
    return true;
  });
  return points;
}
