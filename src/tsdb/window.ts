// Windows: ranges of whole intervals, each with as many points of the matching fields as may be in memory.
import { floorTo, type Range } from "../core/series/grid.ts";
import { BLOCK_POINTS, type BlockView } from "./block.ts";
import { countBlocks, type Scope, visitBlocks } from "./scan.ts";

/** Points in memory at a time: many, because every series is looked for, and a block of it cut, in every window. */
const ROOM = 2 ** 21;
/** Share of the room that the next window should take, by the density of this one. */
const FILL = 0.8;
/** How much longer than this window the next one may be: what is empty says little of what follows. */
const MAX_GROWTH = 8;

export interface Division {
  readonly intervalMs: number;
  /** Points that a window may have. */
  readonly room?: number;
}

/** What takes the points of one window after the other. */
export interface BlockConsumer {
  /** Forgets the points so far. */
  start(): void;
  /** Field by field, those of a field in order of time, cut to the range. */
  add(block: BlockView): void;
}

/**
 * Fills `sink` window by window, in order of time, and yields when it holds one. No window has more points, or more
 * intervals, than there is room for, unless a single interval has more.
 */
export async function* scanInChunks(
  scope: Scope,
  { intervalMs, room = ROOM }: Division,
  sink: BlockConsumer,
): AsyncGenerator<Range> {
  const { range } = scope;
  const estimate = (await countBlocks(scope)) * BLOCK_POINTS;
  if (estimate === 0) return;
  const startAt = floorTo(range.fromAt, intervalMs);
  const total = Math.ceil((range.toAt - startAt) / intervalMs);
  const limit = (intervals: number) => Math.min(Math.max(Math.floor(intervals), 1), total, room);
  let intervals = limit((total * FILL * room) / estimate);
  for (let at = startAt; at < range.toAt; ) {
    const endAt = Math.min(at + intervals * intervalMs, range.toAt);
    const part = { fromAt: Math.max(at, range.fromAt), toAt: endAt };
    sink.start();
    const points = await fillWindow({ ...scope, range: part }, sink, intervals > 1 ? room : Infinity);
    if (points > room && intervals > 1) {
      intervals = limit(intervals / 2);
      continue;
    }
    yield part;
    at = endAt;
    intervals = limit(intervals * Math.min((FILL * room) / (points + 1), MAX_GROWTH));
  }
}

/** Number of points; it stops as soon as there is no room for more. */
async function fillWindow(scope: Scope, sink: BlockConsumer, room: number): Promise<number> {
  let points = 0;
  await visitBlocks(scope, (block) => {
    points += block.values.length;
    if (points > room) return false;
    sink.add(block);
    return true;
  });
  return points;
}
