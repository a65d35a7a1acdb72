// Range rank: windows count where they are known, a rarity fades, slices equal one evaluation.
import { expect, test } from "bun:test";
import { Neighbours } from "../../../../src/models/detectors/neighbours/neighbours.ts";
import { quantise } from "../../../../src/models/detectors/neighbours/quanta.ts";
import { RangeRank } from "../../../../src/models/detectors/ranks/range-rank.ts";
import { detectionRules } from "../../../../src/models/detectors/rules.ts";
import type { Memory } from "../../../../src/models/detectors/types.ts";
import { fitTail } from "../../../../src/models/stats/tail.ts";
import { createRandom } from "../../../../wasm/random.ts";

type RangeMemory = Pick<Memory, "rangeRanks" | "rangeFading">;

/** A range too short for long windows. */
function aShortRange({ ranged = true, memory }: { ranged?: boolean; memory?: RangeMemory } = {}): RangeRank {
  const neighbours = new Neighbours(new Float64Array(), 0);
  return new RangeRank({}, memory, neighbours, { ranged, detection: detectionRules });
}

const rankAll = (range: RangeRank, points: readonly number[]) =>
  points.map((point) => range.rank(0, { point, windows: [] }));

test("a rarity fades by hand: a tenth of its power per point", () => {
  const [first, second, third] = rankAll(aShortRange(), [4, 0, 0]);
  expect(first).toBe(4);
  expect(second).toBeCloseTo((0.09 * 4 ** 2.5) ** 0.4, 10);
  expect(third).toBeCloseTo((0.081 * 4 ** 2.5) ** 0.4, 10);
});

test("several rare points last longer than one, and none lasts for ever", () => {
  const calm = Array.from({ length: 60 }, () => 0);
  const [one, several] = [[4], [4, 4, 4, 4]].map((rare) => rankAll(aShortRange(), [...rare, ...calm]));
  expect(several!.at(-55)!).toBeGreaterThan(1.3 * one!.at(-55)!);
  expect(several!.at(-1)!).toBeLessThan(0.5);
});

test("the longest window of the point score counts alone where longer ones are unknown", () => {
  expect(aShortRange().rank(0, { point: 1, windows: [3] })).toBe(3);
  expect(aShortRange().rank(0, { point: 3, windows: [1] })).toBe(3);
});

test("with longer windows it counts for half", () => {
  const random = createRandom(3);
  const history = Float64Array.from({ length: 600 }, () => quantise(random.normal()));
  const tail = fitTail(
    Float64Array.from({ length: 500 }, () => Math.abs(random.normal())),
    500,
  );
  const ensemble = { range: { weight: 1, tail, ranks: [[0, 500] as [number, number]] } };
  const rankWith = (longest: number) => {
    const neighbours = new Neighbours(history, 1);
    const range = new RangeRank(ensemble, undefined, neighbours, { ranged: true, detection: detectionRules });
    return range.rank(40, { point: 0, windows: [longest] });
  };
  expect(rankWith(0)).toBeGreaterThan(1);
  expect(rankWith(3) - rankWith(0)).toBeCloseTo(1.5, 10);
});

test("one point beyond every score fades as one at the highest score", () => {
  expect(rankAll(aShortRange(), [40, 0])[1]).toBeCloseTo(rankAll(aShortRange(), [6, 0])[1]!, 10);
});

test("a memory continues as one evaluation; without ranking it is kept", () => {
  const points = [0.3, 5, 2, 0.1, 0, 0.4];
  const whole = rankAll(aShortRange(), points);
  const first = aShortRange();
  const before = rankAll(first, points.slice(0, 3));
  const memory: RangeMemory = JSON.parse(JSON.stringify(first.toMemory()));
  const live = aShortRange({ ranged: false, memory });
  expect(live.rank(0, { point: 0.1, windows: [5] })).toBe(0.1);
  expect(live.toMemory()).toEqual(memory);
  expect([...before, ...rankAll(aShortRange({ memory }), points.slice(3))]).toEqual(whole);
});
