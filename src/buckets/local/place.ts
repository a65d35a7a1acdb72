// Puts points in order of their intervals, and of time where asked for: a counting sort in arrays that are kept. No I/O.
import { floorTo, type Range } from "../../core/grid.ts";
import type { BlockView } from "./block.ts";
import { sortCell } from "./cell.ts";
import type { Sink } from "./window.ts";

/** Points that share a cell, about, where points are put in order of time. */
const CELL_POINTS = 8;
/** Points, or cells, between two chances for other work to run. */
const [STEP_POINTS, STEP_CELLS] = [16_384, 2048];

/** Numbers of a window, interval by interval; texts and booleans are left out. Views, until the next window. */
export interface Placed {
  /** ms since the epoch; empty unless in order of time. */
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** Number of intervals. */
  readonly length: number;
  /** Where the points of an interval end; they begin where those of the one before end, the first ones at 0. */
  endOf(interval: number): number;
}

interface Order {
  readonly intervalMs: number;
  /** In order of time; of the same instant, what was added first is first. Else in any order within an interval. */
  readonly byTime: boolean;
  readonly pace: () => Promise<void> | undefined;
}

/** Equal parts of intervals: the fewer points in each, the less is left to sort. */
interface Cells {
  /** Start of the first one, ms since the epoch. */
  readonly startAt: number;
  readonly intervalMs: number;
  readonly perInterval: number;
  readonly count: number;
}

interface Points {
  readonly values: Float64Array;
  /** Of no points where their order in time does not matter. */
  readonly times: Float64Array;
}

interface Part {
  readonly from: number;
  readonly to: number;
}

/**
 * Takes the points of a window, and places them.
 * Memory: 20 bytes a point, 36 by time, for up to twice as many points as the largest window has.
 */
export class Placer implements Sink {
  #cells: Cells = { startAt: 0, intervalMs: 1, perInterval: 1, count: 0 };
  #count = 0;
  #added: Points = allocate(0, false);
  #placed: Points = this.#added;
  /** The cell of each point; behind the last one go values that are no numbers. */
  #cellOf = new Int32Array(0);
  /** How many points a cell has; then where they begin; then, as they are placed, where the next one goes. */
  #ends = new Int32Array(0);

  constructor(private readonly order: Order) {}

  start(range: Range, expected: number): void {
    const { intervalMs, byTime } = this.order;
    this.#cells = divideRange(range, intervalMs, byTime ? expected / CELL_POINTS : 0);
    this.#ends = new Int32Array(this.#cells.count + 2);
    this.#count = 0;
    if (expected > this.#cellOf.length) this.#enlarge(expected);
  }

  add(block: BlockView): void {
    const from = this.#count;
    this.#count += block.values.length;
    if (this.#count > this.#cellOf.length) this.#enlarge(2 * this.#count);
    this.#added.values.set(block.values, from);
    if (this.order.byTime) copyTimes(block, this.#added.times, from);
    countCells(block, this.#cells, { ends: this.#ends, cellOf: this.#cellOf, from });
  }

  async place(): Promise<Placed> {
    const { byTime, pace } = this.order;
    const ends = this.#ends;
    const length = this.#cellOf.length;
    if (this.#placed.values.length < length) this.#placed = allocate(length, byTime);
    for (let cell = 1; cell < ends.length; cell++) ends[cell]! += ends[cell - 1]!;
    for (let from = 0; from < this.#count; from += STEP_POINTS) {
      this.#placePart({ from, to: Math.min(from + STEP_POINTS, this.#count) });
      await pace();
    }
    const { count, perInterval } = this.#cells;
    for (let cell = 0; byTime && cell < count; cell++) {
      sortCell(this.#placed, cell === 0 ? 0 : ends[cell - 1]!, ends[cell]!);
      if (cell % STEP_CELLS === 0) await pace();
    }
    const endOf = (interval: number) => (interval < 0 ? 0 : ends[(interval + 1) * perInterval - 1]!);
    return { ...this.#placed, length: count / perInterval, endOf };
  }

  #placePart(part: Part): void {
    if (this.order.byTime)
      placePoints(this.#added, this.#placed, { ...part, cellOf: this.#cellOf, ends: this.#ends });
    else
      placeValues(this.#added.values, this.#placed.values, {
        ...part,
        cellOf: this.#cellOf,
        ends: this.#ends,
      });
  }

  #enlarge(length: number): void {
    const { cellOf, added } = { cellOf: this.#cellOf, added: this.#added };
    this.#cellOf = new Int32Array(length);
    this.#cellOf.set(cellOf);
    this.#added = allocate(length, this.order.byTime);
    this.#added.values.set(added.values);
    this.#added.times.set(added.times);
  }
}

function allocate(count: number, byTime: boolean): Points {
  return { values: new Float64Array(count), times: new Float64Array(byTime ? count : 0) };
}

/** @param wanted about how many cells, if not fewer than intervals */
function divideRange({ fromAt, toAt }: Range, intervalMs: number, wanted: number): Cells {
  const startAt = floorTo(fromAt, intervalMs);
  const intervals = Math.ceil((toAt - startAt) / intervalMs);
  // Cells are numbered in exact arithmetic, and none is shorter than a millisecond.
  const most = Math.min(intervalMs, Math.floor(Number.MAX_SAFE_INTEGER / (toAt - startAt)));
  const perInterval = Math.max(1, Math.min(Math.ceil(wanted / intervals), most));
  return { startAt, intervalMs, perInterval, count: intervals * perInterval };
}

interface Cursor {
  readonly ends: Int32Array;
  readonly cellOf: Int32Array;
}

function countCells(
  { startAt, offsets, values }: BlockView,
  { startAt: firstAt, intervalMs, perInterval, count }: Cells,
  { ends, cellOf, from }: Cursor & { readonly from: number },
): void {
  const start = startAt - firstAt;
  for (let i = 0; i < offsets.length; i++) {
    // Storing in an Int32Array cuts the fraction off; nothing here is negative.
    cellOf[from + i] = ((start + offsets[i]!) * perInterval) / intervalMs;
    if (Number.isNaN(values[i]!)) cellOf[from + i] = count;
    ends[cellOf[from + i]! + 1]! += 1;
  }
}

function copyTimes({ startAt, offsets }: BlockView, times: Float64Array, from: number): void {
  for (let i = 0; i < offsets.length; i++) times[from + i] = startAt + offsets[i]!;
}

function placeValues(
  added: Float64Array,
  placed: Float64Array,
  { from, to, cellOf, ends }: Part & Cursor,
): void {
  for (let i = from; i < to; i++) placed[ends[cellOf[i]!]!++] = added[i]!;
}

function placePoints(added: Points, placed: Points, { from, to, cellOf, ends }: Part & Cursor): void {
  const { times, values } = added;
  const { times: placedTimes, values: placedValues } = placed;
  for (let i = from; i < to; i++) {
    const place = ends[cellOf[i]!]!++;
    placedTimes[place] = times[i]!;
    placedValues[place] = values[i]!;
  }
}
