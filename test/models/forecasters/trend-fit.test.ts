// Choice of trends: what goes on is trusted, what wanders, jumps or recurs is not.
import { describe, expect, test } from "bun:test";
import { chooseTrend } from "../../../src/models/forecasters/trend-fit.ts";
import { DAY, HOUR, makeColumn, makeNoise, seasonal, WEEK } from "./support.ts";

const noise = makeNoise(51);
const choose = (value: (i: number) => number, length = 30 * DAY) =>
  chooseTrend({ column: makeColumn(length, value), intervalMs: HOUR });

function walk(): (i: number) => number {
  let level = 100;
  return () => (level += 0.3 * noise());
}

test.each([
  ["a filling disk", "additive", (i: number) => 40 + (0.7 * i) / DAY + 0.15 * noise()],
  ["a draining one", "additive", (i: number) => 90 - (0.7 * i) / DAY + 0.15 * noise()],
  ["one with gaps", "additive", (i: number) => (i % 5 ? 40 + (0.7 * i) / DAY + 0.15 * noise() : Number.NaN)],
  ["a line whose noise grows", "additive", (i: number) => (1 + i / DAY) * (10 + 0.1 * noise())],
  ["growth by 1 % a day", "multiplicative", (i: number) => seasonal(i) * 1.01 ** (i / DAY)],
  ["growth below 0", "additive", (i: number) => -200 + (0.7 * i) / DAY + 0.15 * noise()],
] as const)("%s goes on, %s", (_, kind, value) => {
  expect(choose(value)).toMatchObject({ kind, damping: 1 });
});

test("what slows down is damped, or left out", () => {
  const slowing = choose((i) => 100 * (1 - 0.9 ** (i / DAY)) + 0.1 * noise());
  expect(slowing?.damping ?? 0).toBeLessThan(1);
});

test.each([
  ["a season", (i: number) => seasonal(i) + 4 * noise()],
  ["a step", (i: number) => seasonal(i) + (i > 22 * DAY ? 15 : 0)],
  ["a sawtooth of nine days", (i: number) => 20 + 6 * ((i / DAY) % 9)],
  ["a constant", () => 7],
  ["nothing", () => Number.NaN],
] as const)("%s has none", (_, value) => {
  expect(choose(value)).toBeUndefined();
});

test("a random walk rarely has one", () => {
  const trended = Array.from({ length: 20 }, () => choose(walk())).filter((trend) => trend !== undefined);
  expect(trended.length).toBeLessThanOrEqual(4);
});

describe.each([7, 10, 14, 20])("of %p days", (days) => {
  test("a filling disk goes on by its days", () => {
    expect(choose((i) => 40 + (0.7 * i) / DAY + 0.15 * noise(), days * DAY)).toEqual({
      ...{ kind: "additive", span: "short", damping: 1 },
    });
  });

  test.each([
    ["a weekend at any place", (i: number) => (i % WEEK >= 5 * DAY ? 50 : 100) + noise()],
    ["a random walk", walk()],
    ["noise", () => 50 + noise()],
  ] as const)("%s has none", (_, value) => {
    for (let shift = 0; shift < WEEK; shift += DAY)
      expect(choose((i) => value(i + shift), days * DAY)).toBeUndefined();
  });
});

test("six days are too few to tell", () => {
  expect(choose((i) => i, 7 * DAY - 1)).toBeUndefined();
});
