// Bursts: a jump that fades, by a share or by an amount; a level that stays, noise, and a season that recurs are none.
import { describe, expect, test } from "bun:test";
import { burstOf } from "../../../../src/models/forecasters/history/burst.ts";
import { makeColumn, makeNoise } from "../support.ts";

const LENGTH = 300;
const USUAL = 50;

/** Noise of 2 around a level, and what a burst adds by its age. */
function levelWith(age: number, height: (k: number) => number): Float64Array {
  const noise = makeNoise(3);
  return makeColumn(LENGTH, (i) => {
    const k = i - (LENGTH - age);
    return USUAL + (k >= 0 ? height(k) : 0) + 2 * noise();
  });
}

describe("a burst", () => {
  test.each<[string, number, (k: number) => number]>([
    ["halves every eight values", 24, (k) => 400 * 0.5 ** (k / 8)],
    ["halves every two values", 5, (k) => 900 * 0.5 ** (k / 2)],
    ["is a dip that recovers", 20, (k) => -300 * 0.5 ** (k / 10)],
    ["drains evenly", 30, (k) => Math.max(0, 300 - 6 * k)],
    ["rises for three values", 20, (k) => (k < 3 ? 100 * (k + 1) : 400 * 0.5 ** ((k - 3) / 8))],
  ])("%s, and goes on so", (_, age, height) => {
    const burst = burstOf(levelWith(age, height), [])!;
    expect(burst.from).toBe(LENGTH - age);
    for (const lead of [0, 5, 20])
      expect(Math.abs(burst.at(lead) - height(age + lead))).toBeLessThan(0.03 * Math.abs(height(0)) + 2);
  });

  test("reaches its usual level, and does not pass it", () => {
    const draining = burstOf(
      levelWith(30, (k) => 300 - 6 * k),
      [],
    )!;
    expect(draining.at(40)).toBe(0);
  });

  test("may miss values", () => {
    const level = levelWith(24, (k) => 400 * 0.5 ** (k / 8)).map((own, i) =>
      i % 5 === 2 ? Number.NaN : own,
    );
    expect(Math.abs(burstOf(level, [])!.at(0) - 50)).toBeLessThan(8);
  });

  test.each<[string, number, (k: number) => number]>([
    ["a level that stays", 12, () => 100],
    ["a level that rises", 12, (k) => 100 + 5 * k],
    ["a fall of three values", 3, (k) => 400 * 0.5 ** k],
    ["more than a quarter of the values", 90, (k) => 400 * 0.5 ** (k / 30)],
    ["noise", 0, () => 0],
  ])("is not %s", (_, age, height) => {
    expect(burstOf(levelWith(age, height), [])).toBeUndefined();
  });

  test("is not what came a cycle ago, too", () => {
    const level = levelWith(60, (k) => 400 * 0.5 ** ((k % 50) / 4));
    expect(burstOf(level, [50])).toBeUndefined();
    expect(burstOf(level, [25])).toBeDefined();
  });

  test("is not a constant, nor a history without values", () => {
    expect(burstOf(new Float64Array(LENGTH).fill(4), [])).toBeUndefined();
    expect(burstOf(new Float64Array(LENGTH).fill(Number.NaN), [])).toBeUndefined();
  });
});
