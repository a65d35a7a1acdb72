// Course: hours that are off count while their anomaly lasts; once it is over they begin no other.
import { expect, test } from "bun:test";
import { course } from "../../../../src/models/detectors/kinds/course.ts";
import type { Live } from "../../../../src/models/detectors/kinds/kind.ts";
import { Neighbours } from "../../../../src/models/detectors/neighbours/neighbours.ts";
import { fitProfile, Seasonal } from "../../../../src/models/detectors/seasons/seasonal.ts";

const intervalMs = 300_000;
/** Intervals of a quarter of a day, all of which were off. */
const OFF = 72;
const LENGTH = 300;

/** Statistic of a value a little above the usual one, after hours at five deviations of an anomaly. */
function statisticAfter(inAnomaly: boolean): number {
  const timeline = { startAt: 0, intervalMs };
  const column = Float64Array.from({ length: LENGTH }, (_, i) => (i % 2 ? 0.67 : -0.67));
  const seasonal = new Seasonal(fitProfile(column, timeline), timeline);
  const neighbours = new Neighbours(new Float64Array(), LENGTH);
  for (let i = 0; i < LENGTH; i++) neighbours.push(i < LENGTH - OFF ? 0 : 5);
  for (let age = 0; age < OFF; age++) neighbours.bar(age, true);
  const linear = { center: 0, scale: 1 };
  const live = { seasonal, seasonalScale: 1, neighbours, linear, timeline, inAnomaly: () => inAnomaly };
  return course.judge(live as unknown as Live, LENGTH, 1)!.statistic!;
}

test("while an anomaly lasts, its hours count", () => {
  expect(statisticAfter(true)).toBeGreaterThan(1.5);
});

test("once it is over, they do not", () => {
  expect(statisticAfter(false)).toBeLessThan(1.1);
});
