// Periods: found in seasons of all shapes, through noise, gaps and spikes; not found without any.
import { describe, expect, test } from "bun:test";
import { join } from "node:path";
import { detectPeriod } from "../../../src/models/stats/period.ts";
import { createRandom } from "../../../wasm/random.ts";
import { readFolder } from "../../eval/series.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const shapes = {
  sine: (i: number, period: number) => Math.sin((2 * Math.PI * i) / period),
  beat: (i: number, period: number) => (i % period === 3 ? 4 : 0),
  saw: (i: number, period: number) => (2 * (i % period)) / period,
  sun: (i: number, period: number) => Math.max(0, Math.sin((2 * Math.PI * i) / period)),
  shifts: (i: number, period: number) => (i % period < period / 3 ? 1 : 0),
};
type Shape = keyof typeof shapes;

function make(shape: Shape, period: number, { length = 40 * period, noise = 0 } = {}): Float64Array {
  const random = createRandom(period);
  return Float64Array.from({ length }, (_, i) => shapes[shape](i, period) + noise * random.normal());
}

const cases = (Object.keys(shapes) as Shape[]).flatMap((shape) =>
  [7, 12, 24, 48, 100].map((period) => [shape, period] as const),
);

describe.each(cases)("%s of %p", (shape, period) => {
  test("is found", () => {
    const found = detectPeriod(make(shape, period));
    expect(found.period).toBe(period);
    expect(found.strength).toBeGreaterThan(0.9);
  });

  test("is found through noise, gaps and a spike", () => {
    const column = make(shape, period, { noise: 0.2 });
    for (let i = 5; i < column.length; i += 17) column[i] = Number.NaN;
    column[33] = 1e6;
    expect(Math.abs(detectPeriod(column).period - period)).toBeLessThanOrEqual(1);
  });

  test("is found on a slope", () => {
    const column = make(shape, period, { noise: 0.1 }).map((value, i) => value + 0.05 * i);
    expect(Math.abs(detectPeriod(column).period - period)).toBeLessThanOrEqual(1);
  });
});

test("an hour that repeats on a day that does not is a part of the day", () => {
  const minutes = (load: number) =>
    Float64Array.from(
      { length: 4 * 1440 },
      (_, i) => load * Math.sin((2 * Math.PI * i) / 1440) + (i % 60 < 5 ? 60 : 0),
    );
  const periodOf = (load: number) => detectPeriod(minutes(load), { intervalMs: 60_000 }).period;
  expect([0, 3, 40].map(periodOf)).toEqual([60, 60, 1440]);
});

describe.each([24, 96, 288])("with %p intervals a day", (perDay) => {
  const peak = (hour: number, at: number) => Math.exp(-(((hour - at) / 2) ** 2));
  const shapesOfDays: Readonly<Record<string, (hour: number) => number>> = {
    "a low and a high peak, eight hours apart": (hour) => 0.7 * peak(hour, 11) + peak(hour, 19),
    "a low and a high peak, half a day apart": (hour) => 0.4 * peak(hour, 7) + peak(hour, 19),
  };
  const periodOf = (shape: (hour: number) => number, days: number, seed: number) => {
    const random = createRandom(seed);
    const column = Float64Array.from(
      { length: days * perDay },
      (_, i) => 50 * shape(((i * 24) / perDay) % 24) + 4 * random.normal(),
    );
    return detectPeriod(column, { intervalMs: (24 * HOUR) / perDay }).period;
  };

  test.each(Object.keys(shapesOfDays))("%s: days repeat, their parts do not", (name) => {
    const seeds = Array.from({ length: 10 }, (_, k) => k + 1);
    expect(seeds.map((seed) => periodOf(shapesOfDays[name]!, 2, seed))).toEqual(seeds.map(() => 0));
    expect(seeds.map((seed) => periodOf(shapesOfDays[name]!, 4, seed))).toEqual(seeds.map(() => perDay));
  });

  test("waves of eight hours repeat, of two days as well", () => {
    const shape = (hour: number) => Math.sin((2 * Math.PI * hour) / 8);
    expect(periodOf(shape, 2, 1) / perDay).toBeCloseTo(1 / 3, 1);
  });
});

test("of a day that is no whole number of intervals, waves of eight hours are found", () => {
  const [intervalMs, period] = [7 * 60_000, (8 * HOUR) / (7 * 60_000)];
  const random = createRandom(4);
  const column = Float64Array.from(
    { length: 3 * 206 },
    (_, i) => Math.sin((2 * Math.PI * i) / period) + 0.1 * random.normal(),
  );
  expect(Math.abs(detectPeriod(column, { intervalMs }).period - period)).toBeLessThan(2);
});

test("a job of two hours a week is a season, two that are not a week apart are none", () => {
  const hours = (starts: readonly number[]) => {
    const random = createRandom(11);
    const runs = (i: number) => starts.some((start) => i >= start && i < start + 2);
    return Float64Array.from({ length: 6 * 168 }, (_, i) => (runs(i) ? 60 : 5) + 0.2 * random.normal());
  };
  const periodOf = (starts: readonly number[]) => detectPeriod(hours(starts), { intervalMs: HOUR }).period;
  expect(periodOf([0, 1, 2, 3, 4, 5].map((week) => 168 * week + 3))).toBe(168);
  expect(periodOf([100, 400, 650])).toBe(0);
});

test.each([
  ["nothing", () => 0],
  ["a constant", () => 5],
  ["a slope", (i: number) => 3 * i],
  ["a single spike", (i: number) => Number(i === 400)],
  ["a change of level", (i: number) => Number(i > 500)],
] as [string, (i: number) => number][])("%s does not repeat itself", (_name, value) => {
  expect(detectPeriod(Float64Array.from({ length: 1000 }, (_, i) => value(i)))).toEqual({
    period: 0,
    strength: 0,
  });
});

test("a missing or short series has no period", () => {
  expect(detectPeriod(new Float64Array(100).fill(Number.NaN)).period).toBe(0);
  expect(detectPeriod(Float64Array.of(1, 2, 1, 2)).period).toBe(0);
  expect(detectPeriod(new Float64Array(0)).period).toBe(0);
});

test.each([50, 100, 500, 2000])("noise of %p points has none, wandering series hardly ever", (length) => {
  let wandering = 0;
  for (let seed = 1; seed <= 40; seed++) {
    const random = createRandom(seed);
    const noise = Float64Array.from({ length }, () => random.normal());
    expect(detectPeriod(noise, { intervalMs: HOUR }).period).toBe(0);
    let level = 0;
    const walk = noise.map((value) => {
      level += value;
      return level;
    });
    wandering += Number(detectPeriod(walk, { intervalMs: HOUR }).period > 0);
  }
  expect(wandering).toBeLessThanOrEqual(2);
});

const MINUTE = 60_000;
const between = (length: number, intervalMs: number, noise: number) => {
  const random = createRandom(length);
  const valueAt = (i: number) => {
    const angle = (2 * Math.PI * i * intervalMs) / length;
    return 20 * Math.sin(angle) + 6 * Math.sin(2 * angle) + noise * random.normal();
  };
  return Float64Array.from({ length: 1440 }, (_, i) => valueAt(i));
};

describe.each([
  [7.5 * MINUTE, MINUTE],
  [37 * MINUTE, 5 * MINUTE],
  [53 * MINUTE, 5 * MINUTE],
  [66 * MINUTE, 5 * MINUTE],
  [20.6 * HOUR, HOUR],
  [12.42 * HOUR, HOUR],
])("a season of %p ms at every %p ms", (length, intervalMs) => {
  test.each([0, 0.5, 3])("with noise of %p is found as a whole number that it repeats after", (noise) => {
    const { period } = detectPeriod(between(length, intervalMs, noise), { intervalMs });
    const cycles = (period * intervalMs) / length;
    expect(period).toBeGreaterThan(0);
    expect(Math.abs(cycles - Math.round(cycles))).toBeLessThan(0.03);
  });
});

test("a season of a whole number of intervals is none of its multiples", () => {
  const periodOf = (minutes: number, noise: number) =>
    detectPeriod(between(minutes * MINUTE, MINUTE, noise), { intervalMs: MINUTE }).period;
  for (const noise of [0, 0.5, 3, 8])
    expect([10, 37, 50].map((minutes) => periodOf(minutes, noise))).toEqual([10, 37, 50]);
});

test.each([34, 35])("a year of %p months is too short for its season, and has no shorter one", (length) => {
  expect(detectPeriod(make("sine", 12, { length, noise: 0.1 })).period).toBe(0);
});

test("prefers a day to a period close to it", () => {
  const column = make("sine", 24, { length: 24 * 7, noise: 0.4 });
  expect(detectPeriod(column, { intervalMs: HOUR }).period).toBe(24);
});

test("labelled series of five minutes to an hour have the days that people see in them", async () => {
  const days = [
    "art_daily_no_noise",
    "art_daily_jumpsup",
    "nyc_taxi",
    "exchange-2",
    "occupancy_6005",
    "cpu4",
  ];
  const none = ["art_noisy", "ec2_cpu_utilization_24ae8d", "ec2_cpu_utilization_c6585a"];
  const all = await readFolder(join(import.meta.dir, "../../data/eval"));
  const periodOf = (name: string) => {
    const { values, step } = all.find((series) => series.name.includes(name))!;
    return (detectPeriod(values, { intervalMs: step * 1000 }).period * step * 1000) / DAY;
  };
  expect(days.map(periodOf)).toEqual(days.map(() => 1));
  expect(none.map(periodOf)).toEqual(none.map(() => 0));
});
