// Rarities from the past alone: a change shows with its first interval and no earlier, also a slow one.
import { describe, expect, test } from "bun:test";
import { scoreFromPast } from "../../../src/models/stateless/past-only.ts";
import { createRandom } from "../../../wasm/random.ts";

const LENGTH = 2000;
const { signal } = new AbortController();

async function score(change: (i: number) => number, { period = 0, seed = 1 } = {}) {
  const random = createRandom(seed);
  const season = (i: number) => (period ? 10 * Math.sin((2 * Math.PI * i) / period) : 0);
  const column = Float64Array.from(
    { length: LENGTH },
    (_, i) => 50 + season(i) + random.normal() + change(i),
  );
  return scoreFromPast(column, { period }, signal);
}
const rareIn = (rarity: Float64Array, from: number, to: number) =>
  [...rarity.subarray(from, to)].filter((own) => own >= 2.5).length;

describe("a jump", () => {
  test.each([
    0, 200,
  ])("is rare from its first interval on, and nothing before it is (period %d)", async (period) => {
    const { rarity, errors } = await score((i) => (i >= 1500 ? 12 : 0), { period });
    expect(rarity[1500]!).toBeGreaterThan(6);
    expect(errors[1500]!).toBeGreaterThan(0);
    expect(rareIn(rarity, 1480, 1500)).toBe(0);
    expect(rareIn(rarity, 1500, 1520)).toBeGreaterThan(15);
  });

  test("down has a negative error", async () => {
    const { errors } = await score((i) => (i >= 1500 ? -12 : 0));
    expect(errors[1500]!).toBeLessThan(0);
  });
});

test("a slow growth is rare within its first third, though a level follows it", async () => {
  const { rarity } = await score((i) => (i >= 1500 && i < 1560 ? 0.15 * (i - 1500) : 0));
  expect(rareIn(rarity, 1500, 1560)).toBeGreaterThan(5);
});

test("of noise one interval in 300 is rare, more or less", async () => {
  let rare = 0;
  for (let seed = 1; seed <= 10; seed++) {
    const { rarity } = await score(() => 0, { seed });
    rare += rareIn(rarity, 0, LENGTH);
  }
  expect(rare).toBeGreaterThan(10);
  expect(rare).toBeLessThan(200);
});

test("what is missing has no rarity, and a constant is never rare", async () => {
  const column = new Float64Array(300).fill(7);
  column[100] = Number.NaN;
  const { rarity } = await scoreFromPast(column, { period: 0 }, signal);
  expect(rarity[100]).toBeNaN();
  expect(rareIn(rarity, 0, 300)).toBe(0);
});
