// Instants of one series that have been seen, kept as runs of even steps: a long file needs little memory.

interface Run {
  readonly start: number;
  step: number;
  count: number;
}

/** A set of instants; small where they ascend or descend evenly. */
export class SeenInstants {
  /** Ascending runs of instants that came in the order of the file. */
  readonly #runs: Run[] = [];
  /** Instants that came out of order. */
  readonly #others = new Set<number>();
  #last: number | undefined;
  /** 1: ascending, -1: descending; of the first two. */
  #direction = 0;

  /** @returns whether it was new */
  add(at: number): boolean {
    if (this.#last === undefined) {
      this.#last = at;
      this.#runs.push({ start: at, step: 0, count: 1 });
      return true;
    }
    if (at === this.#last) return false;
    this.#direction ||= Math.sign(at - this.#last);
    if (this.#others.has(at)) return false;
    if (Math.sign(at - this.#last) === this.#direction) return this.#append(at);
    if (this.#isInRun(at)) return false;
    this.#others.add(at);
    return true;
  }

  #append(at: number): boolean {
    const run = this.#runs.at(-1)!;
    const step = at - this.#last!;
    this.#last = at;
    if (run.count === 1) run.step = step;
    if (run.step === step) run.count++;
    else this.#runs.push({ start: at, step: 0, count: 1 });
    return true;
  }

  #isInRun(at: number): boolean {
    let [low, high] = [0, this.#runs.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((at - this.#runs[middle]!.start) * this.#direction >= 0) low = middle;
      else high = middle;
    }
    const { start, step, count } = this.#runs[low]!;
    const steps = step === 0 ? Number(at !== start) : (at - start) / step;
    return Number.isInteger(steps) && steps >= 0 && steps < count;
  }
}
