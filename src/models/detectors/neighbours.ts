// Neighbour detectors: distance of the last window to its nearest earlier window; exact, in integers; pure.

/** Earlier windows that a window is compared with, by their lag in points. */
export const MAX_LAG = 4000;
/** Length of the longest windows, in points. */
export const LONGEST_SPAN = 100;
/** Least lag: windows of a smooth series resemble themselves. */
export const MIN_LAG = 3;
/** Earlier windows that a distance needs, in lengths of the window. */
const MIN_WINDOWS = 3;
/** Least distance, in deviations of the series: smaller ones are equal. */
export const DISTANCE_FLOOR = 0.02;

/** Values are stored as multiples of `QUANTUM` deviations up to `CLIP` deviations: 16 bits. */
const CLIP = 50;
/** Quanta of a clipped value. */
export const LEVELS = 32_767;
const QUANTUM = CLIP / LEVELS;
/** Values that later windows are compared with, oldest first, in quanta: as many as the longest window and lag need. */
export const HISTORY_LENGTH = MAX_LAG + LONGEST_SPAN;

/** @param z in deviations */
export function quantise(z: number): number {
  return Math.round(Math.max(-CLIP, Math.min(CLIP, z)) / QUANTUM);
}

/** As `quantise`, of values as large as they are. @param z in deviations */
export function toQuanta(z: number): number {
  return Math.abs(z) > CLIP ? z / QUANTUM : quantise(z);
}

/** Inverse of `quantise`, in deviations. */
export function dequantise(quanta: number): number {
  return quanta * QUANTUM;
}

/** The end of a history as base64 of little-endian 16-bit integers. */
export function encodeHistory(history: Float64Array): string {
  const recent = new Int16Array(history.subarray(Math.max(0, history.length - HISTORY_LENGTH)));
  return Buffer.from(recent.buffer).toString("base64");
}

/** Inverse of `encodeHistory`. */
export function decodeHistory(text: string): Float64Array {
  const bytes = Buffer.from(text, "base64");
  const count = Math.min(HISTORY_LENGTH, bytes.length >> 1);
  // A copy: the bytes of a small Buffer are part of a pool, and may begin at an odd address.
  const values = new Int16Array(count);
  new Uint8Array(values.buffer).set(bytes.subarray(0, 2 * count));
  return new Float64Array(values);
}

/** The nearest earlier window. */
export interface Nearest {
  /** Root of the mean squared difference, in deviations; at least `DISTANCE_FLOOR`. */
  readonly distance: number;
  /** Points between the ends of both windows. */
  readonly lag: number;
}

/** A growing series in quanta, and where no window to compare with may end. */
class Values {
  readonly quanta: Float64Array;
  /** 1 = barred. */
  readonly barred: Uint8Array;
  count = 0;

  constructor(history: Float64Array, capacity: number) {
    this.quanta = new Float64Array(history.length + capacity);
    this.barred = new Uint8Array(this.quanta.length);
    this.quanta.set(history);
    this.count = history.length;
  }

  push(value: number): void {
    this.quanta[this.count++] = value;
  }

  bar(index: number, isBarred: boolean): void {
    if (index >= 0 && index < this.count) this.barred[index] = Number(isBarred);
  }
}

/** Placeholder until the first use: a live window prepares no window of the range score. */
const noSums = new Float64Array();
/** Sums of series that are scored already: those of a model alone would be 100 kB of garbage for each live window. */
const spareSums: (typeof noSums)[] = [];

/**
 * Windows of one length. Per earlier window, the sum of squared differences of all points but the last is updated from
 * point to point. Sums of integers below 2^53 are exact, so they do not depend on where an evaluation begins.
 */
class Scale {
  /** By position: the window at position j lags `MAX_LAG - j` points behind. */
  #sums = noSums;
  /** Positions from this one on have a sum. */
  #knownFrom = MAX_LAG + 1;
  /** Number of values that the sums are valid for. */
  #at = -1;
  #best = 0;

  constructor(
    readonly span: number,
    private readonly values: Values,
  ) {}

  /** Takes the sums to the point that follows the values. @returns false if there are too few windows */
  prepare(): boolean {
    const { values, span } = this;
    const { count } = values;
    if (this.#sums === noSums) this.#sums = spareSums.pop() ?? new Float64Array(MAX_LAG + 1);
    const first = Math.max(0, MAX_LAG - (count - span + 1));
    const end = this.#end;
    if (this.#at !== count) {
      if (this.#at === count - 1 && this.#knownFrom < end) {
        this.#update(this.#knownFrom, end);
        this.#sum(first, this.#knownFrom);
      } else this.#sum(first, end);
      this.#knownFrom = first;
      this.#at = count;
      this.#best = this.#nearestBefore(first, end);
    }
    return end - first >= MIN_WINDOWS * span;
  }

  /** Hands the sums on to another series. */
  release(): void {
    if (this.#sums !== noSums) spareSums.push(this.#sums);
    this.#sums = noSums;
    this.#knownFrom = MAX_LAG + 1;
    this.#at = -1;
  }

  /** The value that followed the nearest window, in quanta. */
  expected(): number {
    return this.values.quanta[this.#offset + this.#best]!;
  }

  /** The nearest window if the last point is `value` (quanta). */
  nearest(value: number): Nearest {
    const sums = this.#sums;
    const { quanta, barred } = this.values;
    const [offset, end] = [this.#offset, this.#end];
    let best = Number.POSITIVE_INFINITY;
    let position = 0;
    for (let j = this.#knownFrom; j < end; j++) {
      if (barred[offset + j] === 1) continue;
      const difference = value - quanta[offset + j]!;
      const sum = sums[j]! + difference * difference;
      if (sum < best) {
        best = sum;
        position = j;
      }
    }
    return { distance: toDistance(best, this.span), lag: MAX_LAG - position };
  }

  /** Exclusive end of the positions: later windows overlap with the last one. */
  get #end(): number {
    return MAX_LAG - Math.max(MIN_LAG, this.span) + 1;
  }

  /** Index of the last value of the window at position 0. */
  get #offset(): number {
    return this.values.count - MAX_LAG;
  }

  /** Position of the window whose points before the last are nearest. */
  #nearestBefore(from: number, to: number): number {
    const sums = this.#sums;
    const { barred } = this.values;
    const offset = this.#offset;
    let best = Number.POSITIVE_INFINITY;
    let position = 0;
    for (let j = from; j < to; j++)
      if (sums[j]! < best && barred[offset + j] === 0) {
        best = sums[j]!;
        position = j;
      }
    return position;
  }

  #update(from: number, to: number): void {
    const { quanta, count } = this.values;
    const windows = (k: number) => quanta.subarray(count - k - MAX_LAG + from, count - k - MAX_LAG + to);
    const sums = this.#sums.subarray(from, to);
    addSquares(sums, quanta[count - 1]!, windows(1));
    subtractSquares(sums, quanta[count - this.span]!, windows(this.span));
  }

  #sum(from: number, to: number): void {
    const sums = this.#sums;
    const { quanta, count } = this.values;
    const offset = this.#offset;
    for (let j = from; j < to; j++) {
      let sum = 0;
      for (let k = 1; k < this.span; k++) {
        const difference = quanta[count - k]! - quanta[offset + j - k]!;
        sum += difference * difference;
      }
      sums[j] = sum;
    }
  }
}

/** Distance in deviations from a sum of squared differences in quanta. */
export function toDistance(sum: number, span: number): number {
  return Math.max(DISTANCE_FLOOR, Math.sqrt(sum / span) * QUANTUM);
}

function addSquares(sums: Float64Array, value: number, others: Float64Array): void {
  for (let j = 0; j < sums.length; j++) {
    const difference = value - others[j]!;
    sums[j] = sums[j]! + difference * difference;
  }
}

function subtractSquares(sums: Float64Array, value: number, others: Float64Array): void {
  for (let j = 0; j < sums.length; j++) {
    const difference = value - others[j]!;
    sums[j] = sums[j]! - difference * difference;
  }
}

/** Nearest earlier windows of a growing series. */
export class Neighbours {
  readonly #values: Values;
  /** By length of the windows, in points; made at the first use. */
  readonly #scales = new Map<number, Scale>();

  /**
   * @param history in quanta
   * @param capacity number of values that may follow
   */
  constructor(history: Float64Array, capacity: number) {
    this.#values = new Values(history, capacity);
  }

  /** Prepares the point that follows. @returns false if too few earlier windows are known */
  prepare(span: number): boolean {
    return this.#scaleOf(span).prepare();
  }

  /** The value that followed the nearest window, in deviations. */
  expected(span: number): number {
    return dequantise(this.#scaleOf(span).expected());
  }

  /** The nearest window that ends with `z` (deviations). */
  nearest(span: number, z: number): Nearest {
    return this.#scaleOf(span).nearest(quantise(z));
  }

  /** Value of so many points before the newest one, in deviations; NaN = unknown, or part of an anomaly. */
  valueBefore(age: number): number {
    const { count, barred } = this.#values;
    return barred[count - 1 - age] === 1 ? Number.NaN : this.recorded(age);
  }

  /** As `valueBefore`, of anomalies, too. */
  recorded(age: number): number {
    const { count, quanta } = this.#values;
    const index = count - 1 - age;
    return index < 0 || index >= count ? Number.NaN : dequantise(quanta[index]!);
  }

  /** The newest value, in deviations; NaN without any. */
  get newest(): number {
    return this.recorded(0);
  }

  /** Number of known values. */
  get count(): number {
    return this.#values.count;
  }

  /** Appends a value, in deviations. */
  push(z: number): void {
    this.#values.push(quantise(z));
  }

  /** Bars the windows that end at a value, or admits them again. @param age 0 = the newest value */
  bar(age: number, isBarred: boolean): void {
    this.#values.bar(this.#values.count - 1 - age, isBarred);
  }

  /** Ends the comparisons: the memory of their sums serves other series. */
  release(): void {
    for (const scale of this.#scales.values()) scale.release();
  }

  /** The newest values, in quanta. */
  toHistory(): Float64Array {
    const { quanta, count } = this.#values;
    return quanta.subarray(Math.max(0, count - HISTORY_LENGTH), count);
  }

  #scaleOf(span: number): Scale {
    const known = this.#scales.get(span);
    if (known) return known;
    const scale = new Scale(span, this.#values);
    this.#scales.set(span, scale);
    return scale;
  }
}
