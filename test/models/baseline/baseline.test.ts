// Baseline: trend and calendar are removed together, and restored exactly.
import { describe, expect, test } from "bun:test";
import {
  type BaselineMemory,
  baselineOf,
  fitBaseline,
  followBaseline,
} from "../../../src/models/baseline/baseline.ts";
import { summariseBaselines } from "../../../src/models/baseline/summary.ts";
import { medianOf } from "../../../src/models/stats/median.ts";
import { createRandom } from "../../../wasm/random.ts";

const HOUR = 3_600_000;
const DAY = 24;
const timeline = { startAt: 0, intervalMs: HOUR };
const weekend = (day: number) => (day + 3) % 7 >= 5;

/** Hours of traffic that grows by 1 % a day, and is quiet at weekends. */
function grow(days: number): Float64Array {
  const random = createRandom(2);
  return Float64Array.from({ length: days * DAY }, (_, i) => {
    const day = Math.floor(i / DAY);
    const shape = (weekend(day) ? 40 : 100) + 20 * Math.sin((2 * Math.PI * i) / DAY);
    return shape * 1.01 ** (i / DAY) * (1 + 0.02 * random.normal());
  });
}

const TRAINED = 42 * DAY;
const column = grow(56);
const baseline = fitBaseline(column.slice(0, TRAINED), timeline);

test("growth and weekends are both found", () => {
  expect(baseline.trend?.kind).toBe("multiplicative");
  expect(baseline.calendar?.days).toBe("workday");
});

test("what is left is the usual workday at the level of the end of the training", () => {
  const { flatten } = followBaseline(baseline, { column, timeline, from: TRAINED }, undefined);
  const flat = flatten(column);
  const level = 1.01 ** 42;
  for (let day = 43; day < 56; day++) {
    const noon = flat[day * DAY]! / level;
    expect(noon).toBeWithin(88, 112);
  }
});

describe("a step of a level that rises is no part of its trend", () => {
  const [RISE, STEP, STEP_AT] = [0.7, 10, 33 * DAY + 15];
  const random = createRandom(3);
  const filling = Float64Array.from(
    { length: 49 * DAY },
    (_, i) => 20 + (RISE * i) / DAY + (i >= STEP_AT ? STEP : 0) + 0.05 * random.normal(),
  );
  const trained = filling.slice(0, 28 * DAY);
  const own = fitBaseline(trained, timeline);
  const flatTraining = baselineOf(own, timeline, trained.length).flatten(trained);
  const center = medianOf(flatTraining);
  const usual = { usualAt: () => center, scale: 0.05 };
  const follow = (column: Float64Array, from: number, memory?: BaselineMemory, startAt = 0) =>
    followBaseline(own, { column, timeline: { ...timeline, startAt }, from, usual }, memory);
  const whole = follow(filling, trained.length);

  test("values are as usual from the day on on which it is known", () => {
    expect(whole.shifts).toHaveLength(1);
    const flat = whole.flatten(filling).subarray(STEP_AT + 2 * DAY);
    for (const value of flat) expect(value - center).toBeWithin(-0.4, 0.4);
  });

  test("a slope that has changed is learned, whatever levels it passes", () => {
    const FASTER_AT = 33 * DAY;
    const faster = filling.map(
      (value, i) => value - (i >= STEP_AT ? STEP : 0) + (RISE * Math.max(0, i - FASTER_AT)) / DAY,
    );
    const { memory, flatten } = follow(faster, trained.length);
    expect(memory.trend!.segments.at(-1)!.slope).toBeWithin(1.2 * RISE, 2.5 * RISE);
    for (const value of flatten(faster).subarray(42 * DAY)) expect(value - center).toBeWithin(-RISE, RISE);
  });

  test("in slices, with the memory as JSON, as in one go", () => {
    const flat = whole.flatten(filling);
    let memory: BaselineMemory | undefined;
    for (let from = trained.length; from < filling.length; from += 5) {
      const start = from - DAY;
      const part = filling.slice(start, Math.min(filling.length, from + 5));
      const slice = follow(part, DAY, memory, start * HOUR);
      expect(slice.flatten(part).subarray(DAY)).toEqual(flat.slice(from, start + part.length));
      memory = JSON.parse(JSON.stringify(slice.memory));
    }
  });
});

test("restore() is the inverse, of the followed and of the extrapolated trend", () => {
  const followed = followBaseline(baseline, { column, timeline, from: TRAINED }, undefined);
  for (const { flatten, restore } of [followed, baselineOf(baseline, timeline, column.length)])
    for (const [i, value] of restore(flatten(column)).entries()) expect(value).toBeCloseTo(column[i]!, 6);
  expect(followed.memory.trend?.segments.length).toBeGreaterThan(1);
});

test("without trend and calendar nothing changes", () => {
  expect(fitBaseline(new Float64Array(500).fill(3), timeline)).toEqual({});
  const values = Float64Array.of(1, Number.NaN, 3);
  expect(baselineOf({}, timeline, 3).flatten(values)).toBe(values);
  expect(followBaseline({}, { column, timeline, from: 0 }, undefined).memory).toEqual({});
});

test("the summary names level, trend and calendar; features that differ are named", () => {
  const feature = (name: string, own: object) => ({ name, standardisation: { mean: 5 }, ...own });
  const summarise = (...features: Parameters<typeof summariseBaselines>[0]) =>
    summariseBaselines(features, { holidays: true });
  expect(summarise(feature("a", baseline))).toMatchObject({
    trend: "0.9975 % a day",
    calendar: "weekends, holidays",
  });
  expect(summarise(feature("a", {}))).toEqual({ level: 5, trend: "none", calendar: "none" });
  const additive = { ...baseline.trend!, kind: "additive", slope: 0.7, center: 61.23456 } as const;
  expect(summarise(feature("a", { trend: additive }), feature("b", {}))).toEqual({
    level: "a: 61.23; b: 5",
    trend: "a: 0.7 a day; b: none",
    calendar: "none",
  });
});
