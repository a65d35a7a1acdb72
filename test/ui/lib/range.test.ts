// Ranges of a chart: from the address, moved, zoomed, framed; never beyond now.
import { expect, test } from "bun:test";
import { frame, move, readRange, spanOf, toParams, zoom } from "../../../src/ui/lib/range.ts";

const NOW = 1_800_000_000;
const DAY = 86_400;

test.each([
  [{}, 7 * DAY],
  [{ range: "1d" }, DAY],
  [{ range: "constructor" }, 7 * DAY],
  [{ from: "x", to: "y" }, 7 * DAY],
  [{ from: "5", to: "4" }, 7 * DAY],
])("%p ends now", (params, length) =>
  expect(readRange(params, NOW)).toEqual({ from: NOW - length, to: NOW }));

test("instants of the address count before a span, and have no name", () => {
  const params = { from: "1000", to: "5000" };
  expect(readRange(params, NOW)).toEqual({ from: 1000, to: 5000 });
  expect(spanOf(params)).toBeUndefined();
  expect(spanOf({})).toBe("7d");
  expect(toParams({ from: 1000.4, to: 5000.6 })).toEqual({ range: undefined, from: "1000", to: "5001" });
});

test("movement stops at now", () => {
  const range = { from: NOW - 2 * DAY, to: NOW - DAY };
  expect(move(range, -0.5, NOW)).toEqual({ from: NOW - 2.5 * DAY, to: NOW - 1.5 * DAY });
  expect(move(range, 5, NOW)).toEqual({ from: NOW - DAY, to: NOW });
});

test("zoom keeps the middle, a least length, and stops at now", () => {
  const range = { from: NOW - 3 * DAY, to: NOW - DAY };
  expect(zoom(range, "in", NOW)).toEqual({ from: NOW - 2.5 * DAY, to: NOW - 1.5 * DAY });
  expect(zoom(range, "out", NOW)).toEqual({ from: NOW - 4 * DAY, to: NOW });
  const { from, to } = zoom({ from: NOW - 70, to: NOW }, "in", NOW);
  expect(to - from).toBe(60);
});

test("a frame holds the anomaly with its surroundings; one in progress ends now", () => {
  expect(frame({ start: NOW - 10_000, end: NOW - 9000 }, NOW)).toEqual({
    from: NOW - 14_000,
    to: NOW - 5000,
  });
  expect(frame({ start: NOW - 1000, end: null }, NOW)).toEqual({ from: NOW - 5000, to: NOW });
});
