// Overlay of the head on the blocks of a field: one sequence of blocks, in order of time, that do not overlap. Pure.
import {
  type BlockRow,
  type BlockView,
  decodeBlock,
  type EvenOffsets,
  encodeBlock,
  type FieldPoints,
  mergePoints,
  slicePoints,
  splitIntoBlocks,
  viewBlock,
} from "../block.ts";

type StoredRow = Omit<BlockRow, "end_at">;

/** Views the blocks with the points of the head between them, or in place of theirs at the same instants. */
export function* overlay(
  rows: Iterable<StoredRow>,
  points: FieldPoints,
  evenOffsets: EvenOffsets,
): Generator<BlockView> {
  let next = 0;
  const takeUntil = (isBefore: (at: number) => boolean): FieldPoints | undefined => {
    const from = next;
    while (next < points.times.length && isBefore(points.times[next]!)) next++;
    return next > from ? slicePoints(points, from, next) : undefined;
  };
  for (const row of rows) {
    const before = takeUntil((at) => at < row.start_at);
    if (before) yield* viewPoints(before);
    const view = viewBlock(row, evenOffsets);
    const lastAt = view.startAt + view.offsets[view.offsets.length - 1]!;
    const within = takeUntil((at) => at <= lastAt);
    if (within) yield* viewPoints(mergePoints(decodeBlock(row), within));
    else yield view;
  }
  const rest = takeUntil(() => true);
  if (rest) yield* viewPoints(rest);
}

function* viewPoints(points: FieldPoints): Generator<BlockView> {
  for (const part of splitIntoBlocks(points, true)) yield viewBlock(encodeBlock(part));
}
