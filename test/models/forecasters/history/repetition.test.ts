// Two cycles that repeat: weeks with weekends, and days, against steps.
import { describe, expect, test } from "bun:test";
import { DAY_MS } from "../../../../src/core/time/time.ts";
import { repeats } from "../../../../src/models/forecasters/history/repetition.ts";
import { columnOf, makeColumn, makeNoise, viewOf } from "../support.ts";

const seeds = Array.from({ length: 20 }, (_, k) => k + 1);
const noisy = (length: number, value: (i: number) => number) =>
  seeds.map((seed) => {
    const noise = makeNoise(seed);
    return makeColumn(length, (i) => value(i) + 4 * noise());
  });
const brokenShare = (columns: readonly Float64Array[], intervalMs: number) =>
  columns.filter((column) => viewOf(column, { intervalMs, breaks: true }).isBroken).length / columns.length;
const week = [80, 90, 100, 95, 70, 15, 5];

describe("a history of two cycles", () => {
  test.each([14, 17, 20])("%p days of a week with its weekend have no break", (length) => {
    expect(
      brokenShare(
        noisy(length, (i) => week[i % 7]!),
        DAY_MS,
      ),
    ).toBe(0);
  });

  test.each([14, 17, 20])("%p days with a step have one", (length) => {
    expect(
      brokenShare(
        noisy(length, (i) => (i < length - 6 ? 100 : 150)),
        DAY_MS,
      ),
    ).toBeGreaterThan(0.8);
  });

  test("two days of office hours have none, two days with a step have one", () => {
    const office = noisy(48, (i) => (i % 24 >= 8 && i % 24 < 18 ? 80 : 20));
    const step = noisy(48, (i) => (i < 30 ? 20 : 80));
    expect([office, step].map((columns) => brokenShare(columns, DAY_MS / 24))).toEqual([0, 1]);
  });

  test.each([
    14, 17, 20,
  ])("%p days by the hour, lower at weekends, have no break; with a step they have one", (days) => {
    const daily = (i: number) => 30 * Math.sin((2 * Math.PI * i) / 24);
    const weekends = noisy(24 * days, (i) => 100 + daily(i) - (i % 168 >= 120 ? 20 : 0));
    const step = noisy(24 * days, (i) => 100 + daily(i) - (i >= 24 * (days - 4) ? 20 : 0));
    expect([weekends, step].map((columns) => brokenShare(columns, DAY_MS / 24))).toEqual([0, 1]);
  });
});

describe("a cycle against segments", () => {
  const rest = columnOf(1, -1, 1, -1, 1, -1, 1, -1, 1, -1, 1, -1);
  const column = columnOf(5, 9, 4, 0, 5, 9, 5, 9, 4, 0, 5, 9);

  test("that repeats to the value explains more", () => {
    expect(repeats(column, { length: 6, shorter: 1, rest, segments: 2 })).toBe(true);
  });

  test("has a number for each shorter cycle in it, wherever that begins", () => {
    const noise = makeNoise(4);
    const own = makeColumn(51, (i) => [0, 0, 9][Math.floor((i + 4) / 8) % 3]! + noise());
    const segments = { length: 24, rest: own.map(() => 1), segments: 3 };
    expect([1, 8].map((shorter) => repeats(own, { ...segments, shorter }))).toEqual([false, true]);
  });

  test("is compared to the last digit far from 0", () => {
    const noise = makeNoise(4);
    const own = makeColumn(51, (i) => 1e9 + [0, 0, 9][Math.floor((i + 4) / 8) % 3]! + noise());
    expect(repeats(own, { length: 24, shorter: 8, rest: own.map(() => 1), segments: 3 })).toBe(true);
    expect(repeats(own, { length: 24, shorter: 8, rest: own.map(() => 0.1), segments: 3 })).toBe(false);
  });

  test("segments without rest explain more than a cycle with noise", () => {
    const own = column.map((value, i) => value + (i % 5));
    expect(repeats(own, { length: 6, shorter: 1, rest: rest.fill(0), segments: 2 })).toBe(false);
  });

  test("too few pairs tell nothing", () => {
    const gaps = column.map((value, i) => (i < 2 ? Number.NaN : value));
    expect(repeats(gaps, { length: 6, shorter: 1, rest: columnOf(...gaps), segments: 2 })).toBe(false);
  });
});
