// Bundles: lanes that have points at the same instants, as those of agents that report together, so that the order
// of their points is worked out once for all of them. Pure.
import { type Piece, sizeOf } from "./cursors.ts";

/** Lanes with as many points each, at the same instants, in as many pieces. */
export interface AlignedSeries {
  readonly lanes: (readonly Piece[])[];
  /** Number of their first instant in those of all bundles, and how many they are. */
  readonly first: number;
  readonly count: number;
}

/** Puts lanes into bundles, each into that of the lane before if it has the same instants. */
export class Bundler {
  readonly bundles: AlignedSeries[] = [];
  #end = 0;

  /** How many instants the bundles have. */
  get instants(): number {
    return this.#end;
  }

  add(lane: readonly Piece[]): void {
    const count = sizeOf(lane);
    if (count === 0) return;
    const last = this.bundles[this.bundles.length - 1];
    if (last?.count === count && areTogether(last.lanes[0]!, lane)) {
      last.lanes.push(lane);
      return;
    }
    this.bundles.push({ lanes: [lane], first: this.#end, count });
    this.#end += count;
  }
}

/** True of lanes that are cut alike, as those are which were written together. */
function areTogether(a: readonly Piece[], b: readonly Piece[]): boolean {
  return a.length === b.length && a.every((piece, i) => haveSameInstants(piece, b[i]!));
}

function haveSameInstants(a: Piece, b: Piece): boolean {
  const { startAt, offsets, step } = a.block;
  const { startAt: otherStartAt, offsets: others, step: otherStep } = b.block;
  const length = a.to - a.from;
  if (b.to - b.from !== length) return false;
  const later = otherStartAt - startAt;
  if (offsets[a.from] !== others[b.from]! + later) return false;
  if (step !== undefined && step === otherStep) return true;
  let i = 1;
  while (i < length && offsets[a.from + i] === others[b.from + i]! + later) i++;
  return i === length;
}
