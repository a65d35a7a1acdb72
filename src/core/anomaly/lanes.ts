// Lanes: per model the greatest peak of the anomalies in each cell of a range.
import type { Range } from "../series/grid.ts";

/** An anomaly in time. */
export interface Span {
  readonly model: string;
  readonly startAt: number;
  /** Exclusive; null while it lasts. */
  readonly endAt: number | null;
  readonly peakScore: number;
}

export interface Lane {
  readonly model: string;
  /** Number of its anomalies in the range. */
  readonly count: number;
  /** Per cell; undefined without an anomaly. */
  readonly peaks: readonly (number | undefined)[];
}

/** Whole seconds per cell, at least one: cells cover the range, the last one perhaps beyond its end. @returns ms */
export function laneStep({ fromAt, toAt }: Range, cells: number): number {
  return Math.max(1, Math.ceil((toAt - fromAt) / cells / 1000)) * 1000;
}

/**
 * One lane per model that has an anomaly in the range, in the order of names.
 * @param nowAt end of anomalies that last, ms since the epoch
 */
export function makeLanes(
  spans: readonly Span[],
  { range, stepMs, nowAt }: { range: Range; stepMs: number; nowAt: number },
): Lane[] {
  const cells = Math.ceil((range.toAt - range.fromAt) / stepMs);
  const byModel = Map.groupBy(spans, ({ model }) => model);
  return [...byModel.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([model, own]) => {
      const peaks = new Array<number | undefined>(cells).fill(undefined);
      for (const { startAt, endAt, peakScore } of own) {
        const lastAt = Math.max(startAt, Math.min((endAt ?? nowAt) - 1, range.toAt - 1));
        const first = Math.max(0, Math.floor((startAt - range.fromAt) / stepMs));
        const last = Math.min(cells - 1, Math.floor((lastAt - range.fromAt) / stepMs));
        for (let cell = first; cell <= last; cell++) peaks[cell] = Math.max(peaks[cell] ?? 0, peakScore);
      }
      return { model, count: own.length, peaks };
    });
}
