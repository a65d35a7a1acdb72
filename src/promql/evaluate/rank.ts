// Ranks of series by their values at each step: topk and bottomk.
import { badData } from "../errors.ts";
import { formatNumber } from "../language/literals.ts";
import type { Context } from "./context.ts";
import { type Column, emptyColumn } from "./values.ts";

export interface Ranking {
  /** Number of series to keep, per step. */
  readonly limits: Float64Array;
  readonly isTop: boolean;
}

/** Number of series up to which they are found by insertion, faster than by sorting all. */
const MAX_INSERTED = 32;

/** The series with the greatest or least values, NaN last, with all their labels; best first. */
export async function rank(
  columns: readonly Column[],
  { limits, isTop }: Ranking,
  { steps: { count }, budget }: Context,
): Promise<Column[]> {
  budget.takeValues(columns.length, count);
  const leaders = new Leaders(columns, limits, isTop ? isGreater : isLess);
  for (const i of columns.keys()) {
    leaders.offer(i);
    budget.spend(count);
    if (budget.isDue) await budget.pace();
  }
  const kept = new Map<number, Column>();
  const places = new Map<number, number>();
  for (let step = 0; step < count; step++) {
    for (const [place, i] of leaders.at(step).entries()) {
      const column = kept.get(i) ?? emptyColumn(columns[i]!.labels, count);
      column.values[step] = columns[i]!.values[step]!;
      column.present[step] = 1;
      kept.set(i, column);
      if (!places.has(i)) places.set(i, place);
    }
    budget.spend(columns.length);
    if (budget.isDue) await budget.pace();
  }
  return [...places].sort(([, a], [, b]) => a - b).map(([i]) => kept.get(i)!);
}

/** The numbers of series to keep. @param params as they were asked for, per step @throws PromqlError `bad_data` */
export function limitsOf(params: Float64Array): Float64Array {
  return params.map(checkCount);
}

function checkCount(param: number): number {
  if (!(Math.abs(param) < 2 ** 63)) throw badData(`Scalar value ${formatNumber(param)} overflows int64`);
  return Math.max(0, Math.trunc(param));
}

type IsBefore = (a: number, b: number) => boolean;

function isGreater(a: number, b: number): boolean {
  return a > b || (Number.isNaN(b) && !Number.isNaN(a));
}

function isLess(a: number, b: number): boolean {
  return a < b || (Number.isNaN(b) && !Number.isNaN(a));
}

/** The first columns of each step; of two alike the one that was offered first. */
class Leaders {
  /** Columns that a step keeps at most. */
  readonly #most: number;
  /** Of each step the indexes of its columns, in order. */
  readonly #places: Int32Array;
  readonly #counts: Int32Array;

  constructor(
    private readonly columns: readonly Column[],
    private readonly limits: Float64Array,
    private readonly isBefore: IsBefore,
  ) {
    const most = limits.reduce((max, limit) => Math.max(max, limit), 0);
    this.#most = most > MAX_INSERTED ? 0 : Math.min(most, columns.length);
    this.#places = new Int32Array(this.#most * limits.length);
    this.#counts = new Int32Array(limits.length);
  }

  /** Inserts a column where it is among the first, step by step. */
  offer(i: number): void {
    if (this.#most === 0) return;
    const { values, present } = this.columns[i]!;
    for (let step = 0; step < present.length; step++)
      if (present[step] === 1) this.#insert(step, i, values[step]!);
  }

  #insert(step: number, i: number, value: number): void {
    const count = this.#counts[step]!;
    const from = step * this.#most;
    let at = from + count;
    while (at > from && this.isBefore(value, this.#valueOf(at - 1, step))) at--;
    const end = from + Math.min(this.limits[step]!, this.#most);
    if (at === end) return;
    this.#places.copyWithin(at + 1, at, Math.min(from + count, end - 1));
    this.#places[at] = i;
    if (from + count < end) this.#counts[step]! += 1;
  }

  #valueOf(at: number, step: number): number {
    return this.columns[this.#places[at]!]!.values[step]!;
  }

  /** The columns of a step, the first one first. */
  at(step: number): Int32Array | number[] {
    const from = step * this.#most;
    if (this.#most > 0) return this.#places.subarray(from, from + this.#counts[step]!);
    return this.#sortAt(step);
  }

  /** All columns of a step, sorted, up to its limit. */
  #sortAt(step: number): number[] {
    const present = [...this.columns.keys()].filter((i) => this.columns[i]!.present[step] === 1);
    const isBefore = (a: number, b: number) =>
      this.isBefore(this.columns[a]!.values[step]!, this.columns[b]!.values[step]!);
    const order = (a: number, b: number) => Number(isBefore(b, a)) - Number(isBefore(a, b));
    return present.sort(order).slice(0, this.limits[step]!);
  }
}
