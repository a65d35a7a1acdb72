// Profiles of seasons: even, odd and fractional cycles, and the waves of a year.
import { describe, expect, test } from "bun:test";
import { firstProfile, profileOf } from "../../../../src/models/forecasters/season/profile.ts";
import { makeColumn, makeNoise } from "../support.ts";

const asDay = (length: number) => ({ name: "day", length }) as const;
const asYear = (length: number) => ({ name: "year", length }) as const;

describe("a whole cycle", () => {
  const even = [3, -1, 4, -6];
  const odd = [3, -1, 4, 1, -7];

  test.each([
    ["even", even],
    ["odd", odd],
  ])("%s: is found beside any straight line, and goes on", (_, shape) => {
    const cycle = shape.length;
    const { at } = firstProfile(
      makeColumn(6 * cycle, (i) => 100 + 0.5 * i + shape[i % cycle]!),
      asDay(cycle),
    );
    for (let i = 0; i < 20 * cycle; i++) expect(at(i)).toBeCloseTo(shape[i % cycle]!, 9);
  });

  test("of a column without a line is the median by place, around a mean of 0", () => {
    const column = makeColumn(20, (i) => even[i % 4]! + (i === 9 ? 1000 : 0) + 50);
    const { at } = profileOf(column, asDay(4));
    expect([0, 1, 2, 3].map(at)).toEqual(even);
  });

  test("a place without a value adds nothing, missing values do not count", () => {
    const column = makeColumn(20, (i) => (i % 4 === 3 || i === 4 ? Number.NaN : [1, 2, 6][i % 4]!));
    const { at } = profileOf(column, asDay(4));
    expect([0, 1, 2, 3].map(at)).toEqual([-2, -1, 3, 0]);
  });

  test("of missing values is none", () => {
    const nothing = makeColumn(12, () => Number.NaN);
    for (const { at } of [firstProfile(nothing, asDay(4)), profileOf(nothing, asDay(4))])
      expect([0, 1, 2, 3].map(at)).toEqual([0, 0, 0, 0]);
  });
});

test("a fractional cycle keeps its phase, however far ahead", () => {
  const wave = (i: number) => 10 * Math.sin((2 * Math.PI * i) / 100.5);
  const { at } = profileOf(makeColumn(20 * 100.5, wave), asDay(100.5));
  for (const ahead of [0, 100 * 100.5, 1000 * 100.5])
    for (let i = 0; i < 100; i += 7)
      expect(at(ahead + i)).toBeWithin(wave(ahead + i) - 0.7, wave(ahead + i) + 0.7);
});

describe("a year of few years", () => {
  const year = 365.25;
  const wave = (i: number) =>
    10 * Math.cos((2 * Math.PI * i) / year) + 3 * Math.sin((4 * Math.PI * i) / year);

  test("is found by its waves beside a line, and goes on", () => {
    const { at } = firstProfile(
      makeColumn(1000, (i) => (i % 9 === 4 ? Number.NaN : 50 + 0.02 * i + wave(i))),
      asYear(year),
    );
    for (let i = 0; i < 1400; i += 31) expect(at(i)).toBeWithin(wave(i) - 0.1, wave(i) + 0.1);
  });

  test("does not follow the noise of its days", () => {
    const noise = makeNoise(17);
    const { at } = profileOf(
      makeColumn(1000, (i) => wave(i) + 5 * noise()),
      asYear(year),
    );
    for (let i = 0; i < 366; i += 5) expect(at(i)).toBeWithin(wave(i) - 2.5, wave(i) + 2.5);
  });

  test.each([
    ["of months", asYear(12), 36],
    ["of many years", asYear(52), 6 * 52],
    ["a long day", asDay(200), 600],
  ] as const)("a peak %s has a value of its own", (_, cycle, length) => {
    const { at } = profileOf(
      makeColumn(length, (i) => (i % cycle.length === 5 ? 100 : 0)),
      cycle,
    );
    expect(at(5) - at(4)).toBe(100);
    expect(at(5) - at(6)).toBe(100);
  });
});
