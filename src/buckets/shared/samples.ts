// Samples of one field, interval by interval: the form in which raw points reach the columns of a grid.
import type { Column } from "./column.ts";

/** Values of one field, interval by interval; NaN stands for a value that is not a number (only `count` sees it). */
export interface Samples {
  /** ms since the epoch. */
  readonly times: Float64Array;
  readonly values: Float64Array;
  /** The series key of each value; absent: all values belong to one series. */
  readonly series?: readonly string[];
  /** The group of each value, see `groupKeyOf`; absent: the read is not grouped. */
  readonly groups?: readonly string[];
}

export type SampleStream = Iterable<Samples> | AsyncIterable<Samples>;

/** Yields to the event loop when it is time to; throws when the read is aborted. */
export type Yielder = () => Promise<void> | undefined;

/** Values between two calls of the yielder. */
export const VALUES_PER_STEP = 4096;

/** Adds samples to columns of the same field. @throws as `Column.add` and `yieldNow` */
export async function addSamples(
  columns: readonly Column[],
  { times, values }: Samples,
  yieldNow: Yielder,
): Promise<void> {
  for (let from = 0; from < times.length; from += VALUES_PER_STEP) {
    const to = Math.min(from + VALUES_PER_STEP, times.length);
    for (const column of columns) for (let i = from; i < to; i++) column.add(times[i]!, values[i]!);
    await yieldNow();
  }
  await yieldNow();
}
