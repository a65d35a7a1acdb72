// Least squares of one line in a part of a column, by its sums; NaN = missing; pure.

/** Reused for one part after another. */
export class LineSums {
  /** Present values. */
  count = 0;
  #x = 0;
  #y = 0;
  #xx = 0;
  #xy = 0;
  #yy = 0;

  /** Sums of the present values in [from, to). */
  set(column: Float64Array, from: number, to: number): void {
    this.count = this.#x = this.#y = this.#xx = this.#xy = this.#yy = 0;
    for (let i = from; i < to; i++) {
      const y = column[i]!;
      if (Number.isNaN(y)) continue;
      const x = i - from;
      this.count++;
      this.#x += x;
      this.#y += y;
      this.#xx += x * x;
      this.#xy += x * y;
      this.#yy += y * y;
    }
  }

  /** Sum of the squared distances from the line; of fewer than two values 0. */
  squaredError(): number {
    const { count } = this;
    if (count < 2) return 0;
    const [xx, xy, yy] = [
      this.#xx - (this.#x * this.#x) / count,
      this.#xy - (this.#x * this.#y) / count,
      this.#yy - (this.#y * this.#y) / count,
    ];
    return Math.max(0, yy - (xy * xy) / xx);
  }
}
