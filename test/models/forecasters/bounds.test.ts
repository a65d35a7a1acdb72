// Bounds of forecasts: set, learned where evident, and given up where the history exceeds them.
import { describe, expect, test } from "bun:test";
import { boundsOf, clampTo, learnUpperBound } from "../../../src/models/forecasters/bounds.ts";
import { makeColumn } from "./support.ts";

const cut = (max: number, scale: number) => (i: number) => Math.min(max, scale * (i % 10));

test.each([
  ["a percentage that is often 100", cut(100, 12.5), 100],
  ["a share that is often 1, with gaps", (i: number) => (i % 7 ? cut(1, 0.15)(i) : Number.NaN), 1],
  ["a percentage far below 100", cut(60, 12.5), undefined],
  ["a maximum other than 1 and 100", cut(80, 12.5), undefined],
  ["100 once", (i: number) => (i === 8 ? 100 : i % 50), undefined],
  ["flags of 0 and 1", (i: number) => i % 2, undefined],
  ["values below 0", (i: number) => cut(100, 30)(i) - 1, undefined],
  ["values beyond 100", (i: number) => (i === 3 ? 101 : 100), undefined],
  ["nothing", () => Number.NaN, undefined],
])("learned of %s: %p", (_, value, expected) => {
  expect(learnUpperBound(makeColumn(500, value))).toBe(expected);
});

describe("bounds in force", () => {
  const learned = { nonNegative: true, upperBound: 100 };
  const history = Float64Array.of(5, Number.NaN, 100);

  test.each([
    ["learned", learned, {}, history, 0, 100],
    ["set in place of learned", learned, { min: -5, max: 120 }, history, -5, 120],
    ["set below what was learned", learned, { max: -10 }, history, -10, -10],
    ["set above what was learned", learned, { min: 200 }, history, 200, 200],
    ["without a learned maximum that is exceeded", learned, {}, Float64Array.of(101), 0, Infinity],
    ["none", { nonNegative: false }, {}, history, -Infinity, Infinity],
  ])("%s", (_, parameters, limits, column, min, max) => {
    expect(boundsOf(parameters, limits, column)).toEqual({ min, max });
  });
});

test("values outside are moved to the nearest bound", () => {
  expect(Array.from(clampTo({ min: 0, max: 10 }, Float64Array.of(-1, 5, 11)))).toEqual([0, 5, 10]);
});
