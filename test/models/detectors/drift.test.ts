// Drift: starts with many rare points in a day, not with a few, and ends by itself.
import { describe, expect, test } from "bun:test";
import { type DriftMemory, noDrift, stepDrift } from "../../../src/models/detectors/drift.ts";

const HOUR = 3_600_000;

/** Walks over points of this rarity, one after the other. */
function walk(runs: readonly (readonly [points: number, rarity: number])[], intervalMs: number) {
  let memory: DriftMemory = noDrift;
  let i = 0;
  const states: DriftMemory[] = [];
  for (const [points, rarity] of runs)
    for (let k = 0; k < points; k++) {
      memory = stepDrift(memory, { at: i++ * intervalMs, rarity, intervalMs });
      states.push(memory);
    }
  return states;
}
const perDay = (intervalMs: number) => (24 * HOUR) / intervalMs;

describe.each([[60_000], [300_000], [900_000]])("points every %d ms", (intervalMs) => {
  const day = perDay(intervalMs);
  const last = (runs: [number, number][]) => walk(runs, intervalMs).at(-1)!;

  test.each([
    ["an ordinary day", [[1, 0.3]], false],
    ["an anomaly of two hours", [[2 / 24, 4]], false],
    ["three hours of rare points", [[3 / 24, 2.5]], true],
    [
      "a few hours of the usual after them",
      [
        [3 / 24, 2.5],
        [0.2, 0.3],
      ],
      true,
    ],
    [
      "two days after them",
      [
        [3 / 24, 2.5],
        [2, 0.3],
      ],
      false,
    ],
    ["points just not rare enough", [[1, 1.99]], false],
  ] as [string, [number, number][], boolean][])("%s: drift %#", (_, days, expected) => {
    const runs = days.map(([share, rarity]): [number, number] => [Math.round(share * day), rarity]);
    expect(last(runs).sinceAt !== undefined).toBe(expected);
  });

  test("it is dated to where it began, and keeps that date", () => {
    const states = walk([[Math.round(day / 2), 3]], intervalMs);
    const first = states.findIndex(({ sinceAt }) => sinceAt !== undefined);
    expect(states[first]!.sinceAt).toBe(first * intervalMs);
    expect(states.at(-1)!.sinceAt).toBe(first * intervalMs);
    expect(states.at(-1)!.share).toBeCloseTo(1 - Math.exp(-1), 1);
  });
});

test("normal data, one point in a hundred rare, never drift", () => {
  const states = walk(
    Array.from({ length: 3000 }, (_, i): [number, number] => [1, i % 100 === 0 ? 2.5 : 0.4]),
    300_000,
  );
  expect(states.every(({ sinceAt }) => sinceAt === undefined)).toBe(true);
});

test("of daily points a single rare one is no drift", () => {
  expect(walk([[1, 5]], 24 * HOUR).at(-1)!.sinceAt).toBeUndefined();
});
