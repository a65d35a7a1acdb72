// Growth and decay: a smooth course is normal at both ends, and a spike in it is found.
import { describe, expect, test } from "bun:test";
import { detectBatch } from "../../../src/models/stateless/batch.ts";
import { findGrowth, hasDirection } from "../../../src/models/stateless/growth.ts";
import { detectLast } from "../../../src/models/stateless/last.ts";
import { makeSeries, signal, toInput, wave } from "./support.ts";

type Course = (i: number, length: number) => number;

const courses: readonly (readonly [name: string, course: Course, lengths: readonly number[]])[] = [
  ["2 % a step", (i) => 10 * 1.02 ** i, [50, 150, 300]],
  ["3 % a step", (i) => 10 * 1.03 ** i, [50, 100, 200]],
  ["5 % a step", (i) => 10 * 1.05 ** i, [80, 100, 300]],
  ["5 % a step above a level", (i) => 100 + 10 * 1.05 ** i, [80, 100]],
  ["decay of 5 % a step", (i) => 1000 * 0.95 ** i, [50, 100]],
  ["decay to a level", (i) => 500 + 100 * 0.97 ** i, [100, 200]],
  ["logistic", (i, length) => 20 + 1000 / (1 + Math.exp((-10 / length) * (i - length / 2))), [50, 300]],
  ["quadratic", (i) => 1000 + i * i + 3 * i, [100, 200]],
  ["3 % a step with a season", (i) => 10 * 1.03 ** i * (1 + 0.02 * wave(i, 7)), [80, 200]],
  ["2 % a step with a season", (i) => 10 * 1.02 ** i * (1 + 0.02 * wave(i, 12)), [100, 300]],
];
const recipes = courses.flatMap(([name, course, lengths]) =>
  lengths.map((length) => ({ name, length, valueAt: (i: number) => course(i, length) })),
);

describe.each(recipes)("$name, $length points", ({ length, valueAt }) => {
  const make = (share: number, seed: number) =>
    makeSeries(length, (i, noise) => valueAt(i) * (1 + share * noise), seed);
  const find = async (column: Float64Array) => {
    const { direction } = await detectBatch(toInput(column), signal);
    return [...direction.keys()].filter((i) => direction[i] !== 0);
  };

  test("nothing is odd without noise, and hardly a point with it", async () => {
    expect(await find(make(0, 1))).toEqual([]);
    for (const seed of [1, 2])
      expect((await find(make(0.005, seed))).length).toBeLessThanOrEqual(Math.max(1, length / 100));
  });

  test.each([0.5, 0.93, 1])("a spike at a share of %p is", async (share) => {
    const at = Math.floor(share * (length - 1));
    const column = make(0.005, 3);
    column[at]! *= 2;
    expect(await find(column)).toContain(at);
  });

  test("the last point is normal, and twice of it is not", async () => {
    const column = make(0.005, 4);
    const { direction } = await detectLast(toInput(column), signal);
    column[length - 1]! *= 2;
    expect([direction, (await detectLast(toInput(column), signal)).direction]).toEqual([0, 1]);
  });
});

test.each([
  ["growth", makeSeries(100, (i) => 7 + 1.05 ** i)],
  ["saturation", makeSeries(100, (i) => 7 - 0.95 ** i)],
])("of %s the transform is a line, and has an inverse", (_name, column) => {
  const growth = findGrowth(column, 0)!;
  for (const value of column) expect(growth.restore(growth.straighten(value))).toBeCloseTo(value, 8);
  const straight = column.map(growth.straighten);
  const slopes = straight.slice(1).map((value, i) => value - straight[i]!);
  expect(Math.max(...slopes.slice(10)) / Math.min(...slopes.slice(10))).toBeLessThan(2);
});

test("a line needs no transform, and noise has no direction", () => {
  expect(
    findGrowth(
      makeSeries(200, (i, noise) => 3 * i + noise),
      0,
    ),
  ).toBeUndefined();
  expect(
    hasDirection(
      makeSeries(200, (_i, noise) => noise),
      0,
    ),
  ).toBe(false);
  expect(
    hasDirection(
      makeSeries(200, (i, noise) => 3 * i + noise),
      0,
    ),
  ).toBe(true);
});
