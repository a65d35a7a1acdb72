// Bundles: series that have points at the same instants, as those of agents that report together, so that the order
// of their points is worked out once for all of them. Pure.
import type { Piece } from "./lanes.ts";

/** Numbers of some series, as many of each, at the same instants. */
export interface Bundle {
  readonly series: number;
  /** Ascending, ms since some start. */
  readonly instants: Float64Array;
  /** Series by series, of each one value per instant. */
  readonly values: Float64Array;
}

/** Copies points into bundles; texts and booleans are left out. Memory: 16 bytes a point, kept for the next ones. */
export class Bundler {
  #instants = new Float64Array(0);
  #values = new Float64Array(0);
  #bundles: { series: number; from: number; count: number; valuesFrom: number }[] = [];
  #instantsEnd = 0;
  #valuesEnd = 0;

  /** Forgets the bundles so far. @param points how many will come at most */
  start(points: number): void {
    if (points > this.#values.length) {
      this.#instants = new Float64Array(Math.ceil(points * 1.25));
      this.#values = new Float64Array(this.#instants.length);
    }
    this.#bundles = [];
    this.#instantsEnd = 0;
    this.#valuesEnd = 0;
  }

  /** Adds a series, to the last bundle if it has the same instants. @param startAt what its instants are counted from, ms */
  add(pieces: readonly Piece[], startAt: number): void {
    const [from, valuesFrom] = [this.#instantsEnd, this.#valuesEnd];
    let count = 0;
    for (const piece of pieces) count = this.#copy(piece, startAt, count);
    if (count === 0) return;
    this.#valuesEnd += count;
    const last = this.#bundles[this.#bundles.length - 1];
    if (last?.count === count && this.#isSame(last.from, from, count)) last.series++;
    else {
      this.#bundles.push({ series: 1, from, count, valuesFrom });
      this.#instantsEnd += count;
    }
  }

  /** Views, until the next start. */
  bundles(): Bundle[] {
    return this.#bundles.map(({ series, from, count, valuesFrom }) => ({
      series,
      instants: this.#instants.subarray(from, from + count),
      values: this.#values.subarray(valuesFrom, valuesFrom + series * count),
    }));
  }

  #copy({ block: { startAt, offsets, values }, from, to }: Piece, firstAt: number, done: number): number {
    const { instants, values: copies } = { instants: this.#instants, values: this.#values };
    const [start, instantsEnd, valuesEnd] = [startAt - firstAt, this.#instantsEnd, this.#valuesEnd];
    let count = done;
    for (let i = from; i < to; i++) {
      const value = values[i]!;
      if (Number.isNaN(value)) continue;
      instants[instantsEnd + count] = start + offsets[i]!;
      copies[valuesEnd + count] = value;
      count++;
    }
    return count;
  }

  #isSame(a: number, b: number, count: number): boolean {
    const instants = this.#instants;
    let i = 0;
    while (i < count && instants[a + i] === instants[b + i]) i++;
    return i === count;
  }
}
