// Median of a sliding window, kept sorted: each step inserts and removes a few values.
import { lowerBound } from "../stats/indices.ts";

/** Windows may only move forward. */
export class RollingMedian {
  readonly #sorted: Float64Array;
  #count = 0;
  #from = 0;
  #to = 0;

  /**
   * @param column NaN = missing
   * @param width length of the longest window
   */
  constructor(
    private readonly column: Float64Array,
    width: number,
  ) {
    this.#sorted = new Float64Array(width + 1);
  }

  /** Median of the values in [from, to), whose ends never decrease; NaN without values. */
  over(from: number, to: number): number {
    while (this.#from < from) this.#remove(this.column[this.#from++]!);
    while (this.#to < to) this.#add(this.column[this.#to++]!);
    const middle = this.#count >> 1;
    if (this.#count === 0) return Number.NaN;
    return this.#count % 2 === 1
      ? this.#sorted[middle]!
      : (this.#sorted[middle - 1]! + this.#sorted[middle]!) / 2;
  }

  #add(value: number): void {
    if (Number.isNaN(value)) return;
    const at = lowerBound(this.#sorted, value, this.#count);
    this.#sorted.copyWithin(at + 1, at, this.#count++);
    this.#sorted[at] = value;
  }

  #remove(value: number): void {
    if (Number.isNaN(value)) return;
    const at = lowerBound(this.#sorted, value, this.#count);
    this.#sorted.copyWithin(at, at + 1, this.#count--);
  }
}
