// Slots of a season: a job of one interval a day is expected in full; it and its neighbours learn from their own points.
import { describe, expect, test } from "bun:test";
import {
  fitProfile,
  Seasonal,
  type SeasonalProfile,
} from "../../../../src/models/detectors/seasons/seasonal.ts";
import { createRandom } from "../../../../wasm/random.ts";

const HOUR = 3_600_000;
const timeline = { startAt: 0, intervalMs: HOUR };

/** 30 and a noise of 2, and what comes on top at an hour of the day. */
function fitDays(days: number, top: (hour: number) => number): SeasonalProfile {
  const random = createRandom(3);
  const column = Float64Array.from({ length: 24 * days }, (_, i) => 30 + top(i % 24) + 2 * random.normal());
  return fitProfile(column, timeline);
}

const job = (hour: number) => (hour === 2 ? 25 : 0);
const wave = (hour: number) => 10 * Math.sin((2 * Math.PI * hour) / 24);

describe("a job of one interval a day", () => {
  test.each([4, 14])("of %i days is expected in full, and what is around it without it", (days) => {
    const { values, alone } = fitDays(days, job);
    expect(alone).toEqual([1, 2, 3]);
    expect(values[2]).toBeWithin(52, 58);
    for (const near of [1, 3]) expect(values[near]).toBeWithin(28.5, 31.5);
  });

  test("of three days may be chance", () => {
    expect(fitDays(3, job).alone).toBeUndefined();
  });

  test("learns from itself alone, and so do its neighbours", () => {
    const seasonal = new Seasonal(fitDays(14, job), timeline);
    const before = [1, 2, 3].map((hour) => seasonal.expect(hour));
    for (let day = 0; day < 30; day++) seasonal.learn(24 * day + 2, 500);
    expect(seasonal.expect(2)).toBeGreaterThan(before[1]!);
    expect([seasonal.expect(1), seasonal.expect(3)]).toEqual([before[0]!, before[2]!]);
    const learnt = seasonal.expect(2);
    for (let day = 0; day < 30; day++) seasonal.learn(24 * day + 3, -500);
    expect(seasonal.expect(2)).toBe(learnt);
    expect(seasonal.toProfile().alone).toEqual([1, 2, 3]);
  });
});

test.each([
  ["a wave", wave],
  ["a job of two intervals", (hour: number) => (hour === 2 || hour === 3 ? 25 : 0)],
  ["noise", () => 0],
])("of %s all slots learn from their neighbours", (_, top) => {
  expect(fitDays(14, top).alone).toBeUndefined();
});
