// Relation of features: distances by hand, levels that are not known, features that move as one.
import { expect, test } from "bun:test";
import { deviationOf, fitRelation, relatedTo } from "../../../src/models/joint/relation.ts";
import { createRandom } from "../../../wasm/random.ts";

/** Pairs of unit variance with a correlation. */
function pairs(correlation: number, count = 20_000): Float64Array[] {
  const random = createRandom(1);
  return Array.from({ length: count }, () => {
    const x = random.normal();
    return Float64Array.of(x, correlation * x + Math.sqrt(1 - correlation ** 2) * random.normal());
  });
}

test("two features that move together: the distance across their line by hand, both make it unusual", () => {
  const relation = fitRelation(pairs(0.8));
  const along = deviationOf(relation, Float64Array.of(1, 1));
  const across = deviationOf(relation, Float64Array.of(1, -1));
  // Variance along the line 1 + r, across it 1 - r, shrunk by a fiftieth towards 1.
  expect(along.distance).toBeCloseTo(Math.SQRT2 / Math.sqrt(0.98 * 1.8 + 0.02), 1);
  expect(across.distance).toBeCloseTo(Math.SQRT2 / Math.sqrt(0.98 * 0.2 + 0.02), 1);
  // What is left of one feature given the other has the variance 1 - r².
  expect(across.residuals[0]!).toBeCloseTo(1.8 / Math.sqrt(1 - 0.8 ** 2), 0);
  expect(across.residuals[1]!).toBeCloseTo(-across.residuals[0]!, 1);
});

test("of a level that is not known, the distance is that of the others alone", () => {
  const relation = fitRelation(pairs(0.8));
  const { distance, residuals } = deviationOf(relation, Float64Array.of(2, Number.NaN));
  expect(distance).toBeCloseTo(2, 1);
  expect(residuals[1]).toBe(0);
});

test("of many features, several unknown levels add nothing either", () => {
  const random = createRandom(2);
  const levels = Array.from({ length: 5000 }, () => {
    const common = random.normal();
    return Float64Array.from({ length: 8 }, (_, j) => common + 0.3 * (j + 1) * random.normal());
  });
  const known = levels.map((level) => level.subarray(0, 5));
  const level = levels[7]!.map((value, j) => (j < 5 ? value : Number.NaN));
  const whole = deviationOf(fitRelation(levels), level);
  expect(whole.distance / deviationOf(fitRelation(known), level.subarray(0, 5)).distance).toBeWithin(
    0.9,
    1.1,
  );
});

test("features that are the same, and those that never change, keep the distance finite", () => {
  const random = createRandom(3);
  const levels = Array.from({ length: 500 }, () => {
    const x = random.normal();
    return Float64Array.of(x, x, 7);
  });
  const relation = fitRelation(levels);
  expect(deviationOf(relation, Float64Array.of(1, 1, 7)).distance).toBeWithin(0.5, 1.5);
  expect(deviationOf(relation, Float64Array.of(1, -1, 7)).distance).toBeWithin(5, 20);
  const constant = fitRelation(Array.from({ length: 500 }, () => Float64Array.of(3, 3)));
  expect(deviationOf(constant, Float64Array.of(3, 3)).distance).toBeLessThan(1e-6);
  expect(deviationOf(constant, Float64Array.of(3, 4)).distance).toBeWithin(100, 1000);
});

test("features are related by what they say beside all others", () => {
  const random = createRandom(4);
  const levels = Array.from({ length: 5000 }, () => {
    const [load, other] = [random.normal(), random.normal()];
    const cpu = load + 0.2 * random.normal();
    return Float64Array.of(load, other, cpu, cpu + 0.2 * random.normal());
  });
  const relation = fitRelation(levels);
  expect([0, 1, 2, 3].map((j) => relatedTo(relation, j)[0])).toEqual([2, expect.any(Number), 3, 2]);
  expect(relatedTo(relation, 0)).toEqual([2]);
  expect(relatedTo(relation, 2).toSorted()).toEqual([0, 3]);
});
