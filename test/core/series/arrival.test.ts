// Late points: distinguished from stopped ones, and the offset they need.
import { describe, expect, test } from "bun:test";
import { type Arrival, arrivalOf, followArrival, neededOffset } from "../../../src/core/series/arrival.ts";

const INTERVAL = 10_000;

/** Evaluations every ten seconds, of which each sees the newest interval that had ended so long before. */
function follow(lateMs: number, evaluations: number, from?: Arrival): Arrival {
  let arrival = from;
  for (let k = 0; k < evaluations; k++) {
    const nowAt = 1_000_000 + k * INTERVAL + 3000;
    const windowAt = Math.floor(nowAt / INTERVAL) * INTERVAL;
    const newestAt = Math.min(windowAt, Math.floor((nowAt - lateMs) / INTERVAL + 1) * INTERVAL);
    arrival = followArrival(arrival, { newestAt, windowAt, nowAt, intervalMs: INTERVAL });
  }
  return arrival!;
}

describe("followed from one evaluation to the next", () => {
  test("points in time need no offset", () => expect(neededOffset(follow(0, 20))).toBeUndefined());

  test("points a minute late need seventy seconds, as soon as three evaluations have shown it", () => {
    expect(neededOffset(follow(60_000, 3))).toBeUndefined();
    expect(neededOffset(follow(60_000, 4))).toBe(70_000);
    expect(neededOffset(follow(60_000, 40))).toBe(70_000);
  });

  test("points that stop are not late", () => {
    const before = follow(0, 5);
    let arrival = before;
    for (let k = 1; k < 20; k++) {
      const nowAt = before.newestAt + k * INTERVAL + 3000;
      arrival = followArrival(arrival, { ...before, windowAt: nowAt - 3000, nowAt, intervalMs: INTERVAL });
    }
    expect(neededOffset(arrival)).toBeUndefined();
  });

  test("one late point is chance, and one in time ends the count", () => {
    const late = follow(60_000, 3);
    const inTime = { newestAt: 9e6, windowAt: 9e6, nowAt: 9e6 + 1, intervalMs: INTERVAL };
    expect(followArrival(late, inTime)).toEqual({ newestAt: 9e6, lateCount: 0, neededMs: 0 });
  });
});

describe("seen in a close look", () => {
  const look = { spacingMs: 10_000, binMs: 1000, nowAt: 1_000_000, intervalMs: INTERVAL };

  test.each([
    ["just now", 1000, undefined],
    ["a distance of points ago", 10_000, undefined],
    ["two of them", 20_000, undefined],
    ["a minute ago", 60_000, 70_000],
    ["a minute and nine seconds ago", 69_000, 70_000],
  ])("the newest %s", (_, ageMs, offset) => {
    expect(neededOffset(arrivalOf({ ...look, newestAt: look.nowAt - ageMs }))).toBe(offset);
  });

  test("rare points are as old as they are rare", () => {
    const hourly = { ...look, spacingMs: 3_600_000, binMs: 60_000, intervalMs: 600_000 };
    expect(neededOffset(arrivalOf({ ...hourly, newestAt: look.nowAt - 3_000_000 }))).toBeUndefined();
  });
});
