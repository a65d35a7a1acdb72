// Calibration: a tail of known shape is read back, bursts count once, and too few points say nothing.
import { describe, expect, test } from "bun:test";
import { calibrate, fitCalibration } from "../../../src/models/detectors/calibration.ts";
import { createRandom } from "../../../wasm/random.ts";

const random = createRandom(5);
/** Exponential means: one in ten exceeds `scale` times the logarithm of ten. */
const exponential = (length: number, scale: number) =>
  Float64Array.from({ length }, () => -scale * Math.log(1 - random.uniform()));

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const NOON = 12 * HOUR;
/** Noon of the second day of a week where it is so, else midnight. */
const timeIf = (isNoon: (i: number) => boolean) => (i: number) => ({
  ofDay: isNoon(i) ? NOON : 0,
  ofWeek: DAY + (isNoon(i) ? NOON : 0),
  intervalMs: HOUR,
});

test("too few points make no calibration", () => {
  expect(fitCalibration(exponential(199, 0.3))).toBeUndefined();
});

describe("of exponential means", () => {
  const means = exponential(20_000, 0.25);
  const fitted = fitCalibration(means)!;

  test("the tail begins where one point in ten lies beyond, with its mean excess", () => {
    expect(fitted.usual).toBeCloseTo(0.25 * Math.LN10, 1);
    expect(fitted.excess).toBeCloseTo(0.25, 1);
  });

  test("a mean is as rare as its share, but for the share of bursts", () => {
    const beyond = -Math.log10(fitted.bursts);
    for (const decades of [0.5, 1])
      expect(calibrate(fitted, 0.25 * Math.LN10 * decades)).toBeCloseTo(decades, 1);
    for (const decades of [3, 4])
      expect(calibrate(fitted, 0.25 * Math.LN10 * decades) - beyond).toBeCloseTo(decades, 0);
  });

  test("a greater mean is rarer", () => {
    const rarities = [0, 0.2, 0.5, 0.58, 0.6, 1, 2, 5].map((mean) => calibrate(fitted, mean));
    expect(rarities).toEqual(rarities.toSorted((a, b) => a - b));
  });
});

test("beyond the rarest bursts a tail is as long as theirs, where that is longer", () => {
  // Of noise that goes on for long, the detectors agree the more, the rarer a point is.
  const noise = exponential(20_000, 0.25);
  const from = noise.toSorted().at(-30)!;
  const means = noise.map((mean) => (mean < from ? mean : from));
  for (let k = 0; k < 20; k++) means[1000 * k] = from + 0.05 * k;
  const fitted = fitCalibration(means)!;
  const { counted, ...uncounted } = fitted;
  expect(counted!.decades).toBeGreaterThan(calibrate(uncounted, counted!.from));
  expect(calibrate(fitted, from + 3)).toBeLessThan(calibrate(uncounted, from + 3) - 0.5);
});

describe("of spikes beside noise", () => {
  const spiked = exponential(20_000, 0.25).map((mean, i) => (i % 200 === 0 ? 2 + mean : mean));
  const fitted = fitCalibration(spiked)!;
  const { counted: _, ...uncounted } = fitted;

  test("a mean is no rarer than bursts of the training reached it", () => {
    const sorted = spiked.toSorted();
    for (const count of [20, 50, 90]) {
      const rarity = calibrate(fitted, sorted[sorted.length - count]!);
      expect(rarity).toBeLessThan(Math.log10(sorted.length / count) + 0.7);
    }
    expect(calibrate(fitted, sorted.at(-20)!)).toBeLessThan(3.1);
    expect(calibrate(uncounted, sorted.at(-20)!)).toBeGreaterThan(3.4);
  });

  test("a greater mean is rarer, also beyond all of them", () => {
    const rarities = [0.5, 1, 1.5, 2, 2.4, 2.6, 3, 4].map((mean) => calibrate(fitted, mean));
    expect(rarities).toEqual(rarities.toSorted((a, b) => a - b));
    expect(rarities.at(-1)! - rarities.at(-2)!).toBeGreaterThan(1);
  });
});

test("noise alone needs no count of its bursts, and few points have none", () => {
  const counts = [1, 2, 3, 4].map(() => fitCalibration(exponential(20_000, 0.25))!);
  const moved = counts.map(({ counted, ...rest }) =>
    counted ? calibrate(rest, counted.from) - counted.decades : 0,
  );
  expect(Math.max(...moved)).toBeLessThan(0.3);
  expect(fitCalibration(exponential(200, 0.25))!.counted).toBeUndefined();
});

test("what recurs is as rare as it was seen to be, with half of the false alarms; what is rarer still is as much rarer", () => {
  const means = exponential(20_000, 0.25);
  const free = fitCalibration(means)!;
  const known = [[1.5, 2.2] as const, [0.3, 1.9] as const, [0.1, 0.2] as const];
  const shown = 2.2 - Math.log10(2);
  const timeOf = timeIf((i) => i % 2 === 0);
  const { others, ...fitted } = fitCalibration(means, { recurring: { known, times: [NOON] }, timeOf })!;
  // An entry that the tail takes for more usual than it was says nothing, nor does one that is seen all the time.
  expect(fitted).toEqual({ ...free, recurring: [[1.5, shown]] });
  expect(others!.times).toEqual([NOON]);
  expect(calibrate(free, 1.5)).toBeGreaterThan(2.2);
  expect(calibrate(fitted, 1.5)).toBe(shown);
  expect(calibrate(fitted, 0.5)).toBe(calibrate(free, 0.5));
  expect(calibrate(fitted, 2) - shown).toBeCloseTo(0.5 / (free.excess * Math.LN10), 9);
});

test("at other times of the day a mean is judged among those, which are calmer", () => {
  const isAt = (i: number) => i % 100 < 5;
  const timeOf = timeIf(isAt);
  const means = exponential(20_000, 0.2).map((mean, i) => (isAt(i) ? 2 + mean : mean));
  const fitted = fitCalibration(means, { recurring: { known: [[2, 1.5]], times: [NOON] }, timeOf })!;
  const [there, elsewhere] = [0, 50].map((i) => calibrate(fitted, 2, timeOf(i)));
  expect(there).toBeLessThanOrEqual(1.5);
  expect(elsewhere).toBeGreaterThan(4);
  expect(calibrate(fitted, 2)).toBe(there!);
});

test("at the times of what recurs each week a mean is judged among those", () => {
  const means = exponential(20_000, 0.2);
  const ofWeeks = exponential(200, 0.2).map((mean) => mean + 2);
  const timeOf = timeIf((i) => i === 0);
  const fitted = fitCalibration(means, { timeOf, weekly: { times: [DAY + NOON], means: ofWeeks } })!;
  expect(calibrate(fitted, 2.5, timeOf(0))).toBeLessThan(1.5);
  expect(calibrate(fitted, 2.5, timeOf(1))).toBe(calibrate(fitCalibration(means)!, 2.5));
});

test("points that come in bursts are fewer alarms, and so each is rarer", () => {
  const single = exponential(10_000, 0.25);
  const burst = single.map((_, i) => single[i - (i % 10)]!);
  expect(fitCalibration(burst)!.bursts).toBeLessThan(0.5 * fitCalibration(single)!.bursts);
});

test("means of a series without noise have a scale, too", () => {
  const fitted = fitCalibration(new Float64Array(1000))!;
  expect(fitted.excess).toBeGreaterThan(0);
  expect(Number.isFinite(calibrate(fitted, 3))).toBe(true);
});
