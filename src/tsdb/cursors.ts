// Lanes: the numbers of a window side by side, block by block, each lane in order of time, to go through all together.
import { type BlockView, findOffset, keepNumbers } from "./block.ts";
import type { BlockConsumer } from "./window.ts";

/** The points number `from` (inclusive) to `to` (exclusive) of a block. */
export interface Piece {
  readonly block: BlockView;
  readonly from: number;
  readonly to: number;
}

interface Lane {
  readonly blocks: BlockView[];
  /** The next point that was not taken: the number of its block, and its own in the block. */
  block: number;
  point: number;
}

/** How many points some pieces have. */
export function sizeOf(pieces: readonly Piece[]): number {
  let points = 0;
  for (const { from, to } of pieces) points += to - from;
  return points;
}

/** Takes the blocks of a window; their texts and booleans are left out. Memory: the blobs of the blocks; those with a text are copied. */
export class SeriesCursors implements BlockConsumer {
  #lanes: Lane[] = [];
  #points = 0;
  #endAt = Infinity;

  /** Points of the window. */
  get points(): number {
    return this.#points;
  }

  start(): void {
    this.#lanes = [];
    this.#points = 0;
    this.#endAt = Infinity;
  }

  /** Next to the lane before where it does not come after all of it: a field may have ended where the next begins. */
  add(view: BlockView): void {
    const block = keepNumbers(view);
    const { startAt, offsets } = block;
    if (offsets.length === 0) return;
    if (startAt + offsets[0]! <= this.#endAt) this.#lanes.push({ blocks: [], block: 0, point: 0 });
    this.#lanes[this.#lanes.length - 1]!.blocks.push(block);
    this.#endAt = startAt + offsets[offsets.length - 1]!;
    this.#points += offsets.length;
  }

  /** The points before `toAt` (ms) that were not taken yet, lane by lane. */
  takeBefore(toAt: number): Piece[][] {
    return this.#lanes.map((lane) => takeFrom(lane, toAt));
  }
}

function takeFrom(lane: Lane, toAt: number): Piece[] {
  const pieces: Piece[] = [];
  for (; lane.block < lane.blocks.length; lane.block++) {
    const block = lane.blocks[lane.block]!;
    const { point: from } = lane;
    const to = findOffset(block.offsets, toAt - block.startAt, from);
    if (to > from) pieces.push({ block, from, to });
    lane.point = to;
    if (to < block.offsets.length) return pieces;
    lane.point = 0;
  }
  return pieces;
}
