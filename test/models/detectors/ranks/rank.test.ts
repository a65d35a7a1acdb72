// Causal ranks: equal surprises count, larger ones are extrapolated, stored counts are restored.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { binOf, CausalRank, countRanks, startOfBin } from "../../../../src/models/detectors/ranks/rank.ts";

const rankOf = (surprises: readonly number[]) => new CausalRank(countRanks(surprises));

describe("rarity is -log10((k + 1) / (n + 1))", () => {
  // Nine points of surprise 0, 0.1 .. 0.8; k of them are at least as odd.
  const nine = rankOf(Array.from({ length: 9 }, (_, i) => i / 10));
  test.each([
    [0, 9],
    [0.37, 5],
    [0.75, 1],
  ])("surprise %p: %i of nine are as odd", (surprise, k) =>
    expect(nine.rarityOf(surprise)).toBeCloseTo(Math.log10(10 / (k + 1)), 10));

  test("nothing is known: nothing is rare", () => expect(new CausalRank([]).rarityOf(0)).toBe(0));

  describe("beyond the rarest of n points", () => {
    // The rarest lies in the bin that begins at 0.8.
    const beyond = 2.8 - startOfBin(binOf(0.8));

    test("grows by half a decade per decade, less with few points", () => {
      expect(nine.rarityOf(2.8)).toBeCloseTo(1 + ((0.5 * 9) / 109) * beyond, 10);
      const many = rankOf(Array.from({ length: 9900 }, (_, i) => (i % 9) * 0.1));
      expect(many.rarityOf(2.8)).toBeCloseTo(Math.log10(9901) + 0.495 * beyond, 10);
    });

    test("exceeds the number of points by three decades at most", () => {
      expect(nine.rarityOf(1e6)).toBeCloseTo(1 + 3, 10);
      expect(nine.unboundedRarityOf(1e6)).toBeGreaterThan(1000);
    });
  });

  test("a burst makes itself usual", () => {
    const rank = rankOf(Array.from({ length: 999 }, () => 0.1));
    const rarities = Array.from({ length: 5 }, () => {
      const rarity = rank.rarityOf(3);
      rank.add(3);
      return rarity;
    });
    expect(rarities[0]).toBeGreaterThan(3);
    expect(rarities.slice(1)).toEqual([...rarities.slice(1)].sort((a, b) => b - a));
    // (4 + 1) / (1003 + 1)
    expect(rarities[4]).toBeCloseTo(Math.log10(1004 / 5), 10);
  });

  test("discounted, what is known weighs no more than so many points, and stays in proportion", () => {
    const rank = rankOf(Array.from({ length: 1000 }, (_, i) => (i % 10 === 0 ? 2 : 0.1)));
    rank.discount(100);
    expect(rank.rarityOf(2)).toBeCloseTo(Math.log10(101 / 11), 10);
    rank.discount(5000);
    expect(rank.rarityOf(2)).toBeCloseTo(Math.log10(101 / 11), 10);
    expect(new CausalRank(JSON.parse(JSON.stringify(rank.toCounts()))).rarityOf(2)).toBe(rank.rarityOf(2));
  });

  test("with points set aside, the rank is as if they had been added", () => {
    const [rank, other] = [rankOf([0.1, 0.5, 2]), rankOf([0.1, 0.5, 2, 3, 3, 0.05])];
    const aside = countRanks([3, 3, 0.05]);
    for (const surprise of [0, 0.3, 2.5, 3, 4]) {
      expect(rank.rarityOf(surprise, aside)).toBe(other.rarityOf(surprise));
    }
    rank.addAll(aside);
    expect(rank.rarityOf(3)).toBe(other.rarityOf(3));
  });
});

const surprise = fc.double({ min: 0, max: 400, noNaN: true });

test("bins are ordered as surprises are, and begin where they say", () => {
  fc.assert(
    fc.property(surprise, surprise, (a, b) => {
      if (a < b) expect(binOf(a)).toBeLessThanOrEqual(binOf(b));
      expect(startOfBin(binOf(a))).toBeLessThanOrEqual(a + 1e-9);
    }),
  );
});

test("a surprise below 0, or one that is not a number, counts as 0", () => {
  expect([Number.NaN, -1, -0, 0].map(binOf)).toEqual([0, 0, 0, 0]);
  expect(countRanks([Number.NaN, -1])).toEqual([[0, 2]]);
});

test("points without any surprise are counted in the lowest bin", () => {
  expect(countRanks([0.05, 0.05], 3)).toEqual(countRanks([0, 0.05, 0, 0.05, 0]));
});

test("a memory lists bin and count in turn, a version has pairs", () => {
  const rank = rankOf([0, 0, 0.05]);
  expect(rank.toMemory()).toEqual([0, 2, 1, 1]);
  expect(rank.toCounts()).toEqual([
    [0, 2],
    [1, 1],
  ]);
});

test("rarity rises with surprise, and survives being kept as JSON", () => {
  fc.assert(
    fc.property(fc.array(surprise, { maxLength: 60 }), surprise, surprise, (seen, a, b) => {
      const rank = rankOf(seen);
      if (a < b) expect(rank.rarityOf(a)).toBeLessThanOrEqual(rank.rarityOf(b) + 1e-9);
      for (const counts of [rank.toCounts(), rank.toMemory()]) {
        const again = new CausalRank(JSON.parse(JSON.stringify(counts)));
        expect(again.rarityOf(a)).toBe(rank.rarityOf(a));
        expect(again.toCounts()).toEqual(rank.toCounts());
      }
      expect(Number.isFinite(rank.rarityOf(a))).toBe(true);
    }),
  );
});
