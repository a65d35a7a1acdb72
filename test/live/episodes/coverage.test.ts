// Coverage: scored intervals stay covered, small gaps are bridged, few ranges are kept.
import { expect, test } from "bun:test";
import { type Coverage, cover, isCovered } from "../../../src/live/episodes/coverage.ts";

const range = (fromAt: number, toAt: number) => ({ fromAt, toAt });

test("windows one after the other are one range", () => {
  let coverage: Coverage = [];
  for (let at = 0; at < 1000; at += 10) coverage = cover(coverage, range(at, at + 10), 10);
  expect(coverage).toEqual([range(0, 1000)]);
  expect([-1, 0, 999, 1000].map((at) => isCovered(coverage, at))).toEqual([false, true, true, false]);
});

test("gaps of sixty intervals are bridged, longer ones are not", () => {
  const base = [range(0, 10)];
  expect(cover(base, range(610, 620), 10)).toEqual([range(0, 620)]);
  expect(cover(base, range(620, 630), 10)).toEqual([range(0, 10), range(620, 630)]);
});

test("nothing is bridged ahead: a clock set back a little does not blind detection", () => {
  const coverage = cover([range(600, 700)], range(100, 110), 10);
  expect(isCovered(coverage, 110)).toBe(false);
  expect(isCovered(coverage, 600)).toBe(true);
});

test("a range that touches several joins them; at most eight are kept, those scored last", () => {
  expect(cover([range(0, 10), range(310, 710)], range(300, 310), 10)).toEqual([range(0, 710)]);
  let coverage: Coverage = [];
  for (let i = 0; i < 12; i++) coverage = cover(coverage, range(i * 10_000, i * 10_000 + 10), 10);
  expect(coverage).toHaveLength(8);
  expect(coverage[0]).toEqual(range(40_000, 40_010));
});
