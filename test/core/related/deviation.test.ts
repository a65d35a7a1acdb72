// Deviations, their onset and their window: which intervals belong together, when the change began.
import { describe, expect, test } from "bun:test";
import { type Deviation, findDeviations, joinDeviations } from "../../../src/core/related/deviation.ts";
import { onsetOf, rarityOfRarest } from "../../../src/core/related/onset.ts";
import {
  countTogether,
  deviationAt,
  pastOf,
  strongestIn,
  windowAround,
} from "../../../src/core/related/window.ts";

const MINUTE = 60_000;
const pointsOf = (rarities: readonly number[]) =>
  rarities.map((rarity, i) => ({ at: i * MINUTE, rarity, feature: "f", type: "high" as const }));
const at = (minute: number, peak: number): Deviation => ({
  ...{ startAt: minute * MINUTE, endAt: (minute + 1) * MINUTE, intervalMs: MINUTE },
  ...{ peak, feature: "f", type: "high" },
});

describe("deviations", () => {
  const spans = (rarities: readonly number[]) =>
    findDeviations(pointsOf(rarities), MINUTE).map(({ startAt, endAt, peak }) => [
      ...[startAt / MINUTE, endAt / MINUTE, peak],
    ]);

  test("hold up to three usual intervals, and the greatest rarity", () => {
    expect(spans([0, 3, 0, 0, 0, 5, 0])).toEqual([[1, 6, 5]]);
    expect(spans([3, 0, 0, 0, 0, 5])).toEqual([
      [0, 1, 3],
      [5, 6, 5],
    ]);
  });

  test("have none of one interval in a hundred, nor of what is not known", () => {
    expect(spans([2, 2.4, Number.NaN])).toEqual([]);
  });

  test("an earlier one, and one of other intervals, is not joined", () => {
    expect(joinDeviations(at(10, 3), at(9, 3))).toBeUndefined();
    expect(joinDeviations(at(10, 3), { ...at(11, 3), intervalMs: 2 * MINUTE })).toBeUndefined();
    expect(joinDeviations(at(10, 3), { ...at(11, 2.5), type: "low" })).toMatchObject({
      peak: 3,
      type: "high",
    });
  });
});

describe("onset", () => {
  test.each([
    ["of a jump is the jump", [0.2, 0.5, 0.1, 6], 3],
    ["of a slow rise is its beginning", [0.2, 0.1, 1.5, 1.8, 2, 2.6], 2],
    ["is not an earlier rarity that has passed", [2, 0.1, 0.1, 0.2, 4], 4],
    ["where scores are missing is the first that is known", [Number.NaN, Number.NaN, 4], 2],
    ["of nothing is the beginning", [], 0],
  ])("%s", (_, rarities, index) => {
    expect(onsetOf(rarities)).toBe(index);
  });

  test("of many features is the jump, too: their rarest is always somewhat rare", () => {
    const features = 6;
    // Normal intervals: their quantiles, in an order of no meaning.
    const rarest = Array.from({ length: 200 }, (_, i) => {
      const quantiles = Array.from({ length: features }, (_, k) => ((i * (13 + 8 * k) + 97 * k) % 200) + 0.5);
      return -Math.log10(Math.min(...quantiles) / 200);
    });
    const rarities = [...rarest.map((rarity) => Math.min(2.4, rarity)), 4];
    expect(onsetOf(rarities)).toBeLessThan(150);
    expect(onsetOf(rarities.map((rarity) => rarityOfRarest(rarity, features)))).toBeGreaterThan(195);
  });
});

describe("window", () => {
  test("is an hour and a half; of slow series 15 intervals", () => {
    expect(windowAround(100 * MINUTE, MINUTE)).toEqual({ fromAt: 40 * MINUTE, toAt: 130 * MINUTE });
    const hour = 60 * MINUTE;
    expect(windowAround(100 * hour, hour)).toEqual({ fromAt: 90 * hour, toAt: 105 * hour });
  });

  test("has the strongest of those that begin in it, and the others as its past", () => {
    const all = [at(1, 4), at(20, 3), at(25, 5), at(40, 9)];
    const window = { fromAt: 20 * MINUTE, toAt: 40 * MINUTE };
    expect(strongestIn(all, window)).toEqual(at(25, 5));
    expect(pastOf(all, { fromAt: window.fromAt, sinceAt: 0 })).toEqual({ peaks: [4], spanMs: 20 * MINUTE });
    expect(strongestIn(all, { fromAt: 50 * MINUTE, toAt: 60 * MINUTE })).toBeUndefined();
  });

  test("has of those about as strong the nearest to the anomaly", () => {
    const all = [at(1, 8), at(20, 7.5), at(25, 4)];
    const window = { fromAt: 0, toAt: 40 * MINUTE };
    expect(strongestIn(all, window, 23 * MINUTE)).toEqual(at(20, 7.5));
    expect(strongestIn(all, window, 2 * MINUTE)).toEqual(at(1, 8));
  });

  test("has the deviation that an anomaly is part of, or none", () => {
    const all = [at(1, 8), at(20, 3)];
    expect(deviationAt(all, 21 * MINUTE)).toEqual(at(20, 3));
    expect(deviationAt(all, 12 * MINUTE)).toBeUndefined();
  });

  test("counts the earlier ones beside which another began", () => {
    expect(countTogether([at(0, 4), at(100, 4)], [at(3, 3), at(300, 3)], 10 * MINUTE)).toEqual({
      times: 1,
      of: 2,
    });
  });
});

describe("the rarest of several features", () => {
  test("is as rare as one of them at least is", () => {
    expect(rarityOfRarest(3, 1)).toBe(3);
    expect(rarityOfRarest(0, 6)).toBeCloseTo(0);
    expect(rarityOfRarest(5, 10)).toBeCloseTo(4, 3);
    expect(rarityOfRarest(1, 6)).toBeCloseTo(0.33, 2);
    expect(rarityOfRarest(Number.NaN, 6)).toBeNaN();
  });
});
