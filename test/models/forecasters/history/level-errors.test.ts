// Errors that a level makes ahead: those of noise stay, those of a random walk grow, and little history makes them larger.
import { describe, expect, test } from "bun:test";
import { bendErrors, levelErrors } from "../../../../src/models/forecasters/history/level-errors.ts";
import { makeNoise } from "../support.ts";

const noiseOf = (length: number, seed: number) => Float64Array.from({ length }, makeNoise(seed));
const SEEDS = 40;
/** Mean magnitude of a normal error of deviation 1. */
const NORMAL = 0.8;

function levelOf(values: Float64Array, starts: readonly number[] = [0]) {
  return { values, spiky: values, starts, slope: 0, drift: 0, places: 0, restore: (level: number) => level };
}

/** Mean error at a lead over noise of many seeds. */
function meanError(of: (noise: Float64Array) => Float64Array, length: number, lead: number): number {
  let sum = 0;
  for (let seed = 1; seed <= SEEDS; seed++) {
    const level = levelOf(of(noiseOf(length, seed)));
    sum += levelErrors([level], { isSloping: false })!.errorAt(lead) / SEEDS;
  }
  return sum;
}

const walk = (noise: Float64Array) => {
  let sum = 0;
  return noise.map((value) => (sum += value));
};

describe("errors of a level", () => {
  test("of noise are its own, hardly larger far ahead", () => {
    const [near, far] = [0, 6].map((lead) => meanError((noise) => noise, 40, lead));
    expect(near).toBeGreaterThan(NORMAL);
    expect(near).toBeLessThan(1.5 * NORMAL);
    expect(far!).toBeLessThan(1.2 * near!);
  });

  test("of a random walk grow as it does", () => {
    const [near, far] = [0, 15].map((lead) => meanError(walk, 60, lead));
    expect(far! / near!).toBeGreaterThan(3);
    expect(far! / near!).toBeLessThan(5);
  });

  test("after a break are those of a level that few values tell", () => {
    const noise = noiseOf(20, 1);
    const stepped = noise.map((value, i) => value + (i < 17 ? 0 : 50));
    const [moved, young, none] = [[levelOf(noise)], [levelOf(noise, [0, 17])], [levelOf(stepped)]].map(
      (levels) => levelErrors(levels, { isSloping: false })!.errorAt(0),
    );
    expect(young!).toBeGreaterThan(1.05 * moved!);
    expect(none!).toBeGreaterThan(3 * young!);
    const likely = levelErrors([levelOf(noise, [0, 17]), levelOf(stepped)], { isSloping: false })!;
    expect(likely.errorAt(0)).toBeLessThan(1.5 * young!);
  });

  test("are those of the likelier of a step and of a season that takes it for a part of itself", () => {
    const noise = noiseOf(14, 5);
    const step = noise.map((value, i) => value + (i < 9 ? 0 : 50));
    // Each place of two cycles is the mean of both: half of the step is left in some of them.
    const season = step.map((value, i) => value - (step[i % 7]! + step[(i % 7) + 7]!) / 2);
    const broken = levelOf(noise, [0, 9]);
    const both = levelErrors([{ ...levelOf(season), places: 6 }, broken], { isSloping: false })!;
    const [alone, own] = [[{ ...levelOf(season), places: 6 }], [broken]].map((levels) =>
      levelErrors(levels, { isSloping: false })!.errorAt(0),
    );
    expect(alone!).toBeGreaterThan(4 * own!);
    expect(both.errorAt(0)).toBeLessThan(1.3 * own!);
  });

  test("grow with the lead by the error of a slope", () => {
    const level = { ...levelOf(noiseOf(20, 2).map((value, i) => value + 3 * i)), slope: 3 };
    const [sloping, level0] = [true, false].map((isSloping) => levelErrors([level], { isSloping })!);
    expect(sloping!.errorAt(20)).toBeGreaterThan(1.3 * level0!.errorAt(20));
    expect(Math.abs(sloping!.valueAt(9) - 3 * 29)).toBeLessThan(2);
  });

  test("hold spikes that come again, but not the only one", () => {
    const values = noiseOf(40, 3);
    const errorOf = (spikes: readonly number[]) => {
      const spiky = values.map((value, i) => value + (spikes.includes(i) ? 40 : 0));
      return levelErrors([{ ...levelOf(values), spiky }], { isSloping: false })!.errorAt(0);
    };
    expect(errorOf([9])).toBeCloseTo(errorOf([]), 9);
    expect(errorOf([9, 20, 30])).toBeCloseTo(errorOf([]) + 2, 9);
  });

  test("are not known of a history too short for its season, or of squares too large", () => {
    const known = (length: number, places: number, factor = 1) =>
      levelErrors([{ ...levelOf(noiseOf(length, 4).map((value) => factor * value)), places }], {
        isSloping: false,
      });
    expect(known(9, 6)).toBeUndefined();
    expect(known(12, 6)!.sample).toBeCloseTo(5, 9);
    expect(known(12, 6, 1e200)).toBeUndefined();
  });
});

describe("errors of a bend", () => {
  test("are those of its noise, hardly larger far ahead", () => {
    const growth = noiseOf(60, 1).map((value, i) => value + 400 / (1 + Math.exp((30 - i) / 6)));
    const { valueAt, errorAt, sample } = bendErrors(levelOf(growth))!;
    expect(Math.abs(valueAt(20) - 400)).toBeLessThan(3);
    expect(errorAt(0)).toBeWithin(0.8 * NORMAL, 2 * NORMAL);
    expect(errorAt(20)).toBeWithin(errorAt(0), 2 * errorAt(0));
    expect(sample).toBe(56);
  });

  test("are unknown of a level that has none", () => {
    expect(bendErrors(levelOf(noiseOf(60, 1)))).toBeUndefined();
  });
});
