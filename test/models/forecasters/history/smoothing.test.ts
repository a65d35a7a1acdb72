// Exponential smoothing of a level and of a damped trend.
import { describe, expect, test } from "bun:test";
import { smoothLevel, smoothTrend } from "../../../../src/models/forecasters/history/smoothing.ts";
import { columnOf, makeColumn, makeNoise } from "../support.ts";

describe("a level", () => {
  test.each([
    ["of a constant is the constant", makeColumn(20, () => 7), 7],
    [
      "of a line is its last value, for each value says more than those before it",
      makeColumn(20, (i) => 3 * i),
      57,
    ],
    ["of one value is that", columnOf(4), 4],
    ["stands still where values are missing", makeColumn(20, (i) => (i < 10 ? 3 * i : Number.NaN)), 27],
    ["begins at the first value", makeColumn(20, (i) => (i < 15 ? Number.NaN : 7)), 7],
  ] as const)("%s", (_, values, level) => {
    expect(smoothLevel(values).level).toBeCloseTo(level, 9);
  });

  test("of noise is its mean, of a random walk its last value", () => {
    const noise = makeNoise(15);
    const still = smoothLevel(makeColumn(500, () => 50 + noise()));
    expect(still.factor).toBeLessThanOrEqual(0.1);
    expect(still.level).toBeWithin(49.5, 50.5);
    let at = 0;
    const walk = makeColumn(500, () => (at += noise()));
    expect(smoothLevel(walk).factor).toBeGreaterThanOrEqual(0.8);
    expect(smoothLevel(walk).level).toBeWithin(walk[499]! - 1, walk[499]! + 1);
  });

  test.each([
    ["nothing", columnOf()],
    ["missing values", columnOf(Number.NaN, Number.NaN)],
  ])("of %s there is none", (_, values) => {
    expect(smoothLevel(values).level).toBeNaN();
  });
});

describe("a damped trend", () => {
  test("of a line is close to its slope, and hardly damped", () => {
    const { level, trend, damping } = smoothTrend(makeColumn(200, (i) => 3 * i));
    expect(level).toBeWithin(3 * 199 - 0.5, 3 * 199 + 0.5);
    expect(trend).toBeWithin(2.7, 3.1);
    expect(damping).toBe(0.98);
  });

  test("of a constant is none", () => {
    expect(smoothTrend(makeColumn(20, () => 7))).toMatchObject({ level: 7, trend: 0 });
  });

  test("goes on where values are missing", () => {
    const line = (i: number) => 3 * i;
    const gap = smoothTrend(makeColumn(220, (i) => (i < 200 ? line(i) : Number.NaN)));
    expect(gap.level).toBeWithin(line(200), line(220));
  });

  test.each([
    ["nothing", columnOf()],
    ["missing values", columnOf(Number.NaN, Number.NaN)],
  ])("of %s there is none", (_, values) => {
    expect(smoothTrend(values)).toMatchObject({ level: Number.NaN, trend: 0 });
  });
});
