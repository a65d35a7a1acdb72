// Puts points in order of their intervals, and of time where asked for: a counting sort in arrays that are kept. No I/O.
import { floorTo, type Range } from "../../core/grid.ts";
import { type Bundle, Bundler } from "./bundle.ts";
import { sortCell } from "./cell.ts";
import { type Cells, cellAt, divideRange } from "./cells.ts";
import type { Piece } from "./lanes.ts";

/** Where points have to be put in order of time. */
const CELLS_PER_POINT = 1;
/** Points between two chances for other work to run. */
const TURN_POINTS = 16_384;

/** Numbers of some intervals, one after the other; texts and booleans are left out. Views, until the next ones. */
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
  /** In order of time; of the same instant, what came first is first. Else in any order within an interval. */
  readonly byTime: boolean;
  readonly pace: () => Promise<void> | undefined;
}

interface Points {
  /** ms since the epoch; of no points where their order in time does not matter. */
  readonly times: Float64Array;
  readonly values: Float64Array;
}

/** Where points belong. */
interface Plan {
  /** Start of the first cell, ms since the epoch; instants are counted from it. */
  readonly startAt: number;
  readonly cells: Cells;
  /** The cell of each instant of each bundle. */
  readonly cellOf: Int32Array;
  /** How many points the cell before has; then where a cell begins; then, as they are placed, where the next one goes. */
  readonly ends: Int32Array;
}

/** The instants number `from` (inclusive) to `to` (exclusive) of a bundle; `first` is where it begins in `cellOf`. */
interface Part extends Bundle {
  readonly first: number;
  readonly from: number;
  readonly to: number;
}

/** Places the points of some intervals at a time. Memory: 28 bytes a point, 36 by time, and the cells. */
export class Placer {
  #bundler = new Bundler();
  #cellOf = new Int32Array(0);
  #ends = new Int32Array(0);
  #placed: Points = { times: new Float64Array(0), values: new Float64Array(0) };

  constructor(private readonly order: Order) {}

  /** @param lanes points within the range, those of a lane in order of time */
  async place(range: Range, lanes: readonly (readonly Piece[])[]): Promise<Placed> {
    const { intervalMs, byTime } = this.order;
    const startAt = floorTo(range.fromAt, intervalMs);
    const points = lanes.reduce((sum, pieces) => sum + countPoints(pieces), 0);
    this.#bundler.start(points);
    await this.#inTurns(lanes, countPoints, (pieces) => this.#bundler.add(pieces, startAt));
    const bundles = this.#bundler.bundles();
    // The points of a single bundle come in order of time.
    const isMixed = byTime && bundles.length > 1;
    const cells = divideRange(
      { ...range, fromAt: startAt },
      intervalMs,
      isMixed ? points * CELLS_PER_POINT : 0,
    );
    const plan = { startAt, cells, ...this.#prepare(points, cells.count) };
    const parts = divideBundles(bundles);
    await this.#inTurns(parts, sizeOf, (part) => countCells(part, plan));
    for (let cell = 1; cell < plan.ends.length; cell++) plan.ends[cell]! += plan.ends[cell - 1]!;
    const place = byTime ? placePoints : placeValues;
    await this.#inTurns(parts, sizeOf, (part) => place(part, this.#placed, plan));
    if (isMixed) await this.#sortCells(plan);
    const { ends } = plan;
    const endOf = (interval: number) => (interval < 0 ? 0 : ends[(interval + 1) * cells.perInterval - 1]!);
    return { ...this.#placed, length: cells.count / cells.perInterval, endOf };
  }

  #prepare(points: number, cells: number): Pick<Plan, "cellOf" | "ends"> {
    if (points > this.#cellOf.length) {
      const length = Math.ceil(points * 1.25);
      this.#cellOf = new Int32Array(length);
      this.#placed = {
        times: new Float64Array(this.order.byTime ? length : 0),
        values: new Float64Array(length),
      };
    }
    if (cells + 1 > this.#ends.length) this.#ends = new Int32Array(Math.ceil((cells + 1) * 1.25));
    return { cellOf: this.#cellOf, ends: this.#ends.subarray(0, cells + 1).fill(0) };
  }

  /** Points of different cells are in order already; a cell that is not is found by its first point out of order. */
  async #sortCells({ startAt, cells, ends }: Plan): Promise<void> {
    const { times } = this.#placed;
    const count = ends[cells.count - 1]!;
    for (let i = 1, turnEnd = TURN_POINTS; i < count; i++) {
      if (i >= turnEnd) {
        turnEnd = i + TURN_POINTS;
        await this.order.pace();
      }
      if (times[i - 1]! <= times[i]!) continue;
      const cell = cellAt(times[i]! - startAt, cells);
      sortCell(this.#placed, cell === 0 ? 0 : ends[cell - 1]!, ends[cell]!);
      i = ends[cell]! - 1;
    }
  }

  /** Lets other work run in between. */
  async #inTurns<T>(
    items: readonly T[],
    pointsOf: (item: T) => number,
    work: (item: T) => void,
  ): Promise<void> {
    let points = 0;
    for (const item of items) {
      work(item);
      points += pointsOf(item);
      if (points < TURN_POINTS) continue;
      points = 0;
      await this.order.pace();
    }
  }
}

function countPoints(pieces: readonly Piece[]): number {
  let points = 0;
  for (const { from, to } of pieces) points += to - from;
  return points;
}

function sizeOf({ series, from, to }: Part): number {
  return series * (to - from);
}

/** Parts of bundles that take no longer than a turn. */
function divideBundles(bundles: readonly Bundle[]): Part[] {
  const parts: Part[] = [];
  let first = 0;
  for (const bundle of bundles) {
    const { length } = bundle.instants;
    const size = Math.ceil(TURN_POINTS / bundle.series);
    for (let from = 0; from < length; from += size)
      parts.push({ ...bundle, first, from, to: Math.min(from + size, length) });
    first += length;
  }
  return parts;
}

function countCells({ series, instants, first, from, to }: Part, { cells, cellOf, ends }: Plan): void {
  for (let i = from; i < to; i++) {
    const cell = cellAt(instants[i]!, cells);
    cellOf[first + i] = cell;
    ends[cell + 1]! += series;
  }
}

function placeValues(
  { series, instants, values, ...part }: Part,
  placed: Points,
  { cellOf, ends }: Plan,
): void {
  const { first, from, to } = part;
  const { values: placedValues } = placed;
  for (let i = from; i < to; i++) {
    const cell = cellOf[first + i]!;
    let place = ends[cell]!;
    ends[cell] = place + series;
    for (let k = i; k < values.length; k += instants.length) placedValues[place++] = values[k]!;
  }
}

function placePoints(part: Part, placed: Points, plan: Plan): void {
  const { series, instants, values, first, from, to } = part;
  const { startAt, cellOf, ends } = plan;
  const { times: placedTimes, values: placedValues } = placed;
  for (let i = from; i < to; i++) {
    const cell = cellOf[first + i]!;
    let place = ends[cell]!;
    ends[cell] = place + series;
    const at = startAt + instants[i]!;
    for (let k = i; k < values.length; k += instants.length) {
      placedTimes[place] = at;
      placedValues[place++] = values[k]!;
    }
  }
}
