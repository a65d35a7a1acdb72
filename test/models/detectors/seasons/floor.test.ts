// Floor of a series, and runs at it or away from it: sign-ups that stop in the evening, water that flows all night.
import { describe, expect, test } from "bun:test";
import { fitFloor, floorDecades, isAtFloor } from "../../../../src/models/detectors/seasons/floor.ts";
import { automaticThresholds } from "../../../../src/models/scoring/score.ts";
import { createRandom, type Random } from "../../../../wasm/random.ts";
import { DAY, HOUR, MINUTE, raisedOf } from "../raised.ts";

/** Counts of sign-ups: next to none at night, three a quarter of an hour or less at half past eight in the evening. */
function signUps(seed: number, intervalMs: number, days: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length: (days * DAY) / intervalMs }, (_, i) => {
    const hour = ((i * intervalMs) % DAY) / HOUR;
    const usual = 0.05 + 3 * Math.exp(-((hour - 20.5) ** 2) / 5) + Math.exp(-((hour - 8) ** 2) / 3);
    return countOf(random, usual * Math.max(1, intervalMs / (15 * MINUTE)));
  });
}

/** A count of a Poisson distribution. */
function countOf(random: Random, mean: number): number {
  let count = 0;
  for (let rest = Math.exp(-mean), u = random.uniform(); u > rest && count < 99; count++)
    rest += (Math.exp(-mean) * mean ** (count + 1)) / factorial(count + 1);
  return count;
}

function factorial(n: number): number {
  return n < 2 ? 1 : n * factorial(n - 1);
}

describe("floor", () => {
  const intervalMs = 5 * MINUTE;
  const timeline = { startAt: 0, intervalMs };
  const counts = signUps(1, intervalMs, 28);

  test("is the least value, with its share by the time of day", () => {
    const floor = fitFloor(counts, timeline, 1)!;
    expect(floor.value).toBe(0);
    const at = (hour: number, atFloor: boolean) =>
      floorDecades(floor, (hour * HOUR) / intervalMs, { timeline, atFloor });
    expect([at(3, true), at(20.5, false)].every((decades) => decades < 0.1)).toBeTrue();
    expect([at(20.5, true), at(3, false)].every((decades) => decades > 1)).toBeTrue();
    expect([isAtFloor(floor, 0, 1), isAtFloor(floor, 1, 1)]).toEqual([true, false]);
  });

  test("is the lower level of pulses with noise, and what is halfway to the other is above it", () => {
    const random = createRandom(1);
    const pulses = counts.map((_, i) => (i % 8 < 3 ? 120 : 4) + random.normal());
    const floor = fitFloor(pulses, timeline, 56)!;
    expect([Math.round(floor.value), Math.round(floor.middle!)]).toEqual([4, 62]);
    expect([isAtFloor(floor, 9, 56), isAtFloor(floor, 100, 56)]).toEqual([true, false]);
    expect(floorDecades(floor, 0, { timeline, atFloor: false })).toBeWithin(0.3, 0.6);
  });

  test("levels that the time of day tells are no pulses", () => {
    const random = createRandom(1);
    const office = counts.map((_, i) => (i % 288 < 120 ? 120 : 4) + random.normal());
    expect(fitFloor(office, timeline, 56)?.middle).toBeUndefined();
  });

  test.each<[string, Float64Array]>([
    ["values that never come twice, far from 0", Float64Array.from(counts, (_, i) => 50 + Math.sin(i))],
    ["values that never come twice, on both sides of 0", Float64Array.from(counts, (_, i) => Math.sin(i))],
    ["a series that is nearly always at it", Float64Array.from(counts, (_, i) => Number(i % 100 === 0))],
    ["less than a week", counts.subarray(0, (6 * DAY) / intervalMs)],
  ])("none of %s", (_, column) => expect(fitFloor(column, timeline, 1)).toBeUndefined());
});

/** Hours from which on a series is changed, and the hours in which it is raised on that day. */
interface Incident {
  readonly day: number;
  readonly from: number;
  readonly hours: number;
  readonly change: (value: number) => number;
}

const stops = () => 0;

function raisedWith(usual: Float64Array, intervalMs: number, incident?: Incident): string[] {
  const column = usual.map((value, i) => {
    if (!incident) return value;
    const since = i * intervalMs - incident.day * DAY - incident.from * HOUR;
    return since >= 0 && since < incident.hours * HOUR ? incident.change(value) : value;
  });
  const thresholds = automaticThresholds(intervalMs, {});
  return raisedOf({ column, trainedDays: 28, intervalMs, thresholds });
}

describe.each([5 * MINUTE, 15 * MINUTE, HOUR])("every %i ms", (intervalMs) => {
  test.each([1, 2, 3])("sign-ups that stop in the evening are missed (seed %p)", (seed) => {
    const usual = signUps(seed, intervalMs, 35);
    const [silent, stopped] = [
      raisedWith(usual, intervalMs),
      raisedWith(usual, intervalMs, { day: 31, from: 19, hours: 3, change: stops }),
    ];
    const isStop = (hour: string) => /^04T(19|20|21)$/.test(hour);
    expect(silent.filter(isStop)).toEqual([]);
    expect(stopped.some(isStop)).toBeTrue();
    expect(silent.length).toBeLessThan(8);
  });

  test.each([1, 2])("a shop that is closed on Sundays is missed on a Saturday (seed %p)", (seed) => {
    // The range begins on a Sunday.
    const isClosed = (i: number) => Math.floor((i * intervalMs) / DAY) % 7 === 0;
    const usual = signUps(seed, intervalMs, 42).map((value, i) => (isClosed(i) ? 0 : value));
    const isStop = (hour: string) => /^07T(19|2)/.test(hour);
    const [silent, stopped] = [
      raisedWith(usual, intervalMs),
      raisedWith(usual, intervalMs, { day: 34, from: 18.5, hours: 4, change: stops }),
    ];
    expect(stopped.some((hour) => isStop(hour) && !silent.includes(hour))).toBeTrue();
  });
});

describe("requests, four to ten in five minutes", () => {
  const intervalMs = 5 * MINUTE;
  const requests = (seed: number) => {
    const random = createRandom(seed);
    return Float64Array.from({ length: (35 * DAY) / intervalMs }, (_, i) =>
      countOf(random, 7 - 3 * Math.cos(((i * intervalMs) / DAY) * 2 * Math.PI)),
    );
  };

  test.each([
    1, 2, 3,
  ])("stop for an hour by day: none came in one of a hundred intervals (seed %p)", (seed) => {
    const usual = requests(seed);
    const stopped = raisedWith(usual, intervalMs, { day: 31, from: 14, hours: 1, change: stops });
    expect(raisedWith(usual, intervalMs).filter((hour) => hour === "04T14")).toEqual([]);
    expect(stopped.filter((hour) => hour === "04T14").length).toBeGreaterThan(0);
  });

  test("have their floor, also where it is had seldom", () => {
    const timeline = { startAt: 0, intervalMs };
    const [counts, few] = [requests(1), requests(1).map((count) => Math.max(count, 1))];
    expect(fitFloor(counts, timeline, 3)?.value).toBe(0);
    few[100] = 0;
    expect(fitFloor(few, timeline, 3)).toMatchObject({ value: 0 });
    expect(fitFloor(few, timeline, 3)?.least).toBeUndefined();
  });
});

describe("revenue that is never 0, and differs by shares, every hour", () => {
  const intervalMs = HOUR;
  const revenue = (seed: number) => {
    const random = createRandom(seed);
    return Float64Array.from({ length: 35 * 24 }, (_, i) => {
      const level = 55 - 50 * Math.cos(((i - 2) / 12) * Math.PI);
      return level * Math.exp(0.4 * random.normal());
    });
  };
  const hours = (from: number, to: number) => (hour: string) =>
    hour.startsWith("04T") && Number(hour.slice(3)) >= from && Number(hour.slice(3)) < to;

  test.each([1, 2, 3])("stops by day: missed from its second hour on (seed %p)", (seed) => {
    const usual = revenue(seed);
    const stopped = raisedWith(usual, intervalMs, { day: 31, from: 11, hours: 4, change: stops });
    expect(raisedWith(usual, intervalMs).filter(hours(10, 16))).toEqual([]);
    expect(stopped.filter(hours(11, 15))[0]).toBe("04T12");
  });

  test("a single 0 is none, and neither is one that values have come to step by step", () => {
    const usual = revenue(1);
    const least = Math.min(...usual);
    const falls = { day: 31, from: 11, hours: 6 };
    let steps = 0;
    const evenly = () => Math.max(0, least * (0.6 - 0.2 * steps++));
    const raisedBy = (change: () => number, lasting: number) =>
      raisedWith(usual, intervalMs, { ...falls, hours: lasting, change }).filter(hours(11, 17));
    expect(raisedBy(stops, 1)).toEqual([]);
    expect(raisedBy(evenly, 6)).toEqual([]);
  });
});

describe.each([5 * MINUTE, 15 * MINUTE])("water every %i ms", (intervalMs) => {
  /** Taps of a house: hardly any at night. */
  function water(seed: number): Float64Array {
    const random = createRandom(seed);
    return Float64Array.from({ length: (35 * DAY) / intervalMs }, (_, i) => {
      const hour = ((i * intervalMs) % DAY) / HOUR;
      const awake = Math.exp(-((hour - 7) ** 2) / 2) + Math.exp(-((hour - 19) ** 2) / 4);
      return random.uniform() < 0.02 + 0.3 * awake ? 2 + 6 * random.uniform() : 0;
    });
  }

  test.each([1, 2, 3])("flows a little all night: a leak (seed %p)", (seed) => {
    const isNight = (hour: string) => /^01T0[0-5]$/.test(hour);
    const usual = water(seed);
    const leak = { day: 28, from: 0, hours: 6, change: (value: number) => value + 0.4 };
    expect(raisedWith(usual, intervalMs).filter(isNight)).toEqual([]);
    expect(raisedWith(usual, intervalMs, leak).some(isNight)).toBeTrue();
  });
});
