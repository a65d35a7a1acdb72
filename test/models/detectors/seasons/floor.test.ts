// Floor of a series, and sign-ups that stop: nights without any are usual, three hours without any in the evening are not.
import { describe, expect, test } from "bun:test";
import { fitFloor, floorDecades, isAtFloor } from "../../../../src/models/detectors/seasons/floor.ts";
import { automaticThresholds } from "../../../../src/models/scoring/score.ts";
import { createRandom } from "../../../../wasm/random.ts";
import { DAY, HOUR, MINUTE, raisedOf } from "../raised.ts";

/** Counts of sign-ups: next to none at night, three a quarter of an hour or less at half past eight in the evening. */
function signUps(seed: number, intervalMs: number, days: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: (days * DAY) / intervalMs }, (_, i) => {
    const hour = ((i * intervalMs) % DAY) / HOUR;
    const usual = 0.05 + 3 * Math.exp(-((hour - 20.5) ** 2) / 5) + Math.exp(-((hour - 8) ** 2) / 3);
    const mean = usual * Math.max(1, intervalMs / (15 * MINUTE));
    let count = 0;
    for (let rest = Math.exp(-mean), u = random.uniform(); u > rest && count < 99; count++)
      rest += (Math.exp(-mean) * mean ** (count + 1)) / factorial(count + 1);
    return count;
  });
}

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}

describe("floor", () => {
  const intervalMs = 5 * MINUTE;
  const timeline = { startAt: 0, intervalMs };
  const counts = signUps(1, intervalMs, 28);

  test("is the least value, with its share by the time of day", () => {
    const floor = fitFloor(counts, timeline, 1)!;
    expect(floor.value).toBe(0);
    const at = (hour: number) => floorDecades(floor, (hour * HOUR) / intervalMs, timeline);
    expect(at(3)).toBeLessThan(0.05);
    expect(at(20.5)).toBeGreaterThan(1);
    expect([isAtFloor(floor, 0, 1), isAtFloor(floor, 1, 1)]).toEqual([true, false]);
  });

  test.each<[string, Float64Array]>([
    ["values that never come twice", Float64Array.from(counts, (_, i) => 5 + Math.sin(i))],
    ["a series that is nearly always at it", Float64Array.from(counts, (_, i) => Number(i % 20 === 0))],
    ["less than a week", counts.subarray(0, (6 * DAY) / intervalMs)],
  ])("none of %s", (_, column) => expect(fitFloor(column, timeline, 1)).toBeUndefined());
});

describe.each([5 * MINUTE, 15 * MINUTE, HOUR])("sign-ups every %i ms", (intervalMs) => {
  const trainedDays = 28;
  const stopsAt = 31 * DAY + 19 * HOUR;

  function raised(seed: number, isStopped: boolean): string[] {
    const column = signUps(seed, intervalMs, 35).map((value, i) => {
      const since = i * intervalMs - stopsAt;
      return isStopped && since >= 0 && since < 3 * HOUR ? 0 : value;
    });
    return raisedOf({ column, trainedDays, intervalMs, thresholds: automaticThresholds(intervalMs, {}) });
  }

  test.each([1, 2, 3])("stop in the evening, and are missed (seed %p)", (seed) => {
    const [usual, stopped] = [raised(seed, false), raised(seed, true)];
    const isStop = (hour: string) => /^04T(19|20|21)$/.test(hour);
    expect(usual.filter(isStop)).toEqual([]);
    expect(stopped.some(isStop)).toBeTrue();
    expect(usual.length).toBeLessThan(8);
  });
});
