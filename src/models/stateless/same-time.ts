// Sample of the values at one time of other cycles and of their neighbours in time; pure.
import { MAD_TO_DEVIATION, medianOf, WeightedSample } from "../stats/median.ts";

/** Weight of the neighbours in time, beside 1. */
const NEIGHBOUR_WEIGHT = 0.5;
/** Distance of a time from its neighbours above which it is a peak of its own, as a job of one interval is, in deviations. */
const PEAK_DEVIATIONS = 3;
/** Least values that show a peak. */
const MIN_OWN = 3;

export class SameTimeSample {
  readonly #all: WeightedSample;
  readonly #own: WeightedSample;
  readonly #neighbours: WeightedSample;

  /** @param cycles most values at the time itself */
  constructor(cycles: number) {
    this.#all = new WeightedSample(3 * cycles);
    this.#own = new WeightedSample(cycles);
    this.#neighbours = new WeightedSample(2 * cycles);
  }

  clear(): void {
    for (const sample of [this.#all, this.#own, this.#neighbours]) sample.clear();
  }

  /** Adds a value without its neighbours; NaN is ignored. */
  add(value: number): void {
    this.#all.add(value, 1);
    this.#own.add(value, 1);
  }

  /** Adds the neighbours of a value. */
  addNeighbours(column: Float64Array, i: number): void {
    for (const k of [i - 1, i + 1]) {
      this.#all.add(column[k] ?? Number.NaN, NEIGHBOUR_WEIGHT);
      this.#neighbours.add(column[k] ?? Number.NaN, 1);
    }
  }

  /**
   * Weighted median, of the time alone where that is a peak; 0 when empty.
   * @param noise deviation of a value from that of another cycle
   */
  usual(noise: number): number {
    if (this.#own.count >= MIN_OWN && this.#neighbours.count > 0) {
      const own = this.#own.median();
      if (Math.abs(own - this.#neighbours.median()) > PEAK_DEVIATIONS * noise) return own;
    }
    return this.#all.median() || 0;
  }
}

/** Deviation of a value from that of another cycle, without what repeats. */
export function noiseBetweenCycles(column: Float64Array, period: number): number {
  const pairs = column.subarray(period).map((value, i) => Math.abs(value - column[i]!));
  return (MAD_TO_DEVIATION * medianOf(pairs)) / Math.SQRT2;
}
