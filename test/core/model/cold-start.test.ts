// Cold start: which models start untrained, and when and on how much they are trained.
import { expect, test } from "bun:test";
import { coldStartRange, pointsOfNext, startsUntrained } from "../../../src/core/model/cold-start.ts";

const MINUTE = 60_000;
const DAY = 1440 * MINUTE;

test("only `auto` starts without a training", () => {
  expect(startsUntrained({ detector: "auto" })).toBe(true);
  for (const detector of ["ensemble", "vae", undefined] as const)
    expect(startsUntrained(detector ? { detector } : {})).toBe(false);
});

test.each([
  [0, 30],
  [10, 30],
  [30, 60],
  [1000, 2000],
])("after a training of %i points, the next one starts at %i", (points, next) => {
  expect(pointsOfNext(points)).toBe(next);
});

test.each([
  ["four weeks", MINUTE, 1, 28 * DAY],
  ["2000 intervals of an hour", 60 * MINUTE, 1, 2000 * 60 * MINUTE],
  ["50 000 short intervals", 1000, 1, 50_000_000],
  ["50 000 values of all features", MINUTE, 10, 5000 * MINUTE],
] as const)("range: %s", (_, intervalMs, features, expected) => {
  expect(coldStartRange(intervalMs, features)).toBe(expected);
});
