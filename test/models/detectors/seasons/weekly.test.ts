// Usual values by the week: the median of the weeks around a time, each week of the training beside the others.
import { expect, test } from "bun:test";
import { distanceFrom, fitWeekly, Weekly } from "../../../../src/models/detectors/seasons/weekly.ts";

const HOUR = 3_600_000;
const WEEK = 168;
const timeline = { startAt: 0, intervalMs: HOUR };
/** The fourth hour of four weeks. */
const jobs = [20, 22, 24, 60];
const column = Float64Array.from({ length: 4 * WEEK }, (_, i) =>
  i % WEEK === 4 ? jobs[Math.floor(i / WEEK)]! : 5,
);
const weekTimes = [4 * HOUR];

test("the usual value is the median of the weeks, at the times of the job alone", () => {
  const weekly = new Weekly(fitWeekly(column, timeline, weekTimes)!.fit, timeline);
  expect(weekly.rangeAt(10 * WEEK + 4)).toEqual({ expected: 23, least: 23, greatest: 23 });
  expect(weekly.rangeAt(10 * WEEK + 2)?.expected).toBe(5);
  expect(weekly.rangeAt(10 * WEEK + 40)).toBeUndefined();
});

test("a value of the training is compared with those of the other weeks", () => {
  const { distances, expected } = fitWeekly(column, timeline, weekTimes)!;
  expect([0, 1, 2, 3].map((week) => distances[week * WEEK + 4])).toEqual([4, 2, 2, 38]);
  expect(expected[4]).toBe(24);
  expect(distances[2]).toBe(0);
  expect(distances[40]).toBeNaN();
});

test("within the minutes by which a job comes early or late either value is usual", () => {
  const fine = { startAt: 0, intervalMs: HOUR / 12 };
  const values = Float64Array.from({ length: 4 * 12 * WEEK }, (_, i) => (i % (12 * WEEK) >= 48 ? 20 : 5));
  const { fit } = fitWeekly(values, fine, weekTimes)!;
  const at = (i: number) => new Weekly(fit, fine).rangeAt(i)!;
  expect(at(46)).toEqual({ expected: 5, least: 5, greatest: 20 });
  expect(distanceFrom(at(46), 20)).toBe(0);
  expect(distanceFrom(at(45), 20)).toBe(15);
  expect(distanceFrom(at(50), 4)).toBe(16);
});

test("missing weeks are left out; of too few there is none", () => {
  const gaps = column.map((value, i) => (i >= WEEK && i < 2 * WEEK ? Number.NaN : value));
  const sample = fitWeekly(gaps, timeline, weekTimes)!;
  expect(new Map(sample.fit.usual).get(4 * HOUR)).toBe(24);
  expect(sample.distances[WEEK + 4]).toBeNaN();
  expect(fitWeekly(column.slice(0, WEEK), timeline, weekTimes)).toBeUndefined();
  expect(fitWeekly(column, timeline, [])).toBeUndefined();
});
