// Stateful metrics (`rate`, `derivative`): computed per field from its own history, then summed over fields.
import { countIntervals } from "../core/series/grid.ts";
import type { ReadQuery } from "../core/series/query.ts";
import { type Change, counterIncrease, type Metric } from "../metrics/index.ts";
import { BLOCK_POINTS, type BlockView } from "./block.ts";
import type { IntervalIndex, IntervalSpans } from "./interval-spans.ts";

type Division = Pick<ReadQuery, "range" | "intervalMs">;

/** Sums over fields, which are added one after the other, the blocks of each in order of time. Keeps no points. */
export class PerSeriesSums {
  readonly #sums: readonly {
    readonly fromDelta: (change: Change) => number;
    readonly column: Float64Array;
  }[];
  /** Of the current interval, up to the last point added. */
  readonly #change = { fromAt: 0, from: 0, toAt: 0, to: 0, growth: 0, isFromBefore: false };
  /** Of each span of a block. */
  readonly #growths = new Float64Array(BLOCK_POINTS);
  #fieldId: number | undefined;
  /** The current interval. */
  #slot = -1;
  #hasPoints = false;

  /** @param metrics stateful ones */
  constructor(
    { range, intervalMs }: Division,
    metrics: readonly Metric[],
    private readonly index: IntervalIndex,
  ) {
    const length = countIntervals(range, intervalMs);
    this.#sums = metrics.map((metric) => ({
      fromDelta: metric.fromDelta!,
      column: new Float64Array(length).fill(metric.empty),
    }));
  }

  /** Adds a block of numbers that lies within the range, or in the interval before it. */
  add(block: BlockView, fieldId: number): void {
    if (fieldId !== this.#fieldId) this.#startField(fieldId);
    const { startAt, offsets, values } = block;
    const spans = this.index.divide(block);
    const { count, slots, lasts } = spans;
    const change = this.#change;
    if (!this.#hasPoints) this.#startAtFirst(startAt + offsets[0]!, values[0]!, slots[0]!);
    const growths = this.#measureGrowth(values, spans);
    for (let span = 0; span < count; span++) {
      if (slots[span] !== this.#slot) this.#startInterval(slots[span]!);
      const last = lasts[span]!;
      change.growth = growths[span]!;
      change.to = values[last]!;
      change.toAt = startAt + offsets[last]!;
    }
  }

  /** Ends the last field. @returns a column per metric */
  finish(): readonly Float64Array[] {
    this.#endInterval();
    return this.#sums.map(({ column }) => column);
  }

  #startField(fieldId: number): void {
    this.#endInterval();
    this.#fieldId = fieldId;
    this.#hasPoints = false;
  }

  /** Starts at the first point of a field: it has no point before. */
  #startAtFirst(at: number, value: number, slot: number): void {
    this.#hasPoints = true;
    this.#slot = slot;
    const change = this.#change;
    change.from = value;
    change.fromAt = at;
    change.to = value;
    change.growth = 0;
    change.isFromBefore = false;
  }

  #startInterval(slot: number): void {
    this.#endInterval();
    this.#slot = slot;
    const change = this.#change;
    change.from = change.to;
    change.fromAt = change.toAt;
    change.isFromBefore = true;
  }

  /** @returns the growth of each span; the first span may continue the current interval */
  #measureGrowth(values: Float64Array, { spanOf, count, slots }: IntervalSpans): Float64Array {
    const growths = this.#growths;
    growths.fill(0, 0, count);
    if (slots[0] === this.#slot) growths[0] = this.#change.growth;
    let before = this.#change.to;
    for (let i = 0; i < values.length; i++) {
      const value = values[i]!;
      growths[spanOf[i]!]! += counterIncrease(before, value);
      before = value;
    }
    return growths;
  }

  #endInterval(): void {
    const slot = this.#slot;
    if (!this.#hasPoints || slot < 0) return;
    const sums = this.#sums;
    for (let i = 0; i < sums.length; i++) {
      const { fromDelta, column } = sums[i]!;
      const value = fromDelta(this.#change);
      if (Number.isNaN(value)) continue;
      const before = column[slot]!;
      column[slot] = Number.isNaN(before) ? value : before + value;
    }
  }
}
