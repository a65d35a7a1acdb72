// Novelty of values beyond the known ones.
import { describe, expect, test } from "bun:test";
import { distanceBeyond, noveltyOf, SlidingRange } from "../../../../src/models/detectors/ranks/novelty.ts";
import { detectionRules } from "../../../../src/models/detectors/rules.ts";

const known = { least: 0, greatest: 1, points: 999 };
const rules = { ...detectionRules, noveltyExponent: 3, noveltyMargin: 1, maxDecadesBeyond: 3 };

describe("distanceBeyond", () => {
  test("is measured in widths of the range, on both sides; 0 within it", () => {
    expect([0, 0.5, 1].map((value) => distanceBeyond(value, known))).toEqual([0, 0, 0]);
    expect(distanceBeyond(10, known)).toBe(9);
    expect(distanceBeyond(-9, { ...known, greatest: 2 })).toBe(4.5);
  });

  test("is 0 where every known value is the same, and beyond a clipped one", () => {
    expect(distanceBeyond(30, { ...known, greatest: 0 })).toBe(0);
    expect(distanceBeyond(40_000, { ...known, greatest: 32_767 })).toBe(0);
    expect(distanceBeyond(-32_767, { ...known, greatest: 32_767 })).toBe(1);
  });
});

describe("noveltyOf", () => {
  test("is 0 within the range, and a width beyond it", () => {
    expect([noveltyOf(0, 999, rules), noveltyOf(1, 999, rules)]).toEqual([0, 0]);
  });

  test("is that of a Pareto tail of exponent 3, less a decade", () => {
    expect(noveltyOf(9, 999, rules)).toBeCloseTo(3 + 3 - 1, 12);
    expect(noveltyOf(4, 99, rules)).toBeCloseTo(2 + 3 * Math.log10(5) - 1, 12);
  });

  test("is bounded by the number of points", () => {
    expect(noveltyOf(1e9, 999, rules)).toBeCloseTo(6, 12);
    expect(noveltyOf(1e9, 9, rules)).toBeCloseTo(4, 12);
  });
});

describe("SlidingRange", () => {
  test("knows nothing before its first value", () => {
    expect(new SlidingRange(3).range).toBeUndefined();
  });

  test("is the range of the last values", () => {
    const values = [5, 1, 4, 4, 2, 9, 3, 3, 3, -1];
    const sliding = new SlidingRange(3);
    for (const [i, value] of values.entries()) {
      sliding.push(value);
      const last = values.slice(Math.max(0, i - 2), i + 1);
      const wanted = { least: Math.min(...last), greatest: Math.max(...last), points: last.length };
      expect(sliding.range).toEqual(wanted);
    }
  });

  test("begins with a history as if its values had been pushed", () => {
    const values = [5, 1, 4, 4, 2, 9, 3, 3, 3, -1];
    for (let count = 0; count <= values.length; count++) {
      const [begun, pushed] = [
        new SlidingRange(4, Float64Array.from(values.slice(0, count))),
        new SlidingRange(4),
      ];
      for (const value of values.slice(0, count)) pushed.push(value);
      for (const value of values.slice(count)) {
        expect(begun.range).toEqual(pushed.range);
        expect(begun.candidates).toEqual(pushed.candidates);
        for (const sliding of [begun, pushed]) sliding.push(value);
      }
      expect(begun.range).toEqual(pushed.range);
    }
  });
});
