// Subject of a set: a series in a bucket of the server, and the seed of its training.
import type { Flagged } from "../metrics/alarms.ts";
import { countObserved, type Grid, observedFrom, type Series } from "../series.ts";
import { type Torus, type Trained, train } from "../torus.ts";

export interface Subject {
  readonly series: Series;
  readonly bucket: string;
  readonly seed: number;
}

/** The intervals `from` to `to` (exclusive) in seconds since the epoch. */
export function rangeOf({ startAt, step }: Grid, from: number, to: number): { from: number; to: number } {
  return { from: startAt + from * step, to: startAt + to * step };
}

/** A model of the purpose's own, trained on everything before an interval. */
export function trainBefore(
  torus: Torus,
  { bucket, seed }: Subject,
  { purpose, grid, trainTo }: { purpose: string; grid: Grid; trainTo: number },
): Promise<Trained> {
  const points = countObserved(grid, trainTo);
  return train(torus, { bucket, purpose, seed, step: grid.step, points, ...rangeOf(grid, 0, trainTo) });
}

/** Flags and labels of the observed points: a window of labels with missing rows is one anomaly. @param from interval of the first flag */
export function flagObserved(series: Series, flags: Uint8Array, from: number): Flagged {
  const observed = observedFrom(series, from);
  return {
    flags: Uint8Array.from(observed, (i) => flags[i - from]!),
    labels: Uint8Array.from(observed, (i) => series.labels[i]!),
  };
}
