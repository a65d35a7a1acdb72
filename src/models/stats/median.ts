// Medians of the present values, plain and weighted; pure.

/** Gaps of Shell's sort (Ciura 2001), which sorts pairs in place. */
const GAPS = [301, 132, 57, 23, 10, 4, 1];

/** Passes over the values that a median is looked for in: some are enough but for an order made to slow it down. */
const MAX_ROUNDS = 40;

/** Ratio of the standard deviation of a normal distribution to its median absolute deviation. */
export const MAD_TO_DEVIATION = 1.4826;

/** Median of the finite values; NaN without any. */
export function medianOf(values: ArrayLike<number>): number {
  const finite = new Float64Array(values.length);
  let count = 0;
  for (let i = 0; i < values.length; i++) if (Number.isFinite(values[i]!)) finite[count++] = values[i]!;
  if (count === 0) return Number.NaN;
  const middle = count >> 1;
  const upper = select(finite, count, middle);
  if (count % 2 === 1) return upper;
  let lower = finite[0]!;
  for (let i = 1; i < middle; i++) if (finite[i]! > lower) lower = finite[i]!;
  return (lower + upper) / 2;
}

/** The value of a place in the order of the first `count` values, moved there; smaller ones are before it (Hoare 1961). */
function select(values: Float64Array, count: number, place: number): number {
  let from = 0;
  let to = count - 1;
  for (let round = 0; from < to; round++) {
    // Values in an order that defeats the pivots are sorted.
    if (round === MAX_ROUNDS) {
      values.subarray(from, to + 1).sort();
      break;
    }
    const pivot = values[place]!;
    let i = from;
    let j = to;
    do {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const value = values[i]!;
      values[i++] = values[j]!;
      values[j--] = value;
    } while (i <= j);
    if (j < place) from = i;
    if (i > place) to = j;
  }
  return values[place]!;
}

/** Median of values in order; NaN without any. */
export function medianOfSorted(sorted: Float64Array): number {
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

/** Upper median of the finite values; infinite without any. */
export function upperMedianOf(values: Float64Array): number {
  const sorted = values.filter(Number.isFinite).sort();
  return sorted.length === 0 ? Number.POSITIVE_INFINITY : sorted[sorted.length >> 1]!;
}

/** Reusable buffer of weighted values, cleared for every median. */
export class WeightedSample {
  readonly #values: Float64Array;
  readonly #weights: Float64Array;
  #count = 0;

  constructor(capacity: number) {
    this.#values = new Float64Array(capacity);
    this.#weights = new Float64Array(capacity);
  }

  clear(): void {
    this.#count = 0;
  }

  get count(): number {
    return this.#count;
  }

  /** Adds a value; NaN is ignored. */
  add(value: number, weight: number): void {
    if (!Number.isFinite(value)) return;
    this.#values[this.#count] = value;
    this.#weights[this.#count++] = weight;
  }

  /** Weighted median: the value below which half of the weight lies, or the mean of two such values; NaN when empty. */
  median(): number {
    this.#sort();
    const [values, weights, count] = [this.#values, this.#weights, this.#count];
    let total = 0;
    for (let i = 0; i < count; i++) total += weights[i]!;
    let below = 0;
    for (let i = 0; i < count; i++) {
      below += weights[i]!;
      if (2 * below > total) return values[i]!;
      if (2 * below === total && i + 1 < count) return (values[i]! + values[i + 1]!) / 2;
    }
    return count > 0 ? values[count - 1]! : Number.NaN;
  }

  #sort(): void {
    const [values, weights, count] = [this.#values, this.#weights, this.#count];
    for (const gap of GAPS) {
      for (let i = gap; i < count; i++) {
        const value = values[i]!;
        const weight = weights[i]!;
        let j = i;
        for (; j >= gap && values[j - gap]! > value; j -= gap) {
          values[j] = values[j - gap]!;
          weights[j] = weights[j - gap]!;
        }
        values[j] = value;
        weights[j] = weight;
      }
    }
  }
}
