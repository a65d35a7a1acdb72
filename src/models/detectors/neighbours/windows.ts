// Windows of one length: squared differences of the last one from every earlier one, kept from point to point; pure.
import { MAX_LAG, QUANTUM } from "./quanta.ts";

/** Least lag: windows of a smooth series resemble themselves. */
export const MIN_LAG = 3;
/** Earlier windows that a distance needs, in lengths of the window. */
const MIN_WINDOWS = 3;
/** Least distance, in deviations of the series: smaller ones are equal. */
export const DISTANCE_FLOOR = 0.02;

/** The nearest earlier window. */
export interface Nearest {
  /** Root of the mean squared difference, in deviations; at least `DISTANCE_FLOOR`. */
  readonly distance: number;
  /** Points between the ends of both windows. */
  readonly lag: number;
}

/** A growing series in quanta, and where no window to compare with may end. */
export class Values {
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

  replace(index: number, value: number): void {
    if (index >= 0 && index < this.count) this.quanta[index] = value;
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
export class Windows {
  /** By position: the window at position j lags `MAX_LAG - j` points behind. */
  #sums = noSums;
  /** Positions from this one on have a sum. */
  #knownFrom = MAX_LAG + 1;
  /** Number of values that the sums are valid for. */
  #at = -1;
  /** Position of the last window that was the nearest: of the next point it is mostly near. */
  #nearestAt = 0;

  /** @param shorter windows of the same values, whose sums are part of these */
  constructor(
    readonly span: number,
    private readonly values: Values,
    private readonly shorter?: Windows,
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
    }
    return end - first >= MIN_WINDOWS * span;
  }

  /** Values have changed: the sums are taken anew. */
  forget(): void {
    this.#at = -1;
  }

  /** Hands the sums on to another series. */
  release(): void {
    if (this.#sums !== noSums) spareSums.push(this.#sums);
    this.#sums = noSums;
    this.#knownFrom = MAX_LAG + 1;
    this.#at = -1;
  }

  /** The value that followed the window whose points before the last are nearest, in quanta. */
  expected(): number {
    const { sums, quanta, barred } = this.#views();
    const place = placeOfLeast(sums, barred);
    return place < 0 ? this.values.quanta[this.#offset]! : quanta[place]!;
  }

  /** The nearest window if the last point is `value` (quanta). */
  nearest(value: number): Nearest {
    const { sums, quanta, barred } = this.#views();
    const guess = Math.max(0, this.#nearestAt - this.#knownFrom);
    const place = placeOfNearest(value, { sums, quanta, barred }, guess);
    if (place < 0) return { distance: Number.POSITIVE_INFINITY, lag: MAX_LAG };
    this.#nearestAt = this.#knownFrom + place;
    const sum = sums[place]! + (value - quanta[place]!) ** 2;
    return { distance: toDistance(sum, this.span), lag: MAX_LAG - this.#knownFrom - place };
  }

  /** Of the windows with a sum: views that begin at 0, over which loops run fastest. */
  #views(): Views {
    const { quanta, barred } = this.values;
    const [from, to, offset] = [this.#knownFrom, this.#end, this.#offset];
    return {
      sums: this.#sums.subarray(from, to),
      quanta: quanta.subarray(offset + from, offset + to),
      barred: barred.subarray(offset + from, offset + to),
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

  #update(from: number, to: number): void {
    const { quanta, count } = this.values;
    const windows = (k: number) => quanta.subarray(count - k - MAX_LAG + from, count - k - MAX_LAG + to);
    const [added, removed] = [quanta[count - 1]!, quanta[count - this.span]!];
    moveSquares(this.#sums.subarray(from, to), {
      added: { value: added, others: windows(1) },
      removed: { value: removed, others: windows(this.span) },
    });
  }

  #sum(from: number, to: number): void {
    // Where the windows reach their largest lag, none is new.
    if (from >= to) return;
    const { quanta, count } = this.values;
    const sums = this.#sums.subarray(from, to);
    const part = this.shorter;
    const known = part && part.#at === count && part.#knownFrom <= from ? part : undefined;
    if (known) sums.set(known.#sums.subarray(from, to));
    else sums.fill(0);
    const begin = known?.span ?? 1;
    // A young series gains one window with each point: its sum is taken along the window.
    if (sums.length === 1) {
      const range = { from: count - this.span + 1, to: count - begin + 1 };
      sums[0]! += squaredDifferences(quanta, range, MAX_LAG - from);
      return;
    }
    const offset = this.#offset + from;
    for (let k = begin; k < this.span; k++)
      addSquares(sums, quanta[count - k]!, quanta.subarray(offset - k, offset - k + sums.length));
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

interface Squares {
  readonly value: number;
  readonly others: Float64Array;
}

/** Of windows that move on by a point: in one loop, as the sums are read and written once. */
function moveSquares(sums: Float64Array, move: { readonly added: Squares; readonly removed: Squares }): void {
  const { value: added, others: addedOthers } = move.added;
  const { value: removed, others: removedOthers } = move.removed;
  for (let j = 0; j < sums.length; j++) {
    const gained = added - addedOthers[j]!;
    const lost = removed - removedOthers[j]!;
    sums[j] = sums[j]! + (gained * gained - lost * lost);
  }
}

/** Of the values from `from` to `to` (exclusive) from those `lag` points earlier. */
function squaredDifferences(
  values: Float64Array,
  { from, to }: { readonly from: number; readonly to: number },
  lag: number,
): number {
  let sum = 0;
  for (let i = from; i < to; i++) {
    const difference = values[i]! - values[i - lag]!;
    sum += difference * difference;
  }
  return sum;
}

interface Views {
  readonly sums: Float64Array;
  readonly quanta: Float64Array;
  readonly barred: Uint8Array;
}

/**
 * First place of the least sum with the square of the last point; -1 where all are barred.
 * @param guess a place whose sum is small: with it as the first bound hardly any other is smaller, and the loop has no jumps
 */
function placeOfNearest(value: number, { sums, quanta, barred }: Views, guess: number): number {
  const isOpen = barred[guess] === 0;
  let place = isOpen ? guess : -1;
  let least = isOpen ? sums[guess]! + (value - quanta[guess]!) ** 2 : Number.POSITIVE_INFINITY;
  for (let j = 0; j < sums.length; j++) {
    const difference = value - quanta[j]!;
    const sum = sums[j]! + difference * difference;
    if (sum <= least && (sum < least || j < place) && barred[j] === 0) {
      least = sum;
      place = j;
    }
  }
  return place;
}

/** Place of the least sum; -1 where all are barred. */
function placeOfLeast(sums: Float64Array, barred: Uint8Array): number {
  let [least, place] = [Number.POSITIVE_INFINITY, -1];
  for (let j = 0; j < sums.length; j++)
    if (sums[j]! < least && barred[j] === 0) {
      least = sums[j]!;
      place = j;
    }
  return place;
}
