// Neighbour detectors: distance of the last window to its nearest earlier window; exact, in integers; pure.
import { clip } from "../linear.ts";
import { dequantise, HISTORY_LENGTH, quantise } from "./quanta.ts";
import { type Nearest, Values, Windows } from "./windows.ts";

/** Nearest earlier windows of a growing series. */
export class Neighbours {
  readonly #values: Values;
  /** In quanta. */
  readonly #bound: number;
  /** By length of the windows, in points; made at the first use, the shorter ones first. */
  readonly #windows = new Map<number, Windows>();

  /**
   * @param history in quanta
   * @param capacity number of values that may follow
   * @param bound see `findBound`; absent: values are compared as high as they are
   */
  constructor(history: Float64Array, capacity: number, bound?: number) {
    this.#bound = quantise(bound ?? Number.POSITIVE_INFINITY);
    const bounded = bound === undefined ? history : history.map((quanta) => clip(quanta, this.#bound));
    this.#values = new Values(bounded, capacity);
  }

  /** Prepares the point that follows. @returns false if too few earlier windows are known */
  prepare(span: number): boolean {
    return this.#windowsOf(span).prepare();
  }

  /** The value that followed the nearest window, in deviations. */
  expected(span: number): number {
    return dequantise(this.#windowsOf(span).expected());
  }

  /** The nearest window that ends with `z` (deviations). */
  nearest(span: number, z: number): Nearest {
    return this.#windowsOf(span).nearest(this.#quantise(z));
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
    this.#values.push(this.#quantise(z));
  }

  /** Replaces a known value, in deviations. @param age 0 = the newest value */
  replace(age: number, z: number): void {
    this.#values.replace(this.#values.count - 1 - age, this.#quantise(z));
    for (const windows of this.#windows.values()) windows.forget();
  }

  /** Bars the windows that end at a value, or admits them again. @param age 0 = the newest value */
  bar(age: number, isBarred: boolean): void {
    this.#values.bar(this.#values.count - 1 - age, isBarred);
  }

  /** Ends the comparisons: the memory of their sums serves other series. */
  release(): void {
    for (const windows of this.#windows.values()) windows.release();
  }

  /** The newest values, in quanta. */
  toHistory(): Float64Array {
    const { quanta, count } = this.#values;
    return quanta.subarray(Math.max(0, count - HISTORY_LENGTH), count);
  }

  #quantise(z: number): number {
    return clip(quantise(z), this.#bound);
  }

  #windowsOf(span: number): Windows {
    const known = this.#windows.get(span);
    if (known) return known;
    const shorter = [...this.#windows.values()].filter((other) => other.span < span);
    const windows = new Windows(span, this.#values, shorter.at(-1));
    this.#windows.set(span, windows);
    return windows;
  }
}
