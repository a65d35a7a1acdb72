// Pulse before an anomaly: values like it come between others in each period, so that they show no return; pure.
import { MOST_HELD_MS } from "./ending.ts";

/** Intervals before an anomaly that are looked at, and runs between two pulses that they hold at least. */
const LOOKED_AT = 60;
const MIN_RUNS = 2;

/** What tells the pulses before an anomaly from the values between them; JSON. */
export interface Pulse {
  /** Halfway from the value of the anomaly to the expected one. */
  readonly middle: number;
  /** Whether the values between pulses lie above it. */
  readonly above: boolean;
  /** Intervals in a row between two pulses, at most. */
  readonly run: number;
}

/** The first point of an anomaly, and the interval of its column. */
interface Beginning {
  readonly i: number;
  readonly value: number;
  readonly expected: number;
  readonly intervalMs: number;
}

/** @param column with expected values in place of missing and odd ones */
export function findPulse(
  column: Float64Array,
  { i, value, expected, intervalMs }: Beginning,
): Pulse | undefined {
  const middle = (value + expected) / 2;
  const above = value > middle;
  const runs: number[] = [];
  let pulseAt: number | undefined;
  for (let k = Math.max(0, i - LOOKED_AT); k <= i; k++) {
    // A pulse was due where the anomaly begins.
    if (k < i && column[k]! > middle === above) continue;
    if (pulseAt !== undefined && k > pulseAt + 1) runs.push(k - pulseAt - 1);
    pulseAt = k;
  }
  const longest = Math.max(...runs);
  return runs.length >= MIN_RUNS && longest * intervalMs <= MOST_HELD_MS
    ? { middle, above, run: longest }
    : undefined;
}

/** Whether a value could lie between two pulses, of which the next one would not be due after so many of that kind. */
export function isBetweenPulses({ middle, above, run }: Pulse, value: number, usual: number): boolean {
  return value > middle === above && usual < run;
}
