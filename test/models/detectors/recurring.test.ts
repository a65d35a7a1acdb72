// Recurring events: found where most days hold one at its time, some minutes early or late; counted with their rarity.
import { expect, test } from "bun:test";
import { findRecurring, isRecurringTime, timeOfDay } from "../../../src/models/detectors/recurring.ts";
import { createRandom } from "../../../wasm/random.ts";

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
  const isAt = (point: number) => isRecurringTime(times, timeOfDay(timeline, point), STEP);
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
  expect(timeOfDay(berlin, 265)).toBe(5 * MINUTE);
  expect(isRecurringTime([5 * MINUTE], timeOfDay(berlin, 262), STEP)).toBe(true);
  expect(isRecurringTime([5 * MINUTE], timeOfDay(timeline, 262), STEP)).toBe(false);
});
