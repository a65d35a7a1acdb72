// Usual outliers: how many are usual, how rare heights and crowds among them are, and what is raised of a series with spikes.
import { describe, expect, test } from "bun:test";
import { clock } from "../../../src/models/detectors/kinds/clock.ts";
import {
  findUsualOutliers,
  judgeOutliers,
  outlierMeasures,
} from "../../../src/models/detectors/usual-outliers.ts";
import { automaticThresholds } from "../../../src/models/scoring/score.ts";
import { createRandom } from "../../../wasm/random.ts";
import { DAY, HOUR, MINUTE, pointsRaised } from "./raised.ts";

const POINTS = 10_000;
const WINDOW = 120;

/** Distances of 1, with the given ones at some points. */
function distancesWith(outliers: ReadonlyMap<number, number>) {
  const distances = Float64Array.from({ length: POINTS }, (_, i) => outliers.get(i) ?? 1);
  const marks = Uint8Array.from(distances, (_, i) => Number(outliers.has(i)));
  return { distances, marks, window: WINDOW };
}

/** Outliers of 20, 21, .. each so many points. */
function spikes(count: number, every = 100): Map<number, number> {
  return new Map(Array.from({ length: count }, (_, k) => [every * k, 20 + k]));
}

describe("what is usual", () => {
  test("twenty outliers of a side, each alone", () => {
    expect(findUsualOutliers(distancesWith(spikes(19, 500)))).toBeUndefined();
    const found = findUsualOutliers(distancesWith(spikes(20, 500)));
    expect(found?.above).toMatchObject({ reach: 10, high: { from: 20 } });
    expect(found?.below).toBeUndefined();
    const below = findUsualOutliers(
      distancesWith(new Map([...spikes(20, 500)].map(([i, own]) => [i, -own]))),
    );
    expect(below).toEqual({ below: found!.above! });
  });

  test("one outlier of many points is none", () => {
    const long = new Map(Array.from({ length: 60 }, (_, k) => [500 + k, 20 + k]));
    expect(findUsualOutliers(distancesWith(long))).toBeUndefined();
    // Of a day that goes up and down, all are in one half.
    expect(findUsualOutliers(distancesWith(spikes(40, 20)))).toBeUndefined();
  });
});

describe("rarity", () => {
  const usual = findUsualOutliers(distancesWith(spikes(100)))!;
  const among = (others: number, distance = 30) =>
    judgeOutliers(usual, (lag) => (lag <= others ? 30 : 1), WINDOW).boundsOf(distance);
  const alone = (distance: number) => among(0, distance)?.most;

  test("of a point within reach, or on the other side, is not told", () => {
    expect(alone(9)).toBeUndefined();
    expect(alone(-50)).toBeUndefined();
    expect(alone(Number.NaN)).toBeUndefined();
  });

  test("of a height is how often it came, and beyond the twentieth follows a power law", () => {
    expect(alone(11)).toBeCloseTo(2);
    // By height or by crowd: half as rare.
    const twentieth = 2 + Math.log10(5) - Math.log10(2);
    expect(alone(100)).toBeCloseTo(twentieth);
    expect(alone(200)! - alone(100)!).toBeCloseTo(Math.log10(2) / usual.above!.high.excess);
    expect(alone(60)!).toBeLessThan(alone(90)!);
  });

  test("of several together grows by their number, and of more than known is no less than that", () => {
    expect(among(0)).toEqual({ least: 0, most: alone(30)!, by: "height" });
    const [two, three] = [among(1)!, among(2)!];
    expect(two.most).toBeCloseTo(2 + 2 - Math.log10(2));
    expect(three.most - two.most).toBeCloseTo(2);
    expect(three).toMatchObject({ least: three.most, by: "crowd" });
  });
});

test("a crowd goes on until outliers are as far apart as they can be in a usual one", () => {
  const pairs = new Map(
    [...spikes(40, 200)].flatMap(([i, own]) => [[i, own] as const, [i + 5, own] as const]),
  );
  const usual = findUsualOutliers(distancesWith(pairs))!;
  expect(usual.above?.crowds.length).toBe(2);
  const isCrowded = (lags: readonly number[], distance = 1) =>
    judgeOutliers(usual, (lag) => (lags.includes(lag) ? 30 : 1), WINDOW).isCrowded(distance);
  expect(isCrowded([1], 30)).toBeFalse();
  expect(isCrowded([1, 2], 30)).toBeTrue();
  expect(isCrowded([1, 2, 3])).toBeTrue();
  // Three of forty points are one of thirteen.
  expect(isCrowded([13, 14, 15])).toBeTrue();
  expect(isCrowded([14, 15, 16])).toBeFalse();
});

describe("a series in which one point of a hundred is a spike", () => {
  const intervalMs = 5 * MINUTE;
  const trainedDays = 21;
  const at = 25 * DAY + 3 * HOUR;

  /** @param change of the values from 3:00 on the 29th of January, by the number of intervals since */
  function raised(seed: number, change: (value: number, since: number) => number = (value) => value) {
    const random = createRandom(seed);
    const column = Float64Array.from({ length: (35 * DAY) / intervalMs }, (_, i) => {
      const spike = random.uniform() < 0.01 ? 400 + 400 * random.uniform() : 0;
      const value = 100 + 10 * random.normal() + spike;
      const since = i - at / intervalMs;
      return since >= 0 ? change(value, since) : value;
    });
    return pointsRaised({ column, trainedDays, intervalMs, thresholds: automaticThresholds(intervalMs, {}) });
  }

  test.each([1, 2, 3])("is silent (seed %p)", (seed) => {
    expect(new Set(raised(seed).map(({ hour }) => hour)).size).toBeLessThanOrEqual(3);
  });

  test.each([
    [
      "a spike of ten times the usual height",
      outlierMeasures.height.explanation,
      (value: number, since: number) => (since === 6 ? 6000 : value),
    ],
    [
      "spikes each third point for two hours",
      outlierMeasures.crowd.explanation,
      (value: number, since: number) => (since < 24 && since % 3 === 0 ? 600 : value),
    ],
    [
      "half an hour at the height of spikes",
      outlierMeasures.crowd.explanation,
      (value: number, since: number) => (since < 6 ? 600 : value),
    ],
    [
      "a day of a higher level",
      clock.explanation,
      (value: number, since: number) => (since < 288 ? value + 40 : value),
    ],
  ])("raises %s as %s", (_, words, change) => {
    const found = raised(6, change).find(({ hour }) => hour.startsWith("29T0"));
    expect(found?.explanation).toBe(words);
  });

  test("is as usual after an hour at the height of spikes: a spike makes no crowd with it", () => {
    const change = (value: number, since: number) =>
      since < 12 || since === 30 ? 600 : Math.min(value, 130);
    const later = raised(6, (value, since) => (since < 48 ? change(value, since) : value));
    expect(later.filter(({ hour }) => hour === "29T03")).not.toBeEmpty();
    expect(later.filter(({ hour }) => hour === "29T05")).toEqual([]);
  });
});
