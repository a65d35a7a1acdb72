// Bend of a level: what bends is followed by its form, what is straight, or noise, has none.
import { describe, expect, spyOn, test } from "bun:test";
import { bendOf, isCurve } from "../../../../src/models/forecasters/history/bend.ts";
import { makeColumn, makeNoise } from "../support.ts";

const LENGTH = 60;
const AHEAD = 12;

describe.each([1, 2, 3])("noise %d", (seed) => {
  const column = (value: (i: number) => number, length = LENGTH) => {
    const noise = makeNoise(seed);
    return makeColumn(length, (i) => value(i) + noise());
  };

  test.each<[string, (i: number) => number]>([
    ["a parabola", (i) => 10 + 0.2 * i * i],
    ["growth that speeds up", (i) => 50 + 5 * Math.exp(i / 20)],
    ["growth that slows down", (i) => 100 - 80 * Math.exp(-i / 20)],
    ["cooling", (i) => 20 + 70 * Math.exp(-i / 15)],
  ])("%s goes on", (_, value) => {
    const { at } = bendOf(column(value))!;
    for (const lead of [0, AHEAD]) {
      // As far as a parabola and an exponential alike would tell.
      const step = Math.abs(value(LENGTH + lead) - value(LENGTH - 1));
      expect(Math.abs(at(lead) - value(LENGTH + lead))).toBeLessThan(3 + 0.25 * step);
    }
  });

  test.each<[string, (i: number) => number]>([
    ["a line", (i) => 3 * i],
    ["a constant", () => 7],
  ])("%s has none", (_, value) => expect(bendOf(column(value))).toBeUndefined());

  test("an S-curve past its middle goes on to its limit", () => {
    const value = (i: number) => 50 + 400 / (1 + Math.exp((30 - i) / 6));
    const { at, errorAt } = bendOf(column(value))!;
    for (const lead of [0, AHEAD]) expect(Math.abs(at(lead) - value(LENGTH + lead))).toBeLessThan(3);
    expect(errorAt(0)).toBeWithin(0.8, 2);
    expect(errorAt(AHEAD)).toBeWithin(errorAt(0), 4);
    expect(isCurve(column(value))).toBe(true);
  });

  test("a step is no S-curve, and what has not come to its middle has no limit", () => {
    expect(isCurve(column((i) => (i < 30 ? 50 : 450)))).toBe(false);
    const early = bendOf(column((i) => 1000 / (1 + Math.exp((70 - i) / 9))))!;
    expect(early.at(40)).toBeGreaterThan(1500);
  });

  test("what only the newest quarter shows is followed from there", () => {
    const start = 40 * Math.sin(150 / 9);
    const value = (i: number) =>
      i < 150 ? 40 * Math.sin(i / 9) : start + 60 * (1 - Math.exp((150 - i) / 15));
    expect(bendOf(column(value, 200))!.at(0)).toBeWithin(start + 52, start + 62);
  });
});

test("gaps, large values and long histories change nothing", () => {
  const noise = makeNoise(5);
  const value = (i: number) => 1e9 + 200 * Math.exp(-i / 300);
  const { at } = bendOf(makeColumn(1200, (i) => (i % 7 === 3 ? Number.NaN : value(i) + noise())))!;
  expect(Math.abs(at(50) - value(1250))).toBeLessThan(3);
});

test("few values, and none, have none", () => {
  expect(bendOf(makeColumn(10, (i) => i * i))).toBeUndefined();
  expect(bendOf(new Float64Array())).toBeUndefined();
  expect(bendOf(makeColumn(30, () => Number.NaN))).toBeUndefined();
});

test("each exponential is worked out once for each mean", () => {
  const exp = spyOn(Math, "exp");
  try {
    const noise = makeNoise(1);
    bendOf(makeColumn(LENGTH, (i) => 3 * i + noise()));
    expect(exp.mock.calls.length).toBe(12 * LENGTH);
  } finally {
    exp.mockRestore();
  }
});
