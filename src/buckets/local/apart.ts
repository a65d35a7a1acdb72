// Metrics that look back (`rate`, `derivative`): field by field, each with a history of its own; what they give is added up.
import { countIntervals } from "../../core/grid.ts";
import { type Change, growBy, type Metric } from "../../metrics/index.ts";
import type { ReadQuery } from "../kind.ts";
import type { BlockView } from "./block.ts";

type Division = Pick<ReadQuery, "range" | "intervalMs">;

/** Sums over fields, which are taken one after the other, the blocks of each in order of time. No points are kept. */
export class Sums {
  readonly #division: Division;
  readonly #sums: readonly { readonly ofChange: (change: Change) => number; readonly column: Float64Array }[];
  /** Of the interval under way, as far as it was taken. */
  readonly #change = { fromAt: 0, from: 0, toAt: 0, to: 0, growth: 0, isFromBefore: false };
  #fieldId: number | undefined;
  /** The interval under way; -1 is the one before the first, which exists only to be looked back at. */
  #slot = -1;
  /** When it ends, ms since the epoch. */
  #endAt = Number.NEGATIVE_INFINITY;
  #hasPoints = false;

  /** @param metrics those that look back */
  constructor(division: Division, metrics: readonly Metric[]) {
    const length = countIntervals(division.range, division.intervalMs);
    this.#division = division;
    this.#sums = metrics.map((metric) => ({
      ofChange: metric.ofChange!,
      column: new Float64Array(length).fill(metric.empty),
    }));
  }

  /** Adds a block that lies within the range, or in the interval before it. */
  add({ startAt, offsets, values }: BlockView, fieldId: number): void {
    if (fieldId !== this.#fieldId) this.#startField(fieldId);
    const { range, intervalMs } = this.#division;
    const elapsedMs = startAt - range.fromAt;
    const change = this.#change;
    // In variables of this function, with nothing to call at each point or interval: that is half of the time.
    let { growth, to, toAt } = change;
    let end = this.#endAt - startAt;
    for (let i = 0; i < offsets.length; i++) {
      const value = values[i]!;
      // A text or a boolean.
      if (Number.isNaN(value)) continue;
      const offset = offsets[i]!;
      if (offset >= end) {
        if (this.#hasPoints) {
          change.growth = growth;
          change.to = to;
          change.toAt = toAt;
          this.#endInterval();
          change.from = to;
          change.fromAt = toAt;
          change.isFromBefore = true;
        } else {
          this.#startAtFirst(startAt + offset, value);
          to = value;
        }
        this.#slot = Math.floor((elapsedMs + offset) / intervalMs);
        end = (this.#slot + 1) * intervalMs - elapsedMs;
        growth = 0;
      }
      growth += growBy(to, value);
      to = value;
      toAt = startAt + offset;
    }
    this.#endAt = startAt + end;
    change.growth = growth;
    change.to = to;
    change.toAt = toAt;
  }

  /** Ends the last field. @returns a column per metric */
  finish(): readonly Float64Array[] {
    this.#endInterval();
    return this.#sums.map(({ column }) => column);
  }

  #startField(fieldId: number): void {
    this.#endInterval();
    this.#fieldId = fieldId;
    this.#endAt = Number.NEGATIVE_INFINITY;
    this.#hasPoints = false;
  }

  /** Of a field: nothing is known of before. */
  #startAtFirst(at: number, value: number): void {
    this.#hasPoints = true;
    this.#change.from = value;
    this.#change.fromAt = at;
    this.#change.isFromBefore = false;
  }

  #endInterval(): void {
    const slot = this.#slot;
    if (!this.#hasPoints || slot < 0) return;
    const sums = this.#sums;
    for (let i = 0; i < sums.length; i++) {
      const { ofChange, column } = sums[i]!;
      const value = ofChange(this.#change);
      if (Number.isNaN(value)) continue;
      const before = column[slot]!;
      column[slot] = Number.isNaN(before) ? value : before + value;
    }
  }
}
