// Promise 10, a small case; `npm run test:soak` is the whole of it.
import { expect, test } from "bun:test";
import { growthOf, soak } from "./soak.ts";

test("promise 10: round after round of trainings, evaluations and forecasts takes no more memory", async () => {
  const soaked = await soak({ rounds: 6, steps: 100, requests: 10 });
  expect(soaked).toMatchObject({ steps: 600, scorings: 3000 });
  // The heap of a server breathes by some 30 MB; a worker that is kept takes 66.
  expect(growthOf(soaked)).toBeLessThan(48);
}, 180_000);

test("what grows is seen, what has grown before the warm-up was over is not", () => {
  expect(growthOf({ residentMb: [100, 200, 300, 300, 301] })).toBe(1);
  expect(growthOf({ residentMb: [300, 300, 310, 320, 330, 340] })).toBe(20);
  expect(growthOf({ residentMb: [300, 300, 300, 300, 290] })).toBe(-10);
});
