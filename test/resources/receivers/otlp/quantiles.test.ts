// Quantiles of histograms: of an interval, of the difference of two cumulative points, of exponential buckets.
import { describe, expect, test } from "bun:test";
import { type DataPoint, emptyPoint } from "../../../../src/resources/receivers/otlp/metric.ts";
import {
  binsOf,
  IntervalHistograms,
  quantileOf,
} from "../../../../src/resources/receivers/otlp/quantiles.ts";

const bounds = [10, 20, 40];
const aPoint = (own: Partial<DataPoint>): DataPoint => ({ ...emptyPoint(), bounds, ...own });
const quantilesOf = (bins: ReturnType<typeof binsOf> | undefined, shares: readonly number[]) =>
  bins && shares.map((share) => quantileOf(bins, share));

describe("quantileOf", () => {
  test("is interpolated within its bucket", () => {
    const bins = binsOf(aPoint({ counts: [0, 10, 10, 0] }));
    expect(quantilesOf(bins, [0.25, 0.5, 0.75, 1])).toEqual([15, 20, 30, 40]);
  });

  test("the first bucket begins at 0, or at the least value; the last ends at its bound, or at the greatest", () => {
    expect(quantilesOf(binsOf(aPoint({ counts: [10, 0, 0, 10] })), [0.25, 0.9])).toEqual([5, 40]);
    const known = aPoint({ counts: [10, 0, 0, 10], min: 6, max: 50 });
    expect(quantilesOf(binsOf(known), [0.25, 0.75])).toEqual([8, 45]);
    expect(quantilesOf(binsOf(aPoint({ bounds: [-5, 5], counts: [2, 0, 0] })), [0.5])).toEqual([-5]);
  });

  test("there is none without values, without bounds, and where counts do not match bounds", () => {
    for (const own of [{ counts: [0, 0, 0, 0] }, { counts: [3], bounds: [] }, { counts: [1, 2] }])
      expect(quantilesOf(binsOf(aPoint(own)), [0.5])).toEqual([undefined]);
  });

  test("extremes that contradict each other are not used", () => {
    const alone = quantilesOf(binsOf(aPoint({ counts: [1, 1, 1, 1] })), [0.5, 0.9, 0.99]);
    for (const own of [{ min: 50, max: 1 }, { min: Number.NaN }, { max: Number.NaN, min: 1 }])
      expect(quantilesOf(binsOf(aPoint({ counts: [1, 1, 1, 1], ...own })), [0.5, 0.9, 0.99])).toEqual(alone);
    expect(quantilesOf(binsOf(aPoint({ counts: [10, 0, 0, 10], max: 50 })), [0.25, 0.75])).toEqual([5, 45]);
  });

  test("infinite bounds are those of the open buckets", () => {
    const known = { counts: [2, 8, 6, 4], min: -20, max: 30 };
    const quantiles = quantilesOf(binsOf(aPoint({ bounds: [0, 10, Infinity], ...known })), [0.1, 0.5, 1]);
    expect(quantiles).toEqual([0, 10, 30]);
    const low = aPoint({ bounds: [-Infinity, 0, 10], counts: [0, 4, 4, 0] });
    expect(quantilesOf(binsOf(low), [0.5, 1])).toEqual([0, 10]);
    expect(quantilesOf(binsOf(aPoint({ bounds: [Infinity], counts: [4, 0] })), [0.5])).toEqual([undefined]);
  });

  test("exponential buckets: base 2 at scale 0, negative values mirrored, zeros between", () => {
    const positive = { offset: 0, counts: [4, 0, 4] };
    const upper = binsOf({ ...emptyPoint(), positive });
    expect(quantilesOf(upper, [0.25, 0.5, 0.75, 1])).toEqual([1.5, 2, 6, 8]);
    const both = binsOf({ ...emptyPoint(), positive, negative: { offset: 1, counts: [4] }, zeroCount: 4 });
    expect(quantilesOf(both, [0.125, 0.25, 0.4, 1])).toEqual([-3, -2, 0, 8]);
    const fine = binsOf({ ...emptyPoint(), scale: 1, positive: { offset: 2, counts: [1] } });
    expect(quantileOf(fine, 1)).toBeCloseTo(2 * Math.SQRT2, 12);
  });
});

describe("IntervalHistograms", () => {
  const at = (time: number, counts: number[], startAt = 1000) => aPoint({ startAt, at: time, counts });
  const advance = (histograms: IntervalHistograms, point: DataPoint, key = "a") =>
    histograms.advance(key, point)?.map(({ count }) => count);

  test("counts of an interval are those since the point before, by series", () => {
    const histograms = new IntervalHistograms();
    expect(advance(histograms, at(2000, [1, 1, 1, 1]))).toBeUndefined();
    expect(advance(histograms, at(3000, [1, 3, 1, 2]))).toEqual([0, 2, 0, 1]);
    expect(advance(histograms, at(3000, [9, 9, 9, 9]), "b")).toBeUndefined();
    expect(advance(histograms, at(4000, [1, 3, 1, 2]))).toEqual([0, 0, 0, 0]);
  });

  test("no quantile of an interval leaves the extremes of the whole life", () => {
    const histograms = new IntervalHistograms();
    const known = { min: 12, max: 30 };
    histograms.advance("a", { ...at(2000, [0, 1, 1, 0]), ...known });
    for (let i = 0; i < 2; i++) {
      const own = histograms.advance("a", { ...at(3000, [0, 11, 11, 0]), ...known });
      expect(quantilesOf(own, [0, 0.5, 1])).toEqual([12, 20, 30]);
    }
    histograms.advance("a", { ...at(4000, [0, 11, 11, 1]), min: 12, max: 10_000 });
    const open = histograms.advance("a", { ...at(5000, [0, 11, 11, 2]), min: 12, max: 10_000 });
    expect(quantilesOf(open, [0.5, 1])).toEqual([40, 40]);
  });

  test("a push that is repeated gets the same counts, an older point none", () => {
    const histograms = new IntervalHistograms();
    advance(histograms, at(2000, [1, 1, 1, 1]));
    for (let i = 0; i < 2; i++) expect(advance(histograms, at(3000, [2, 1, 1, 1]))).toEqual([1, 0, 0, 0]);
    expect(advance(histograms, at(2500, [1, 1, 1, 1]))).toBeUndefined();
    expect(advance(histograms, at(4000, [2, 2, 1, 1]))).toEqual([0, 1, 0, 0]);
  });

  test("after a restart of the process all of the counts are new", () => {
    const histograms = new IntervalHistograms();
    advance(histograms, at(2000, [5, 5, 5, 5]));
    expect(advance(histograms, at(3000, [1, 0, 0, 0], 2500))).toEqual([1, 0, 0, 0]);
  });

  test("counts that fall without a restart, and other buckets, have no interval", () => {
    const histograms = new IntervalHistograms();
    advance(histograms, at(2000, [5, 5, 5, 5]));
    expect(advance(histograms, at(3000, [4, 5, 5, 5]))).toBeUndefined();
    const coarser = aPoint({ startAt: 1000, at: 4000, bounds: [20, 40], counts: [20, 20, 20] });
    expect(advance(histograms, coarser)).toBeUndefined();
    expect(advance(histograms, { ...coarser, at: 5000, counts: [21, 20, 20] })).toEqual([1, 0, 0]);
  });

  test("the series used longest ago is forgotten beyond 20 000", () => {
    const histograms = new IntervalHistograms();
    for (let i = 0; i < 20_001; i++) advance(histograms, at(2000, [1, 1, 1, 1]), `s${i}`);
    expect(advance(histograms, at(3000, [2, 1, 1, 1]), "s1")).toEqual([1, 0, 0, 0]);
    expect(advance(histograms, at(3000, [2, 1, 1, 1]), "s0")).toBeUndefined();
  });
});

describe("what is kept of cumulative histograms", () => {
  test("is bounded by the number of buckets, too: the series used longest ago go", () => {
    const histograms = new IntervalHistograms();
    const wide = Array.from({ length: 999 }, (_, i) => i);
    const point = (time: number) =>
      aPoint({ bounds: wide, startAt: 1000, at: time, counts: Array.from({ length: 1000 }, () => 1) });
    for (let i = 0; i < 2001; i++) histograms.advance(`s${i}`, point(2000));
    expect(histograms.kept).toBe(2_000_000);
    expect(histograms.advance("s2000", point(3000))).toHaveLength(1000);
    expect(histograms.advance("s0", point(3000))).toBeUndefined();
    expect(histograms.kept).toBe(2_000_000);
  });
});

describe("quantiles never leave what a point says of its values", () => {
  test.each<[string, Partial<DataPoint>, readonly number[]]>([
    ["in a bucket that is wider", { counts: [0, 10, 0, 0], min: 15, max: 16 }, [15.5, 15.9, 16]],
    ["in buckets at both ends", { counts: [5, 0, 5, 0], min: 2, max: 25 }, [10, 24, 25]],
    [
      "of an exponential one",
      { bounds: [], positive: { offset: 2, counts: [10] }, min: 5, max: 5 },
      [5, 5, 5],
    ],
  ])("%s", (_, own, expected) => {
    expect(quantilesOf(binsOf(aPoint(own)), [0.5, 0.9, 1])).toEqual([...expected]);
  });

  test("extremes that contradict each other are not taken", () => {
    expect(quantileOf(binsOf(aPoint({ counts: [0, 10, 0, 0], min: 9, max: 3 })), 0.5)).toBe(15);
  });
});
