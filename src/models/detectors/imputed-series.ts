// The series as the linear companion is shown it: gaps and anomalies are imputed, not believed; pure.

import type { Timeline } from "./timeline.ts";
import type { Memory } from "./types.ts";

export interface ImputedSeriesInput {
  readonly timeline: Timeline;
  /** NaN = missing. */
  readonly column: Float64Array;
  /** The first interval to score: those before it are history. */
  readonly from: number;
}

export class ImputedSeries {
  /** In units of the data. */
  readonly column: Float64Array;
  readonly #timeline: Timeline;
  readonly #imputed = new Set<number>();

  /**
   * What was imputed before, and in the history before the first evaluation what is usual in place of gaps.
   * @param usual what is expected at an interval
   */
  constructor(
    { timeline, column, from }: ImputedSeriesInput,
    imputed: Memory["imputed"],
    usual: (i: number) => number,
  ) {
    this.#timeline = timeline;
    this.column = column.slice();
    for (let i = 0; i < from; i++) if (!Number.isFinite(column[i]!)) this.column[i] = usual(i);
    for (const [at, value] of imputed) {
      const i = (at - timeline.startAt) / timeline.intervalMs;
      if (Number.isInteger(i) && i >= 0 && i < from) this.impute(i, value);
    }
  }

  /** Puts a value in place of what was observed. */
  impute(i: number, value: number): void {
    this.column[i] = value;
    this.#imputed.add(i);
  }

  /** What was imputed among the last intervals, so many as `window`. */
  toMemory(window: number): Memory["imputed"] {
    const { startAt, intervalMs } = this.#timeline;
    const oldest = this.column.length - window;
    return [...this.#imputed]
      .filter((i) => i > oldest)
      .map((i) => [startAt + i * intervalMs, this.column[i]!]);
  }
}
