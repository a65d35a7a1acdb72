// Unlabelled outliers: found by their distance from the usual, unless they recur or are labelled as normal.
import { describe, expect, test } from "bun:test";
import { markOutliers } from "../../../src/models/detectors/outliers.ts";
import { countMarks } from "../../../src/models/stats/marks.ts";
import { createRandom } from "../../../wasm/random.ts";

const DAY = 96;
const LENGTH = 30 * DAY;
const timeline = { startAt: 0, intervalMs: 900_000 };
const random = createRandom(61);
const clean = Float64Array.from(
  { length: LENGTH },
  (_, i) => 100 + 30 * Math.sin((2 * Math.PI * i) / DAY) + random.normal(),
);
const where = (marks: Uint8Array) => [...marks.entries()].filter(([, mark]) => mark === 1).map(([i]) => i);
const disturbed = (places: readonly number[], by: number) =>
  clean.map((value, i) => (places.includes(i) ? value + by : value));
const places = Array.from({ length: 40 }, (_, k) => 13 + 71 * k);

test("clean data have none", () => {
  expect(countMarks(markOutliers(clean, timeline))).toBe(0);
});

test.each([
  [15],
  [-15],
  [1e6],
])("points off by %d are found, and no others: also within the daily swing", (by) => {
  expect(where(markOutliers(disturbed(places, by), timeline))).toEqual(places);
});

test("those that people called normal are left in", () => {
  const normal = new Uint8Array(LENGTH);
  for (const place of places.slice(0, 5)) normal[place] = 1;
  expect(where(markOutliers(disturbed(places, 15), timeline, { normal }))).toEqual(places.slice(5));
});

test("a day at another level is found", () => {
  const day = Array.from({ length: DAY }, (_, k) => 10 * DAY + k);
  expect(where(markOutliers(disturbed(day, 25), timeline))).toEqual(day);
});

const every = (days: number) =>
  Array.from({ length: 30 }, (_, day) => day)
    .filter((day) => day % days === 0)
    .map((day) => day * DAY + 40);

test.each([
  ["every day", every(1)],
  ["every third day", every(3)],
  ["every fourth day", every(4)],
  ["every week", every(7)],
  ["on five days of a month", [3, 4, 11, 19, 28].map((day) => day * DAY + 40)],
])("what happens at the same time %s is usual, however short it is", (_, places) => {
  expect(where(markOutliers(disturbed(places, 60), timeline))).toEqual([]);
});

test("an hour of each third night is usual at every step, and one by day is not", () => {
  const perDay = 1440;
  const isJob = (i: number) => Math.floor(i / perDay) % 3 === 0 && i % perDay >= 120 && i % perDay < 180;
  const noon = 10 * perDay + 720;
  const column = Float64Array.from(
    { length: 30 * perDay },
    (_, i) => random.normal() + (isJob(i) || i === noon ? 60 : 0),
  );
  expect(where(markOutliers(column, { startAt: 0, intervalMs: 60_000 }))).toEqual([noon]);
});

test("four days of a month with a value at one time are too few", () => {
  const some = [3, 4, 11, 19].map((day) => day * DAY + 40);
  expect(where(markOutliers(disturbed(some, 60), timeline))).toEqual(some);
});

test("what comes some minutes early or late each day is usual; the one that comes at noon is not", () => {
  const perDay = 1440;
  const starts = Array.from({ length: 14 }, (_, day) => day * perDay + 120 + ((day * 5) % 9) - 4);
  const runs = new Set(starts.flatMap((start) => Array.from({ length: 30 }, (_, k) => start + k)));
  const noon = 9 * perDay + 720;
  const column = Float64Array.from(
    { length: 14 * perDay },
    (_, i) => 8 + (runs.has(i) || i === noon ? 25 : 0) + random.normal(),
  );
  expect(where(markOutliers(column, { startAt: 0, intervalMs: 60_000 }))).toEqual([noon]);
});

test("of a series without noise nothing is gross that is small", () => {
  const smooth = Float64Array.from({ length: LENGTH }, (_, i) => 10 + 5 * Math.sin((2 * Math.PI * i) / DAY));
  expect(countMarks(markOutliers(smooth, timeline))).toBe(0);
  smooth[500]! += 1;
  smooth[1500]! += 80;
  expect(where(markOutliers(smooth, timeline))).toEqual([1500]);
});

test("one point in six is what the series looks like", () => {
  const many = Array.from({ length: LENGTH / 6 }, (_, k) => 6 * k + (k % 5));
  expect(countMarks(markOutliers(disturbed(many, 15), timeline))).toBe(0);
});

test("missing points are not marked", () => {
  const gaps = disturbed(places, 15).map((value, i) => (i % 4 === 0 ? Number.NaN : value));
  expect(where(markOutliers(gaps, timeline))).toEqual(places.filter((i) => i % 4 !== 0));
});

test("what takes more or less at the same time each day is usual; five times as much is not", () => {
  const heights = Array.from({ length: 30 }, () => 40 + 40 * random.uniform());
  const night = every(1);
  const column = clean.map((value, i) => value + (heights[night.indexOf(i)] ?? 0));
  column[night[20]!] = 400;
  expect(where(markOutliers(column, timeline))).toEqual([night[20]!]);
});

test("a weekly job that takes half as much again is usual, one that does not run is an outlier", () => {
  const places = every(7);
  const effects = new Float64Array(LENGTH);
  for (const place of places) effects[place] = 70;
  /** The third job differs from what the calendar takes off. */
  const marked = (by: number, own?: Float64Array) =>
    where(markOutliers(disturbed([places[2]!], by), timeline, { effects: own }));
  expect(marked(30, effects)).toEqual([]);
  expect(marked(30)).toEqual([places[2]!]);
  expect(marked(-70, effects)).toEqual([places[2]!]);
});

test("of spikes at any time, nine a day, some are at the same time of other weeks, and outliers all the same", () => {
  const fine = { startAt: 0, intervalMs: 300_000 };
  const spread = createRandom(3);
  const planted = new Set<number>();
  const column = Float64Array.from({ length: 28 * 288 }, (_, i) => {
    const isSpike = spread.uniform() < 0.03;
    if (isSpike) planted.add(i);
    return 10 + spread.normal() + (isSpike ? 20 + 40 * spread.uniform() : 0);
  });
  const marks = markOutliers(column, fine);
  const missed = [...planted].filter((i) => !marks[i]);
  expect(missed.length).toBeLessThan(0.02 * planted.size);
});

test("of three weeks each has two others: a spike in one of them is chance, where spikes are frequent", () => {
  const fine = { startAt: 0, intervalMs: 300_000 };
  const spread = createRandom(1);
  const spikesOf = (share: number) => {
    const planted = new Set<number>();
    const column = Float64Array.from({ length: 21 * 288 }, (_, i) => {
      const isSpike = spread.uniform() < share;
      if (isSpike) planted.add(i);
      return 50 + 2 * spread.normal() + (isSpike ? 30 + 30 * spread.uniform() : 0);
    });
    return { column, planted };
  };
  const { column, planted } = spikesOf(0.01);
  const marks = markOutliers(column, fine);
  expect([...planted].filter((i) => !marks[i]).length).toBeLessThan(0.05 * planted.size);
  // A weekly job that did not run once.
  const weekly = spikesOf(0).column;
  const [first, third] = [36, 2 * 2016 + 36].map((from) => Array.from({ length: 6 }, (_, k) => from + k));
  for (const i of [...first!, ...third!]) weekly[i] = 120;
  expect(where(markOutliers(weekly, fine))).toEqual([]);
});

describe("a job that ends at another time each night", () => {
  const perDay = 1440;
  /** @param endOf end of the job of a day, hours */
  const withJob = (endOf: (day: number) => number) => {
    const own = createRandom(3);
    return Float64Array.from({ length: 14 * perDay }, (_, i) => {
      const hour = (i % perDay) / 60;
      const runs = hour >= 2 && hour < endOf(Math.floor(i / perDay));
      return runs ? 80 + 5 * own.normal() : 5 + own.normal();
    });
  };
  const ends = Array.from({ length: 14 }, (_, day) => 2.5 + (1.5 * ((5 * day + 3) % 14)) / 14);
  const minutes = { startAt: 0, intervalMs: 60_000 };

  test("is usual to its end, though few nights are as long", () => {
    const marks = markOutliers(
      withJob((day) => ends[day]!),
      minutes,
    );
    expect(countMarks(marks)).toBeLessThan(20);
  });

  test("is none where it lasts until noon once", () => {
    const marks = markOutliers(
      withJob((day) => (day === 6 ? 12 : ends[day]!)),
      minutes,
    );
    expect(countMarks(marks.subarray(6 * perDay + 270, 6 * perDay + 720))).toBe(450);
  });
});
