// Burn rates of intervals.
import { expect, test } from "bun:test";
import { burnRates, countsOf } from "../../../src/core/budget/burn.ts";

const of = (...values: number[]) => Float64Array.from(values);
const { NaN: none } = Number;

test("an interval without requests has no burn rate; what failed may be unknown then", () => {
  const counts = countsOf({ total: of(100, 0, 0, none, 100), bad: of(1, 0, none, 1, none) });
  expect([...counts.total]).toEqual([100, 0, 0, none, none]);
  expect([...burnRates(counts, 0.9)].map((rate) => Number(rate.toFixed(9)))).toEqual([
    0.1,
    none,
    none,
    none,
    none,
  ]);
});

test("good ones are the rest of all; rounding of sums is no failure", () => {
  const counts = countsOf({ total: of(100, 0.3), good: of(95, 0.1 + 0.2) });
  expect([...counts.bad]).toEqual([5, 0]);
  expect(counts.impossible).toBe(0);
});

test("negative ones, and more than there are in all, are impossible", () => {
  const counts = countsOf({ total: of(10, 10, -1), good: of(11, -1, -1) });
  expect([...counts.total]).toEqual([none, none, none]);
  expect(counts.impossible).toBe(3);
});
