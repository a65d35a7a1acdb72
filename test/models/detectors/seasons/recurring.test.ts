// Recurring events: found where most days hold one at its time, some minutes early or late; counted with their rarity.
import { expect, test } from "bun:test";
import {
  findRecurring,
  findWeekTimes,
  isRecurringTime,
  isRecurringWeekTime,
  localTimeOf,
} from "../../../../src/models/detectors/seasons/recurring.ts";
import { createRandom } from "../../../../wasm/random.ts";

const MINUTE = 60_000;
const STEP = 5 * MINUTE;
const DAY = 288;
const DAYS = 14;

const timeline = { startAt: 0, intervalMs: STEP };

/** Means below one, and rarer points at some places. */
function meansWith(places: readonly number[], mean = 2, days = DAYS) {
  const random = createRandom(3);
  const means = Float64Array.from({ length: days * DAY }, () => random.uniform());
  for (const place of places) means[place] = mean;
  return { means, at: Int32Array.from(means.keys()), timeline };
}

const nightly = Array.from({ length: DAYS }, (_, day) => day * DAY + 24 + (day % 3));

test("what comes each night, minutes early or late, recurs: as often as it was seen", () => {
  const { known: found, times } = findRecurring(meansWith(nightly))!;
  expect(found.slice(0, 3)).toEqual(
    [3, 6, 12].map((count) => [2, Math.log10((DAYS * DAY) / count)] as [number, number]),
  );
  const isAt = (point: number) => isRecurringTime(times, localTimeOf(timeline, point));
  expect([18, 20, 24, 26, 31, 33, 24 + DAY, 200].map(isAt)).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
    true,
    false,
  ]);
});

test("what comes at any time does not, nor does it on a few days", () => {
  const scattered = Array.from({ length: DAYS }, (_, day) => day * DAY + ((day * 67) % DAY));
  for (const places of [scattered, nightly.slice(0, 5)])
    expect((findRecurring(meansWith(places))?.known ?? []).filter(([mean]) => mean === 2)).toEqual([]);
});

test("rare points of busy hours do not recur by chance, beside what comes each day at its minute", () => {
  const random = createRandom(5);
  const minutes = { startAt: 0, intervalMs: MINUTE };
  const means = Float64Array.from({ length: 7 * 1440 }, (_, i) => {
    const hour = (i % 1440) / 60;
    return random.uniform() * (hour >= 10 && hour < 14 ? 1.5 : 1);
  });
  for (let day = 0; day < 7; day++) means[day * 1440 + 180 + (day % 3)] = 2;
  const { times } = findRecurring({ means, at: Int32Array.from(means.keys()), timeline: minutes })!;
  const hours = times.map((time) => Math.floor(time / (60 * MINUTE)));
  expect(hours).toEqual([3]);
});

test("the points of one event count once", () => {
  const long = nightly.flatMap((place) => [place, place + 1, place + 2]);
  expect(findRecurring(meansWith(long))!.known[2]).toEqual([2, Math.log10((DAYS * DAY) / 12)]);
});

test("gaps do not move the time of day", () => {
  const { means, at } = meansWith(nightly);
  const kept = [...at].filter((i) => i % 7 !== 3 || nightly.includes(i));
  const thinned = { means: Float64Array.from(kept, (i) => means[i]!), at: Int32Array.from(kept), timeline };
  expect(findRecurring(thinned)!.known[0]![0]).toBe(2);
});

test("of four days nothing is said", () => {
  expect(findRecurring(meansWith(nightly.slice(0, 4), 2, 4))).toBeUndefined();
});

test("times are those of the local clock, across midnight too", () => {
  const berlin = { ...timeline, offsetAt: () => 2 * 60 * MINUTE };
  expect(localTimeOf(berlin, 265)).toEqual({ ofDay: 5 * MINUTE, ofWeek: (DAY + 1) * STEP, intervalMs: STEP });
  expect(isRecurringTime([5 * MINUTE], localTimeOf(berlin, 262))).toBe(true);
  expect(isRecurringTime([5 * MINUTE], localTimeOf(timeline, 262))).toBe(false);
});

const WEEK = 7 * DAY;
/** Five points of a job on one day of each week, up to ten minutes early or late. */
const weekly = Array.from({ length: 4 }, (_, week) => week * WEEK + 900 + [0, 2, -1, 1][week]!).flatMap(
  (start) => [start, start + 1, start + 2, start + 3, start + 4],
);
const isWeekly = (times: readonly number[], point: number) =>
  isRecurringWeekTime(times, localTimeOf(timeline, point));

test("what comes in most weeks recurs, and so do its last points, which are less rare", () => {
  const { means, ...rest } = meansWith(weekly, 2, 28);
  for (const place of weekly) means[place + 5] = 0.95;
  const times = findWeekTimes({ means, ...rest });
  expect([880, 900, 904, 912, 900 + WEEK, 900 + DAY, 930].map((point) => isWeekly(times, point))).toEqual([
    false,
    true,
    true,
    true,
    true,
    false,
    false,
  ]);
});

test("of two weeks nothing is said, nor of what comes in two of four", () => {
  const twice = weekly.filter((place) => place < 2 * WEEK);
  for (const [places, days] of [
    [twice, 14],
    [twice, 28],
  ] as const)
    expect(
      findWeekTimes(meansWith(places, 2, days)).filter((time) => Math.abs(time - 900 * STEP) < 12 * STEP),
    ).toEqual([]);
});

test("what comes each day is no weekly event", () => {
  const training = meansWith(
    Array.from({ length: 28 }, (_, day) => day * DAY + 24),
    2,
    28,
  );
  const { times } = findRecurring(training)!;
  expect(
    findWeekTimes(training, times).filter((time) => isWeekly([time], 24) || isWeekly([time], 24 + DAY)),
  ).toEqual([]);
});
