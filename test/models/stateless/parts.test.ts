// Parts of a stateless detection: imputation, sliding medians, lines, residual scales, tolerance bands.
import { describe, expect, test } from "bun:test";
import { type ImputeMode, impute } from "../../../src/models/stateless/impute.ts";
import { residualScale, seasonalScaleAt } from "../../../src/models/stateless/residual-scale.ts";
import { RollingMedian } from "../../../src/models/stateless/rolling-median.ts";
import { bandWidthOf, widenToRatio } from "../../../src/models/stateless/tolerance-band.ts";
import { fitLine } from "../../../src/models/stats/line.ts";
import { medianOf } from "../../../src/models/stats/median.ts";
import { createRandom } from "../../../wasm/random.ts";

const gap = Number.NaN;
const normals = (length: number, seed = 1) => {
  const random = createRandom(seed);
  return Float64Array.from({ length }, () => random.normal());
};

test.each([
  ["auto", [1, gap, gap, 4]],
  ["notFill", [1, gap, gap, 4]],
  ["previous", [1, 1, 1, 4]],
  ["linear", [1, 2, 3, 4]],
  ["zero", [1, 0, 0, 4]],
  ["fixed", [1, 9, 9, 4]],
] as [ImputeMode, number[]][])("impute %s", (mode, expected) => {
  expect(Array.from(impute(Float64Array.of(1, gap, gap, 4), mode, 9))).toEqual(expected);
});

test("a median that slides is the median of its window", () => {
  const column = normals(300).map((value, i) => (i % 7 === 0 ? gap : Math.round(value * 3) + 0));
  const sliding = new RollingMedian(column, 21);
  for (let i = 0; i < 300; i++) {
    const [from, to] = [Math.max(0, i - 10), Math.min(300, i + 11)];
    expect(sliding.over(from, to)).toBe(medianOf(column.subarray(from, to)));
  }
  expect(new RollingMedian(Float64Array.of(gap, gap), 2).over(0, 2)).toBeNaN();
});

test("a line is found though a fifth of the points lie far off it", () => {
  const column = normals(500).map((value, i) => 7 + 0.5 * i + 0.1 * value + (i % 5 === 0 ? 1000 : 0));
  const line = fitLine(column);
  expect(Math.abs(line[0]! - 7)).toBeLessThan(1);
  expect(line[499]! - line[0]!).toBeCloseTo(249.5, 0);
  expect(Array.from(fitLine(Float64Array.of(gap, 5, gap)))).toEqual([0, 0, 0]);
});

describe("spread", () => {
  test.each([0, 0.1, 0.2, 0.4])("of normal errors is one, with a share of %p of anomalies", (share) => {
    const errors = normals(4000).map((value, i) => ((i * 0.618) % 1 < share ? 30 : value));
    const spread = residualScale(errors, errors, 0.45);
    expect(spread).toBeGreaterThan(0.9);
    expect(spread).toBeLessThan(2.5);
  });

  test("without any error is as small as the values allow, but never 0", () => {
    const column = new Float64Array(20).fill(5);
    expect(residualScale(new Float64Array(20), column, 0.25)).toBeGreaterThan(0);
    expect(residualScale(new Float64Array(20), column, 0.25)).toBeLessThan(1e-6);
    expect(residualScale(new Float64Array(20), new Float64Array(20), 0.25)).toBeGreaterThan(0);
  });

  test("where most errors are none is that of the others, unless they are few", () => {
    const errors = Float64Array.from({ length: 100 }, (_, i) => Number(i % 10 === 0));
    expect(residualScale(errors, errors, 0.25)).toBeCloseTo(1.48, 2);
    const one = Float64Array.from({ length: 100 }, (_, i) => Number(i === 50));
    expect(residualScale(one, one, 0.25)).toBeLessThan(0.01);
  });

  test("among zeros is that of what occurs again and again; a burst occurs once", () => {
    const rare = Float64Array.from({ length: 1000 }, (_, i) => Number(i % 200 === 7));
    expect(residualScale(rare, rare, 0.25)).toBeCloseTo(1.48, 2);
    const burst = Float64Array.from({ length: 1000 }, (_, i) => Number(i >= 500 && i < 510));
    expect(residualScale(burst, burst, 0.25)).toBeLessThan(0.01);
    const level = rare.map((value) => value + 5);
    expect(residualScale(rare, level, 0.25)).toBeLessThan(0.01);
  });

  test.each([1e9, 1e12, -1e12])("is that of the noise at %p, too", (offset) => {
    const noise = normals(400).map((value) => 0.02 * value);
    const column = noise.map((value) => value + offset);
    expect(residualScale(noise, column, 0.25)).toBeWithin(0.015, 0.03);
  });

  test("is at least the precision of the values", () => {
    const column = new Float64Array(100).fill(1e15);
    expect(residualScale(new Float64Array(100), column, 0.25)).toBeGreaterThan(1);
  });

  test("is wider at times at which other cycles are", () => {
    const noise = normals(240);
    const errors = noise.map((value, i) => (i % 24 < 8 ? 10 * value : value));
    expect(seasonalScaleAt(errors, 24 * 5 + 4, { period: 24, overall: 1 })).toBeGreaterThan(5);
    expect(seasonalScaleAt(errors, 24 * 5 + 15, { period: 24, overall: 1 })).toBeLessThan(1.7);
    expect(seasonalScaleAt(errors, 24 * 5 + 4, { period: 0, overall: 1 })).toBe(1);
  });
});

describe("margins", () => {
  test("become narrower with every step of the sensitivity, from very wide to 3 deviations", () => {
    const widths = Array.from({ length: 100 }, (_, sensitivity) => bandWidthOf(sensitivity));
    expect(widths.every((width, i) => i === 0 || width < widths[i - 1]!)).toBe(true);
    expect(widths[0]).toBeGreaterThan(500);
    expect(widths[99]).toBe(3);
  });

  test.each([
    [0.25, 2],
    [0.1, 1],
    [0.01, 0],
  ])("leave no more than a share of %p outside: %p of ten", (ratio, out) => {
    const sizes = Float64Array.from([9, 8, 7, 6, 1, 1, 0, 0, 1, 1]);
    const width = widenToRatio(3, sizes, ratio);
    expect(sizes.filter((size) => size > width).length).toBe(out);
    expect(widenToRatio(100, sizes, ratio)).toBe(100);
  });
});
