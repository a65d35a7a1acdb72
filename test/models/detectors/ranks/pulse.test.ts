// Pulse before an anomaly: found where values like it come between others, and rested on until the next one is due.
import { expect, test } from "bun:test";
import { findPulse, isBetweenPulses } from "../../../../src/models/detectors/ranks/pulse.ts";

const MINUTE = 60_000;
const [LOW, HIGH] = [2, 22];

/** The pulse before an anomaly at the end of a column. */
const pulseOf = (isHigh: (i: number) => boolean, { length = 100, value = LOW, step = MINUTE } = {}) => {
  const column = Float64Array.from({ length: length + 1 }, (_, i) => (isHigh(i) ? HIGH : LOW));
  column[length] = value;
  const expected = value === LOW ? HIGH : LOW;
  return findPulse(column, { i: length, value, expected, intervalMs: step });
};

test("of a pulse each ten minutes, that of two minutes, the eight between two are known", () => {
  expect(pulseOf((i) => i % 10 < 2)).toEqual({ middle: 12, above: false, run: 8 });
  expect(pulseOf((i) => i % 10 >= 2, { value: HIGH })).toEqual({ middle: 12, above: true, run: 8 });
});

test("an uneven one is known by the longest time between two", () => {
  expect(pulseOf((i) => [40, 46, 55, 60, 71, 80, 91].includes(i))?.run).toBe(10);
});

test("there is none without a second time between two, nor where it takes more than twenty minutes", () => {
  expect(pulseOf(() => true)).toBeUndefined();
  expect(pulseOf((i) => i === 90)).toBeUndefined();
  expect(pulseOf((i) => i % 10 < 2, { step: 2 * MINUTE })?.run).toBe(8);
  expect(pulseOf((i) => i % 10 < 2, { step: 3 * MINUTE })).toBeUndefined();
});

test("values between two pulses show no return until the next one is due, a pulse does", () => {
  const pulse = { middle: 12, above: false, run: 8 };
  expect([0, 7, 8].map((usual) => isBetweenPulses(pulse, LOW, usual))).toEqual([true, true, false]);
  expect(isBetweenPulses(pulse, HIGH, 3)).toBe(false);
});
