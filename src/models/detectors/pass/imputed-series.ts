// Input series of the linear detector, with gaps and anomalies imputed; pure.
import { instantOf, placeOf, type Timeline } from "../timeline.ts";
import type { Memory } from "../types.ts";

interface ImputedSeriesInput {
  readonly timeline: Timeline;
  /** NaN = missing. */
  readonly column: Float64Array;
  /** First interval to score; those before it are history. */
  readonly from: number;
}

export class ImputedSeries {
  /** In units of the data. */
  readonly column: Float64Array;
  /** Intervals of the history whose points were missing before, oldest first. */
  readonly late: readonly number[];
  readonly #timeline: Timeline;
  readonly #given: Float64Array;
  readonly #imputed = new Set<number>();

  /**
   * Restores earlier imputations but those of points that came late, and fills the other gaps of the history with usual
   * values.
   * @param imputed of the memory
   * @param usual expected value of an interval
   */
  constructor(
    { timeline, column, from }: ImputedSeriesInput,
    imputed: Memory["imputed"],
    usual: (i: number) => number,
  ) {
    this.#timeline = timeline;
    this.#given = column;
    this.column = column.slice();
    const late: number[] = [];
    for (let i = 0; i < from; i++) if (!Number.isFinite(column[i]!)) this.column[i] = usual(i);
    for (const [at, value, isMissing] of imputed) {
      const i = placeOf(timeline, at);
      if (!Number.isInteger(i) || i < 0 || i >= from) continue;
      if (isMissing && Number.isFinite(column[i]!)) late.push(i);
      else this.impute(i, value);
    }
    this.late = late;
  }

  /** Replaces the value of an interval. */
  impute(i: number, value: number): void {
    this.column[i] = value;
    this.#imputed.add(i);
  }

  /** Imputations among the last `window` intervals. */
  toMemory(window: number): Memory["imputed"] {
    const oldest = this.column.length - window;
    return [...this.#imputed]
      .filter((i) => i > oldest)
      .map((i) => {
        const own = [instantOf(this.#timeline, i), this.column[i]!] as const;
        return Number.isFinite(this.#given[i]!) ? own : [...own, 1];
      });
  }
}
