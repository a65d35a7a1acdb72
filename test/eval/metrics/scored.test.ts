// The sweep over thresholds, segments, and the order of two scores.
import { expect, test } from "bun:test";
import { findSegments, orderBy, rankPoints, sweepThresholds } from "./scored.ts";

test.each<{ flags: number[]; segments: [number, number][] }>([
  { flags: [], segments: [] },
  { flags: [0, 0], segments: [] },
  {
    flags: [1, 1, 0, 1],
    segments: [
      [0, 2],
      [3, 4],
    ],
  },
  {
    flags: [0, 1, 0, 1, 1],
    segments: [
      [1, 2],
      [3, 5],
    ],
  },
])("runs of $flags are $segments", ({ flags, segments }) => {
  expect(findSegments(flags).map(({ from, to }): [number, number] => [from, to])).toEqual(segments);
});

test("a threshold falls from the highest score; equal scores cross it together", () => {
  const seen: string[] = [];
  sweepThresholds(
    rankPoints(Float64Array.of(1, 3, 1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY)),
    (i) => seen.push(`point ${i}`),
    (threshold) => seen.push(`at ${threshold}`),
  );
  expect(seen).toEqual([
    "point 3",
    "at Infinity",
    "point 1",
    "at 3",
    "point 0",
    "point 2",
    "at 1",
    "point 4",
    "at -Infinity",
  ]);
});

test("the second score orders what the first leaves equal, and nothing else", () => {
  const first = Float64Array.of(100, 50, 100, 0, 0);
  const second = Float64Array.of(7, 99, 9, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY);
  expect([...orderBy(first, second)]).toEqual([2, 1, 3, 0, 0]);
});
