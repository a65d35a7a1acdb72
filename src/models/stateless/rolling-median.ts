// The median of a window that slides over a column.

/** Its windows may only move forward. */
export class RollingMedian {
  private readonly sorted: Float64Array;
  private count = 0;
  private from = 0;
  private to = 0;

  /** @param column NaN = missing; @param width of the longest window */
  constructor(
    private readonly column: Float64Array,
    width: number,
  ) {
    this.sorted = new Float64Array(width + 1);
  }

  /** Median of `from` (inclusive) to `to` (exclusive); NaN where nothing is there. Neither may ever decrease. */
  over(from: number, to: number): number {
    while (this.from < from) this.remove(this.column[this.from++]!);
    while (this.to < to) this.add(this.column[this.to++]!);
    const middle = this.count >> 1;
    if (this.count === 0) return Number.NaN;
    return this.count % 2 === 1
      ? this.sorted[middle]!
      : (this.sorted[middle - 1]! + this.sorted[middle]!) / 2;
  }

  private add(value: number): void {
    if (Number.isNaN(value)) return;
    const place = this.find(value);
    this.sorted.copyWithin(place + 1, place, this.count++);
    this.sorted[place] = value;
  }

  private remove(value: number): void {
    if (Number.isNaN(value)) return;
    const place = this.find(value);
    this.sorted.copyWithin(place, place + 1, this.count--);
  }

  /** Place of the first value that is not below. */
  private find(value: number): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.sorted[middle]! < value) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
