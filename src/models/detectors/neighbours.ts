// Neighbour detectors: distance of the last window to its nearest earlier window; exact, in integers; pure.

/** Earlier windows that a window is compared with, by their lag in points. */
export const MAX_LAG = 4000;
/** Lengths of the windows, in points. */
export const neighbourSpans = { neighbours3: 3, neighbours10: 10, neighbours40: 40 } as const;
/** Length of the windows of the range score. */
export const RANGE_SPAN = 100;
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
/** Cells of the value range in which an envelope keeps the nearest window: an eighth of a deviation each. */
const ENVELOPE_CELLS = 128;
const CELLS_PER_QUANTUM = 8 * QUANTUM;
/** Cell of a value with which no window to compare with may end. */
const BARRED = 255;

/** Values that later windows are compared with, oldest first, in quanta: as many as the longest window and lag need. */
export const HISTORY_LENGTH = MAX_LAG + RANGE_SPAN;

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

/** A growing series in quanta, and the envelope cell of each value. */
class Values {
  readonly quanta: Float64Array;
  readonly cells: Uint8Array;
  count = 0;

  constructor(history: Float64Array, capacity: number) {
    this.quanta = new Float64Array(history.length + capacity);
    this.cells = new Uint8Array(this.quanta.length);
    this.quanta.set(history);
    this.count = history.length;
    for (let i = 0; i < history.length; i++) this.cells[i] = cellOf(history[i]!);
  }

  push(value: number): void {
    this.quanta[this.count] = value;
    this.cells[this.count++] = cellOf(value);
  }

  /** @param isBarred whether no window to compare with may end at the value */
  bar(index: number, isBarred: boolean): void {
    if (index >= 0 && index < this.count) this.cells[index] = isBarred ? BARRED : cellOf(this.quanta[index]!);
  }
}

function cellOf(value: number): number {
  const cell = Math.floor(value * CELLS_PER_QUANTUM) + ENVELOPE_CELLS / 2;
  return Math.max(0, Math.min(ENVELOPE_CELLS - 1, cell));
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
    const { quanta, cells } = this.values;
    const [offset, end] = [this.#offset, this.#end];
    let best = Number.POSITIVE_INFINITY;
    let position = 0;
    for (let j = this.#knownFrom; j < end; j++) {
      if (cells[offset + j] === BARRED) continue;
      const difference = value - quanta[offset + j]!;
      const sum = sums[j]! + difference * difference;
      if (sum < best) {
        best = sum;
        position = j;
      }
    }
    return { distance: toDistance(best, this.span), lag: MAX_LAG - position };
  }

  /** Approximates `nearest(...).distance` for many values: per cell of the value range one window is kept. */
  envelope(): (value: number) => number {
    const sums = this.#sums;
    const { quanta, cells } = this.values;
    const [offset, end] = [this.#offset, this.#end];
    const least = new Float64Array(ENVELOPE_CELLS).fill(Number.POSITIVE_INFINITY);
    const followers = new Float64Array(ENVELOPE_CELLS);
    for (let j = this.#knownFrom; j < end; j++) {
      const cell = cells[offset + j]!;
      if (cell === BARRED || sums[j]! >= least[cell]!) continue;
      least[cell] = sums[j]!;
      followers[cell] = quanta[offset + j]!;
    }
    const used = [...least.keys()].filter((cell) => least[cell] !== Number.POSITIVE_INFINITY);
    return (value) => {
      let best = Number.POSITIVE_INFINITY;
      for (const cell of used) {
        const difference = value - followers[cell]!;
        best = Math.min(best, least[cell]! + difference * difference);
      }
      return toDistance(best, this.span);
    };
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
    const { cells } = this.values;
    const offset = this.#offset;
    let best = Number.POSITIVE_INFINITY;
    let position = 0;
    for (let j = from; j < to; j++)
      if (sums[j]! < best && cells[offset + j] !== BARRED) {
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
    if (from >= to) return;
    const sums = this.#sums.subarray(from, to).fill(0);
    const { quanta, count } = this.values;
    for (let k = 1; k < this.span; k++) {
      const at = count - k - MAX_LAG;
      addSquares(sums, quanta[count - k]!, quanta.subarray(at + from, at + to));
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
  readonly #scales: ReadonlyMap<number, Scale>;

  /**
   * @param history in quanta
   * @param capacity number of values that may follow
   * @param spans lengths of the windows, in points
   */
  constructor(history: Float64Array, capacity: number, spans: readonly number[]) {
    this.#values = new Values(history, capacity);
    this.#scales = new Map(spans.map((span) => [span, new Scale(span, this.#values)]));
  }

  /** Prepares the point that follows. @returns false if too few earlier windows are known */
  prepare(span: number): boolean {
    return this.#scales.get(span)!.prepare();
  }

  /** The value that followed the nearest window, in deviations. */
  expected(span: number): number {
    return dequantise(this.#scales.get(span)!.expected());
  }

  /** The nearest window that ends with `z` (deviations). */
  nearest(span: number, z: number): Nearest {
    return this.#scales.get(span)!.nearest(quantise(z));
  }

  /** Distances (deviations) by the last value (deviations), approximated. */
  envelope(span: number): (z: number) => number {
    const distanceOf = this.#scales.get(span)!.envelope();
    return (z) => distanceOf(quantise(z));
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
}
