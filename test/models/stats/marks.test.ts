// Marked intervals of a training range, and columns without them.
import { expect, test } from "bun:test";
import { countMarks, leaveOut, markIntervals } from "../../../src/models/stats/marks.ts";
import { parseRanges } from "../../support/spans.ts";

const grid = { startAt: 1000, intervalMs: 100, length: 6 };

test.each([
  ["nothing", "", [0, 0, 0, 0, 0, 0]],
  ["whole intervals", "1100-1300", [0, 1, 1, 0, 0, 0]],
  ["parts of intervals count whole", "1150-1201", [0, 1, 1, 0, 0, 0]],
  ["an instant marks its interval", "1300-1301", [0, 0, 0, 1, 0, 0]],
  ["the edges", "500-1100 1500-9000", [1, 0, 0, 0, 0, 1]],
  ["what lies outside", "0-1000 1600-1700", [0, 0, 0, 0, 0, 0]],
  ["those that overlap are marked once", "1000-1300 1200-1400", [1, 1, 1, 1, 0, 0]],
] as [string, string, number[]][])("%s", (_, ranges, expected) => {
  const marks = markIntervals(grid, parseRanges(ranges));
  expect(Array.from(marks)).toEqual(expected);
  expect(countMarks(marks)).toBe(expected.filter(Boolean).length);
});

test("a column without the marked values; the one given stays whole", () => {
  const column = Float64Array.of(1, 2, 3);
  expect(Array.from(leaveOut(column, Uint8Array.of(0, 1, 0)))).toEqual([1, Number.NaN, 3]);
  expect(Array.from(column)).toEqual([1, 2, 3]);
});
