// Growth of errors with the lead: none for noise, the root of it for a random walk.
import { expect, test } from "bun:test";
import { fitGrowth } from "../../../src/models/forecasters/error-growth.ts";
import type { Member } from "../../../src/models/forecasters/members.ts";
import { DAY, HOUR, makeColumn, makeNoise, seasonal, signal, WEEK } from "./support.ts";

const noise = makeNoise(61);
const last: Member = { method: "seasonal", season: "none", follow: 1 };
const daily: Member = { method: "seasonal", season: "day", follow: 0.5 };

async function growthOf(member: Member, column: Float64Array): Promise<number | undefined> {
  const series = { column, intervalMs: HOUR };
  const { growth } = await fitGrowth([{ member, weight: 1 }], { series, trend: undefined }, signal);
  return growth;
}

test("noise does not grow", async () => {
  const column = makeColumn(8 * WEEK, (i) => seasonal(i) + 4 * noise());
  expect(await growthOf({ ...daily, season: "week" }, column)).toBeLessThan(0.1);
});

test("a random walk grows by the root of the lead", async () => {
  const growths = [];
  for (let k = 0; k < 8; k++) {
    let level = 0;
    const column = makeColumn(12 * WEEK, () => (level += noise()));
    growths.push(await growthOf(last, column));
  }
  const mean = growths.reduce<number>((sum, growth) => sum + growth!, 0) / growths.length;
  expect(mean).toBeWithin(0.35, 0.65);
});

test("a trend that none of the members follows grows evenly", async () => {
  const growth = await growthOf(
    last,
    makeColumn(8 * WEEK, (i) => i),
  );
  expect(growth).toBeGreaterThan(0.7);
});

test("values that repeat exactly, and too short a history, leave it unknown", async () => {
  expect(
    await growthOf(
      daily,
      makeColumn(8 * WEEK, () => 5),
    ),
  ).toBeUndefined();
  expect(
    await growthOf(
      daily,
      makeColumn(16 * DAY, (i) => i),
    ),
  ).toBeUndefined();
});

test("the network alone leaves it unknown: its forecasts of weeks would take too long", async () => {
  expect(await growthOf({ method: "donut" }, makeColumn(8 * WEEK, noise))).toBeUndefined();
});
