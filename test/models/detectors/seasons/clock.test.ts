// Clock: earlier days by local time, also across a change of the clock; shifts as large as the jobs need.
import { describe, expect, test } from "bun:test";
import {
  chooseEveryDays,
  chooseShift,
  clockDistances,
  lagsAt,
  lagsIn,
  lowestAround,
  lowestIn,
  lowestOf,
  mostShift,
} from "../../../../src/models/detectors/seasons/clock.ts";
import { createRandom } from "../../../../wasm/random.ts";

const HOUR = 3_600_000;

describe("lags", () => {
  test("are whole days, the nearest first, as far as windows reach", () => {
    expect(lagsAt(5000, { startAt: 0, intervalMs: 300_000 }).slice(0, 3)).toEqual([288, 576, 864]);
    expect(lagsAt(5000, { startAt: 0, intervalMs: 300_000 })).toHaveLength(13);
    expect(lagsAt(5000, { startAt: 0, intervalMs: 60_000 })).toEqual([1440, 2880]);
    expect(lagsAt(5000, { startAt: 0, intervalMs: HOUR })).toHaveLength(14);
  });

  test("keep local time where the clock changes", () => {
    const changeAt = 10 * 24 * HOUR;
    const offsetAt = (at: number) => (at < changeAt ? 2 * HOUR : HOUR);
    expect(lagsAt(10 * 24 + 12, { startAt: 0, intervalMs: HOUR, offsetAt }).slice(0, 2)).toEqual([25, 49]);
  });

  test("are none without days in the step", () => {
    expect(lagsAt(50, { startAt: 0, intervalMs: 12 * HOUR })).toEqual([]);
  });
});

/** Four days of a job at 12:00, each so many points late. */
function daysWith(...late: readonly number[]): (lag: number) => number {
  const perDay = 288;
  const values = new Float64Array(late.length * perDay);
  for (const [day, points] of late.entries()) values[day * perDay + 144 + points] = 8;
  // The course ends at 12:00 of the day that follows.
  const now = late.length * perDay + 144;
  return (lag) => values[now - lag] ?? Number.NaN;
}

const lags = [288, 576, 864, 1152];

describe("distances", () => {
  test("a job that is missing is far from every day at no shift, and near at one", () => {
    const found = clockDistances(lags, 2, { course: [0, 0, 0], earlier: daysWith(0, 0, 0, 0) })!;
    expect(found[0]!).toBeCloseTo(8 / Math.sqrt(3), 9);
    expect(found[1]!).toBeLessThan(0.1);
  });

  test("the same job is near one day of several", () => {
    const found = clockDistances(lags, 0, { course: [0, 0, 8], earlier: daysWith(3, 0, 3, 3) })!;
    expect(found[0]!).toBeLessThan(0.1);
  });

  test("one day is too few", () => {
    expect(clockDistances([288], 0, { course: [0, 0, 0], earlier: daysWith(0) })).toBeUndefined();
  });
});

describe("the shift", () => {
  test("is 0 where the oddest points are no odder than with any other", () => {
    expect(chooseShift([Float64Array.of(1, 1, 0.95), Float64Array.of(2, 1.9, 1.9)])).toBe(0);
  });

  test("is as large as the oddest points need", () => {
    const usual = Float64Array.of(1, 1, 1);
    expect(chooseShift([usual, usual, Float64Array.of(9, 8, 1)])).toBe(2);
  });

  test("is 0 where all points are nearer to the nearest of more, as noise is", () => {
    const usual = Float64Array.of(2.5, 1.5, 1);
    expect(chooseShift([usual, usual, Float64Array.of(9, 6, 4)])).toBe(0);
  });

  test("is at most an hour, and eight points", () => {
    expect([60_000, 300_000, 900_000, HOUR, 24 * HOUR].map(mostShift)).toEqual([8, 8, 4, 1, 0]);
  });
});

describe("lowest of earlier days", () => {
  const [lags, values] = [
    [10, 20, 30, 40, 50],
    new Map([
      [10, 5],
      [20, 3],
      [30, 8],
      [40, 1],
      [50, 4],
    ]),
  ];
  const earlier = (lag: number) => values.get(lag) ?? Number.NaN;

  test("leaves one day out: a job that did not run once", () => {
    expect(lowestOf(lags, { shift: 0 }, earlier)).toBe(3);
  });

  test("looks at all points by which a job may come early or late", () => {
    const around = (lag: number) => (lag === 29 || lag === 51 ? 0 : earlier(lag));
    expect(lowestOf(lags, { shift: 0 }, around)).toBe(3);
    expect(lowestOf(lags, { shift: 1 }, around)).toBe(0);
  });

  test("is not known of four days", () => {
    expect(lowestOf(lags.slice(1), { shift: 0 }, earlier)).toBeUndefined();
    expect(lowestOf(lags, { shift: 0 }, (lag) => (lag === 10 ? Number.NaN : earlier(lag)))).toBeUndefined();
  });
});

describe("lowest of earlier days in a training", () => {
  const random = createRandom(3);
  const values = Float64Array.from({ length: 400 }, (_, i) => (i % 13 === 0 ? Number.NaN : random.normal()));
  const lags = [24, 48, 72, 96, 120, 144, 168];

  test.each([
    { shift: 0 },
    { shift: 1 },
    { shift: 3, everyDays: 2 },
    { shift: 8 },
  ])("is that of each of its intervals, the first ones included: %p", (fit) => {
    const lowest = lowestIn(lowestAround(values, fit.shift), { ...fit, lagsAt: () => lags });
    for (let i = 0; i < values.length; i++)
      expect(lowest(i)).toBe(lowestOf(lags, fit, (lag) => values[i - lag] ?? Number.NaN));
  });
});

describe("days from one run of a job to the next", () => {
  const timeline = { startAt: 0, intervalMs: HOUR };
  const [lagsAt, random] = [lagsIn(timeline), createRandom(1)];
  const everyDays = (isHigh: (day: number, hour: number) => boolean) => {
    const z = Float64Array.from({ length: 28 * 24 }, (_, i) => {
      return (isHigh(Math.floor(i / 24), i % 24) ? 20 : 0) + random.normal();
    });
    return chooseEveryDays(z, { lagsAt, shift: 0, filled: z });
  };

  test("are two where values of every other day hold", () => {
    expect(everyDays((day, hour) => day % 2 === 0 && hour === 3)).toBe(2);
  });

  test.each<[string, (day: number, hour: number) => boolean]>([
    ["noise", () => false],
    ["a job of each night", (_, hour) => hour === 3],
    ["a shop that is closed on Sundays", (day, hour) => day % 7 !== 0 && hour >= 9 && hour < 18],
    ["a job of every third night", (day, hour) => day % 3 === 0 && hour === 3],
  ])("are one of %s", (_, isHigh) => expect(everyDays(isHigh)).toBe(1));

  test("leave the other days out", () => {
    const lags = Array.from({ length: 14 }, (_, k) => 10 * (k + 1));
    const earlier = (lag: number) => (lag % 20 === 0 ? 5 : 0);
    expect(lowestOf(lags, { shift: 0 }, earlier)).toBe(0);
    expect(lowestOf(lags, { shift: 0, everyDays: 2 }, earlier)).toBe(5);
  });
});
