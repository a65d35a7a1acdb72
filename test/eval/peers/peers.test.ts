// Simple detectors: what they find, no look-ahead, gaps.
import { describe, expect, test } from "bun:test";
import { peers } from "./index.ts";
import { linearResidual } from "./linear.ts";
import { movingZ } from "./moving-z.ts";
import { causalRank } from "./rank.ts";
import { seasonalMedian } from "./seasonal-median.ts";

const STEP = 3600;
const DAY = 24;
const LENGTH = 30 * DAY;
const SPIKE = 25 * DAY + 7;

/** A daily wave with a little noise, the same at every run. */
const wave = (i: number) => Math.sin((2 * Math.PI * i) / DAY) + 0.05 * (((i * 7919) % 101) / 101);
const makeSeries = (spoil: (values: Float64Array) => void = () => {}) => {
  const values = Float64Array.from({ length: LENGTH }, (_, i) => wave(i));
  spoil(values);
  return { values, step: STEP, startAt: 0 };
};

describe.each(Object.entries(peers))("%s", (_, peer) => {
  const trainTo = LENGTH / 2;

  test("puts a spike first", () => {
    const statistic = peer(
      makeSeries((values) => {
        values[SPIKE]! += 10;
      }),
      trainTo,
    );
    const rest = [...statistic.subarray(trainTo)].map((value) => (Number.isNaN(value) ? -1 : value));
    expect(rest.indexOf(Math.max(...rest)) + trainTo).toBe(SPIKE);
  });

  test("depends on the past and the point alone", () => {
    const whole = peer(makeSeries(), trainTo);
    const other = peer(
      makeSeries((values) => values.fill(99, SPIKE + 1)),
      trainTo,
    );
    expect([...other.subarray(0, SPIKE + 1)]).toEqual([...whole.subarray(0, SPIKE + 1)]);
  });

  test("a missing value has no statistic, and does not spoil those of others", () => {
    const statistic = peer(
      makeSeries((values) => {
        values[SPIKE] = Number.NaN;
      }),
      trainTo,
    );
    expect(statistic[SPIKE]).toBeNaN();
    expect(statistic.subarray(SPIKE + 1).every(Number.isFinite)).toBe(true);
  });

  test("a constant series is not odd anywhere", () => {
    const statistic = peer(
      makeSeries((values) => values.fill(5)),
      trainTo,
    );
    expect(Math.max(...statistic.filter(Number.isFinite))).toBeLessThan(1e-6);
  });
});

test("moving z: distance from the mean of the window before, in its deviations", () => {
  // Of 1, 3, 1, 3 the mean is 2 and the deviation 1.
  const z = movingZ(Float64Array.of(1, 3, 1, 3, 7, 2), 4);
  expect([...z.subarray(0, 2)]).toEqual([Number.NaN, Number.NaN]);
  expect(z[4]).toBeCloseTo(5, 6);
  // Of 3, 1, 3, 7: mean 3.5, variance (0.25 + 6.25 + 0.25 + 12.25) / 4 = 4.75.
  expect(z[5]).toBeCloseTo(1.5 / Math.sqrt(4.75), 6);
});

test("seasonal median: residual from the median of the same time of day in the training part", () => {
  // Two slots a day; medians of 1, 3, 2 and of 10, 10, 40.
  const values = Float64Array.of(1, 10, 3, 10, 2, 40, 9, 9);
  expect([...seasonalMedian({ values, step: 43_200, startAt: 86_400 }, 6)]).toEqual([
    1, 0, 1, 0, 0, 30, 7, 1,
  ]);
});

test("linear: what lies in the span of the training windows has no residual", () => {
  // Windows of a sine lie in a plane; so do those of twice the sine, but not those of a square wave.
  const sine = Float64Array.from({ length: 600 }, (_, i) => (i < 400 ? 1 : 2) * Math.sin(i / 5));
  const plan = { window: 40, trainTo: 400 };
  expect(Math.max(...linearResidual(sine, plan).subarray(440))).toBeLessThan(1e-6);
  const square = sine.map((value, i) => (i < 400 ? value : Math.sign(value)));
  expect(Math.max(...linearResidual(square, plan).subarray(440))).toBeGreaterThan(0.01);
});

test("causal rank: how rarely the past held anything so odd", () => {
  // 5: first of one. 7: 1 of 2. 7: 2 of 3. 1: 4 of 4. 9: 1 of 5.
  const ranks = causalRank(Float64Array.of(5, 7, Number.NaN, 7, 1, 9));
  const expected = [1, 1 / 2, Number.NaN, 2 / 3, 1, 1 / 5].map((p) => -Math.log10(p));
  for (const [i, value] of expected.entries()) {
    if (Number.isNaN(value)) expect(ranks[i]).toBeNaN();
    else expect(ranks[i]).toBeCloseTo(value, 12);
  }
});
