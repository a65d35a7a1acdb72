// Growth of squared errors by the day: none for noise, that of the first day for a random walk.
import { expect, test } from "bun:test";
import { fitGrowth } from "../../../src/models/forecasters/error-growth.ts";
import type { Member } from "../../../src/models/forecasters/members.ts";
import { DAY, HOUR, makeColumn, makeNoise, seasonal, signal, WEEK } from "./support.ts";

const noise = makeNoise(61);
const last: Member = { method: "seasonal", season: "none", follow: 1 };
const daily: Member = { method: "seasonal", season: "day", follow: 0.5 };

async function growthOf(member: Member, column: Float64Array, horizon = DAY): Promise<number | undefined> {
  const series = { column, intervalMs: HOUR };
  const { growth } = await fitGrowth([{ member, weight: 1 }], { series, trend: undefined, horizon }, signal);
  return growth;
}

test("noise does not grow", async () => {
  const column = makeColumn(8 * WEEK, (i) => seasonal(i) + 4 * noise());
  expect(await growthOf({ ...daily, season: "week" }, column)).toBeLessThan(0.05);
});

test("a random walk grows every day by as much as on the first", async () => {
  const growths = [];
  for (let k = 0; k < 8; k++) {
    let level = 0;
    const column = makeColumn(12 * WEEK, () => (level += noise()));
    growths.push(await growthOf(last, column));
  }
  const mean = growths.reduce<number>((sum, growth) => sum + growth!, 0) / growths.length;
  expect(mean).toBeWithin(0.6, 1.6);
});

test("a band that measures more days itself grows as much from there on", async () => {
  let level = 0;
  const column = makeColumn(12 * WEEK, (i) => {
    level += noise();
    return level + 3 * (i % 2);
  });
  const daily = (await growthOf(last, column))!;
  const weekly = (await growthOf(last, column, WEEK))!;
  const squareAfter = (days: number) => 1 + daily * (days - 1);
  expect(1 + weekly * (28 / 7 - 1)).toBeCloseTo(squareAfter(28) / squareAfter(7), 9);
});

test("a trend that none of the members follows grows faster", async () => {
  const growth = await growthOf(
    last,
    makeColumn(8 * WEEK, (i) => i),
  );
  expect(growth).toBeGreaterThan(5);
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
