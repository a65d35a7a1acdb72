// Bundles: lanes that have points at the same instants, as those of agents that report together, so that the order
// of their points is worked out once for all of them. Pure.
import { type Piece, sizeOf } from "./lanes.ts";

/** Lanes with as many points each, at the same instants. */
export interface Bundle {
  readonly lanes: (readonly Piece[])[];
  /** Number of their first instant in those of all bundles, and how many they are. */
  readonly first: number;
  readonly count: number;
}

/** Puts lanes into bundles. Memory: 8 bytes an instant, kept for the next ones. */
export class Bundler {
  #instants = new Float64Array(0);
  #bundles: Bundle[] = [];
  #end = 0;

  /** Of one bundle after the other, ascending in each; ms since some start. */
  get instants(): Float64Array {
    return this.#instants.subarray(0, this.#end);
  }

  get bundles(): readonly Bundle[] {
    return this.#bundles;
  }

  /** Forgets the bundles so far. @param points how many will come at most */
  start(points: number): void {
    if (points > this.#instants.length) this.#instants = new Float64Array(Math.ceil(points * 1.25));
    this.#bundles = [];
    this.#end = 0;
  }

  /** Adds a lane, to the last bundle if it has the same instants. @param startAt what they are counted from, ms */
  add(lane: readonly Piece[], startAt: number): void {
    const count = sizeOf(lane);
    if (count === 0) return;
    const last = this.#bundles[this.#bundles.length - 1];
    if (last && isCutAlike(last.lanes[0]!, lane)) {
      last.lanes.push(lane);
      return;
    }
    this.#copyInstants(lane, startAt);
    if (last?.count === count && this.#isSame(last.first, this.#end, count)) {
      last.lanes.push(lane);
      return;
    }
    this.#bundles.push({ lanes: [lane], first: this.#end, count });
    this.#end += count;
  }

  /** Behind the last ones. */
  #copyInstants(lane: readonly Piece[], firstAt: number): void {
    const instants = this.#instants;
    let end = this.#end;
    for (const { block, from, to } of lane) {
      const { offsets } = block;
      const start = block.startAt - firstAt;
      for (let i = from; i < to; i++) instants[end++] = start + offsets[i]!;
    }
  }

  #isSame(a: number, b: number, count: number): boolean {
    const instants = this.#instants;
    let i = 0;
    while (i < count && instants[a + i] === instants[b + i]) i++;
    return i === count;
  }
}

/** True where lanes need no closer look: they are of even blocks that begin together and are as long. */
function isCutAlike(a: readonly Piece[], b: readonly Piece[]): boolean {
  return a.length === b.length && a.every((piece, i) => isAlike(piece, b[i]!));
}

function isAlike(a: Piece, b: Piece): boolean {
  if (a.block.step === undefined || a.block.step !== b.block.step) return false;
  return a.to - a.from === b.to - b.from && firstAtOf(a) === firstAtOf(b);
}

function firstAtOf({ block: { startAt, offsets }, from }: Piece): number {
  return startAt + offsets[from]!;
}
