// Series cursors: a position in each series of a chunk, so that all series are read forward together.
import { type BlockView, findOffset } from "./block.ts";
import type { BlockConsumer } from "./chunks.ts";
import { dropTexts } from "./special/kept-points.ts";

/** The points `from` (inclusive) to `to` (exclusive) of a block. */
export interface BlockSlice {
  readonly block: BlockView;
  readonly from: number;
  readonly to: number;
}

interface Cursor {
  readonly blocks: BlockView[];
  /** Indexes of the next point: of its block, and within the block. */
  block: number;
  point: number;
}

/** Number of points in the slices. */
export function sizeOf(slices: readonly BlockSlice[]): number {
  let points = 0;
  for (const { from, to } of slices) points += to - from;
  return points;
}

/** Consumes the blocks of a chunk without texts and booleans. Memory: the blobs; copies of those with texts. */
export class SeriesCursors implements BlockConsumer {
  #cursors: Cursor[] = [];
  #points = 0;
  #endAt = Infinity;

  /** Points of the chunk. */
  get points(): number {
    return this.#points;
  }

  start(): void {
    this.#cursors = [];
    this.#points = 0;
    this.#endAt = Infinity;
  }

  /** A block that starts after the end of the one before extends its series: two fields in sequence are one series. */
  add(view: BlockView): void {
    const block = dropTexts(view);
    const { startAt, offsets } = block;
    if (offsets.length === 0) return;
    if (startAt + offsets[0]! <= this.#endAt) this.#cursors.push({ blocks: [], block: 0, point: 0 });
    this.#cursors[this.#cursors.length - 1]!.blocks.push(block);
    this.#endAt = startAt + offsets[offsets.length - 1]!;
    this.#points += offsets.length;
  }

  /** Advances all cursors to `toAt` (ms). @returns the points passed, series by series */
  takeBefore(toAt: number): BlockSlice[][] {
    return this.#cursors.map((cursor) => advance(cursor, toAt));
  }
}

function advance(cursor: Cursor, toAt: number): BlockSlice[] {
  const slices: BlockSlice[] = [];
  for (; cursor.block < cursor.blocks.length; cursor.block++) {
    const block = cursor.blocks[cursor.block]!;
    const { point: from } = cursor;
    const to = findOffset(block.offsets, toAt - block.startAt, from);
    if (to > from) slices.push({ block, from, to });
    cursor.point = to;
    if (to < block.offsets.length) return slices;
    cursor.point = 0;
  }
  return slices;
}
