// Seeded random numbers: repeatable, and distributed as they should be.
import { expect, test } from "bun:test";
import { createRandom, normals, shuffle } from "../../wasm/random.ts";

test("the same seed gives the same numbers, another seed others", () => {
  const draw = (seed: number) => Array.from({ length: 5 }, createRandom(seed).uniform);
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
});

test("normals have mean 0, variance 1 and normal tails", () => {
  const values = normals(100_000, createRandom(3));
  const mean = values.reduce((a, b) => a + b, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  const beyondTwo = values.filter((value) => Math.abs(value) > 1.96).length / values.length;
  expect(Math.abs(mean)).toBeLessThan(0.015);
  expect(Math.abs(variance - 1)).toBeLessThan(0.02);
  expect(Math.abs(beyondTwo - 0.05)).toBeLessThan(0.005);
});

test("a shuffle is a permutation", () => {
  expect(Array.from(shuffle(100, createRandom(1))).sort((a, b) => a - b)).toEqual(
    Array.from({ length: 100 }, (_, i) => i),
  );
});
