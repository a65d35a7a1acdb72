// Tail of means: what comes on most days at no fixed time is no rarer than that; noise and what is on few days stay as rare.
import { expect, test } from "bun:test";
import { fitMeanTail, rarityInTail } from "../../../src/models/detectors/mean-tail.ts";
import { createRandom } from "../../../wasm/random.ts";

const PER_DAY = 1440;

/** Means of noise, and of one burst of three to four decades at any time of each of the first days. */
function meansOf(length: number, bursts: number): { means: Float64Array; days: Int32Array } {
  const random = createRandom(11);
  const days = Int32Array.from({ length: length * PER_DAY }, (_, i) => Math.floor(i / PER_DAY));
  const means = Float64Array.from(days, () => -0.2 * Math.log(1 - random.uniform()));
  for (let day = 0; day < bursts; day++) {
    const at = day * PER_DAY + Math.floor(random.uniform() * (PER_DAY - 2));
    means.fill(3 + random.uniform(), at, at + 2);
  }
  return { means, days };
}

test("a burst on each of seven days, at any time, is as rare as one that half of the days have", () => {
  const { means, days } = meansOf(7, 7);
  const tail = fitMeanTail(means, days);
  expect(rarityInTail(tail, 3.5)).toBeCloseTo(Math.log10((7 * PER_DAY) / 4), 3);
  expect(rarityInTail(fitMeanTail(means), 3.5)).toBeGreaterThan(3.65);
  const rarities = [0.2, 0.6, 2, 3, 3.5, 3.8, 5].map((mean) => rarityInTail(tail, mean));
  expect(rarities).toEqual(rarities.toSorted((a, b) => a - b));
});

test("bursts of three days of fourteen say nothing of the others", () => {
  const { means, days } = meansOf(14, 3);
  expect(fitMeanTail(means, days)).toEqual(fitMeanTail(means));
});

test("four days tell no custom", () => {
  const { means, days } = meansOf(4, 4);
  expect(fitMeanTail(means, days).daily).toBeUndefined();
});
