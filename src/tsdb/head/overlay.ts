// Overlay of the head on the blocks of a field: one sequence of blocks, in order of time, that do not overlap. Pure.
import {
  type BlockRow,
  type BlockView,
  decodeBlock,
  type EvenOffsets,
  type FieldPoints,
  mergePoints,
  slicePoints,
  splitIntoBlocks,
  viewBlock,
  viewPoints,
} from "../block.ts";

/** The blocks of one field, with the points of the head between them, or in place of theirs at the same instants. */
export class Overlay {
  #next = 0;

  /** @param evenOffsets reused over the blocks of a scan */
  constructor(
    private readonly points: FieldPoints,
    private readonly evenOffsets: EvenOffsets,
  ) {}

  /** What comes up to the end of the next block; undefined: behind the last one. */
  take(row: Omit<BlockRow, "end_at"> | undefined): BlockView[] {
    if (!row) return this.#viewAll(this.#takeUntil(Infinity));
    const view = viewBlock(row, this.evenOffsets);
    const before = this.#viewAll(this.#takeUntil(row.start_at));
    const within = this.#takeUntil(view.startAt + view.offsets[view.offsets.length - 1]! + 1);
    if (!within) return [...before, view];
    return [...before, ...this.#viewAll(mergePoints(decodeBlock(row), within))];
  }

  /** @param endAt exclusive */
  #takeUntil(endAt: number): FieldPoints | undefined {
    const { times } = this.points;
    const from = this.#next;
    while (this.#next < times.length && times[this.#next]! < endAt) this.#next++;
    return this.#next > from ? slicePoints(this.points, from, this.#next) : undefined;
  }

  #viewAll(points: FieldPoints | undefined): BlockView[] {
    return points ? splitIntoBlocks(points, true).map((part) => viewPoints(part, this.evenOffsets)) : [];
  }
}
