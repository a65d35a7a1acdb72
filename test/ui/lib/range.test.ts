// Ranges of a chart: from the address, moved, zoomed, framed; never beyond now.
import { expect, test } from "bun:test";
import {
  badRange,
  dayOf,
  endBy,
  frame,
  move,
  pinch,
  rangeOfData,
  readRange,
  shift,
  spanOf,
  startOfDay,
  toParams,
  zoom,
  zoomAt,
} from "../../../src/ui/lib/range.ts";

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

test("by gestures: shifted, zoomed around the pointer, pinched; ended by now", () => {
  const range = { from: 1000, to: 2000 };
  expect(shift(range, -50)).toEqual({ from: 950, to: 1950 });
  expect(endBy(range, 1900)).toEqual({ from: 900, to: 1900 });
  expect(endBy(range, 2100)).toBe(range);
  expect(zoomAt(range, 1250, 2)).toEqual({ from: 750, to: 2750 });
  expect(zoomAt(range, 1250, 0.5)).toEqual({ from: 1125, to: 1625 });
  expect(zoomAt(range, 1250, 0).to - zoomAt(range, 1250, 0).from).toBe(60);
  // Instants 1200 and 1400 at 100 and 300 of 500 pixels: a second per pixel.
  expect(pinch([1200, 1400], [100, 300], 500)).toEqual({ from: 1100, to: 1600 });
  expect(pinch([1400, 1200], [300, 100], 500)).toEqual({ from: 1100, to: 1600 });
  const { from, to } = pinch([1200, 1400], [100, 100], 500);
  expect(to - from).toBe(5000);
});

test.each([
  [
    { from: "now-3d", to: "now-2d" },
    { from: NOW - 3 * DAY, to: NOW - 2 * DAY },
  ],
  [{ from: "now-2h" }, { from: NOW - 7200, to: NOW }],
  [
    { from: String(NOW - 600), to: "now" },
    { from: NOW - 600, to: NOW },
  ],
])("%p is relative, as in the API", (params, range) => {
  expect(readRange(params, NOW)).toEqual(range);
  expect(badRange(params, NOW)).toBeUndefined();
});

test.each([
  [{ range: "banana" }, "banana"],
  [{ from: "x", to: "y" }, "x … y"],
  [{ from: "now+1d" }, "now+1d … now"],
  [{ from: "5", to: "4" }, "5 … 4"],
  [{ to: "100" }, " … 100"],
  [{}, undefined],
  [{ range: "30d" }, undefined],
])("of %p the page says %p", (params, said) => expect(badRange(params, NOW)).toBe(said));

test("an address without a range shows the data there is, the last seven days at most", () => {
  const hour = rangeOfData({ from: NOW - 3600, to: NOW }, NOW);
  expect(hour).toEqual({ from: NOW - 3672, to: NOW });
  const long = rangeOfData({ from: NOW - 90 * DAY, to: NOW }, NOW);
  expect(long).toEqual({ from: NOW - 7 * DAY, to: NOW });
  const ended = rangeOfData({ from: NOW - 90 * DAY, to: NOW - 60 * DAY }, NOW);
  expect(ended).toEqual({ from: NOW - 67 * DAY, to: NOW - 60 * DAY });
  expect(rangeOfData(undefined, NOW)).toEqual({ from: NOW - 7 * DAY, to: NOW });
});

test("a day of a zone starts at its midnight, also where the offset changes", () => {
  const winter = 3600;
  // Berlin, 29 March 2026: the clock goes from 02:00 to 03:00.
  const offset = (at: number) => (at < Date.parse("2026-03-29T01:00Z") / 1000 ? winter : 2 * winter);
  const start = Date.parse("2026-03-28T23:00Z") / 1000;
  expect(startOfDay("2026-03-29", offset)).toBe(start);
  expect([start - 1, start, start + 23 * 3600 - 1, start + 23 * 3600].map((at) => dayOf(at, offset))).toEqual(
    ["2026-03-28", "2026-03-29", "2026-03-29", "2026-03-30"],
  );
});
