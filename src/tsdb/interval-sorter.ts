// Puts points in order of their intervals, and of time where asked for: a counting sort in arrays that are kept. No I/O.
import { floorTo, type Range } from "../core/series/grid.ts";
import { type AlignedSeries, Bundler } from "./aligned-series.ts";
import { sortCell } from "./cell.ts";
import { type Cells, cellAt, divideRange } from "./cells.ts";
import { type Piece, sizeOf } from "./cursors.ts";

/** Where points have to be put in order of time. */
const CELLS_PER_POINT = 1;
/** Points between two chances for other work to run. */
const TURN_POINTS = 16_384;

/** Numbers of some intervals, one after the other. Views, until the next ones. */
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
  /** Start of the first cell, ms since the epoch. */
  readonly startAt: number;
  readonly cells: Cells;
  /** The cell of each instant, of one bundle after the other. */
  readonly cellOf: Int32Array;
  /** Where each cell begins; at last, where the last one ends. */
  readonly begins: Int32Array;
  /** Where the next point of each cell goes. */
  readonly next: Int32Array;
}

/** A piece of a lane, and where it is in its bundle. */
interface Part {
  readonly piece: Piece;
  /** Number of its first instant. */
  readonly first: number;
  /** Number of its lane, of how many. */
  readonly lane: number;
  readonly lanes: number;
}

/** Places the points of some intervals at a time. Memory: 8 bytes a point, 16 by time; 4 an instant; and the cells. */
export class IntervalSorter {
  #cellOf = new Int32Array(0);
  #placed: Points = { times: new Float64Array(0), values: new Float64Array(0) };

  constructor(private readonly order: Order) {}

  /** @param lanes points within the range, those of a lane in order of time */
  async place(range: Range, lanes: readonly (readonly Piece[])[]): Promise<Placed> {
    const { intervalMs, byTime } = this.order;
    const startAt = floorTo(range.fromAt, intervalMs);
    const points = lanes.reduce((sum, lane) => sum + sizeOf(lane), 0);
    const bundler = new Bundler();
    await this.#inTurns(lanes, sizeOf, (lane) => bundler.add(lane));
    // The points of a single bundle are in order of time once they are woven.
    const isMixed = byTime && bundler.bundles.length > 1;
    const wanted = isMixed ? points * CELLS_PER_POINT : 0;
    const cells = divideRange({ ...range, fromAt: startAt }, intervalMs, wanted);
    const parts = bundler.bundles.flatMap(listParts);
    const plan = await this.#plan(parts, { startAt, cells, instants: bundler.instants });
    this.#reserve(points);
    const place = byTime ? (isMixed ? dealPoints : weavePoints) : dealValues;
    await this.#inTurns(parts, pointsOf, (part) => place(part, this.#placed, plan));
    if (isMixed) await this.#sortCells(plan);
    const endOf = (interval: number) => plan.begins[(interval + 1) * cells.perInterval]!;
    return { ...this.#placed, length: cells.count / cells.perInterval, endOf };
  }

  #reserve(points: number): void {
    if (points <= this.#placed.values.length) return;
    const length = Math.ceil(points * 1.25);
    const times = new Float64Array(this.order.byTime ? length : 0);
    this.#placed = { times, values: new Float64Array(length) };
  }

  /** Counts the points of each cell. */
  async #plan(
    parts: readonly Part[],
    { startAt, cells, instants }: Pick<Plan, "startAt" | "cells"> & { readonly instants: number },
  ): Promise<Plan> {
    if (instants > this.#cellOf.length) this.#cellOf = new Int32Array(Math.ceil(instants * 1.25));
    const begins = new Int32Array(cells.count + 1);
    const plan = { startAt, cells, cellOf: this.#cellOf, begins };
    // The first lane of a bundle speaks for all of them.
    const first = parts.filter(({ lane }) => lane === 0);
    await this.#inTurns(first, pointsOf, (part) => countCells(part, plan));
    for (let cell = 1; cell <= cells.count; cell++) begins[cell]! += begins[cell - 1]!;
    return { ...plan, next: begins.slice(0, -1) };
  }

  /** Points of different cells are in order already; a cell that is not is found by its first point out of order. */
  async #sortCells({ startAt, cells, begins }: Plan): Promise<void> {
    const { times } = this.#placed;
    const count = begins[cells.count]!;
    for (let i = 1, turnEnd = TURN_POINTS; i < count; i++) {
      if (i >= turnEnd) {
        turnEnd = i + TURN_POINTS;
        await this.order.pace();
      }
      if (times[i - 1]! <= times[i]!) continue;
      const cell = cellAt(times[i]! - startAt, cells);
      sortCell(this.#placed, begins[cell]!, begins[cell + 1]!);
      i = begins[cell + 1]! - 1;
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

function listParts({ lanes, first: bundleFirst }: AlignedSeries): Part[] {
  return lanes.flatMap((pieces, lane) => {
    let first = bundleFirst;
    return pieces.map((piece) => {
      const part = { piece, first, lane, lanes: lanes.length };
      first += piece.to - piece.from;
      return part;
    });
  });
}

function pointsOf({ piece: { from, to } }: Part): number {
  return to - from;
}

function countCells(
  { piece, first, lanes }: Part,
  { startAt, cells, cellOf, begins }: Omit<Plan, "next">,
): void {
  const { from, to, block } = piece;
  const { offsets } = block;
  const start = block.startAt - startAt;
  for (let i = from, instant = first; i < to; i++, instant++) {
    const cell = cellAt(start + offsets[i]!, cells);
    cellOf[instant] = cell;
    begins[cell + 1]! += lanes;
  }
}

/** Values to their cells; those of a lane stay in order. */
function dealValues({ piece, first }: Part, placed: Points, { cellOf, next }: Plan): void {
  const { from, to, block } = piece;
  const { values } = block;
  const { values: placedValues } = placed;
  for (let i = from, instant = first; i < to; i++, instant++)
    placedValues[next[cellOf[instant]!]!++] = values[i]!;
}

/** Points to their cells; those of a lane stay in order. */
function dealPoints({ piece, first }: Part, placed: Points, { cellOf, next }: Plan): void {
  const { from, to, block } = piece;
  const { startAt, offsets, values } = block;
  const { times: placedTimes, values: placedValues } = placed;
  for (let i = from, instant = first; i < to; i++, instant++) {
    const place = next[cellOf[instant]!]!++;
    placedTimes[place] = startAt + offsets[i]!;
    placedValues[place] = values[i]!;
  }
}

/** Instant by instant, of each the point of every lane: no cells are needed for it. */
function weavePoints({ piece, first, lane, lanes }: Part, placed: Points): void {
  const { from, to, block } = piece;
  const { startAt, offsets, values } = block;
  const { times: placedTimes, values: placedValues } = placed;
  for (let i = from, place = first * lanes + lane; i < to; i++, place += lanes) {
    placedTimes[place] = startAt + offsets[i]!;
    placedValues[place] = values[i]!;
  }
}
