// Helpers of bucket tests: an instant, a signal, comparison of columns.
import { expect } from "bun:test";

export const MINUTE = 60_000;
/** A whole minute in November 2023. */
export const T0 = 1_699_999_980_000;

/** A signal that is never aborted. */
export function idle(): AbortSignal {
  return new AbortController().signal;
}

/** Equal up to rounding; NaN equals NaN. */
export function expectColumn(actual: Iterable<number>, expected: readonly number[]): void {
  const round = (value: number) => (Number.isFinite(value) ? Number(value.toPrecision(9)) : value);
  expect(Array.from(actual, round)).toEqual(expected.map(round));
}
