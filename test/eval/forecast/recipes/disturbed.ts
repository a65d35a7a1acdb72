// Recipes of a pattern whose newest points are missing, odd or a burst that fades, and that continues all the same.
import { makeRecipes, type Plan, type Recipe } from "./recipe.ts";
import { twoPeaks } from "./shapes.ts";
import { DAY, every, HOUR, MINUTE, utc } from "./timeline.ts";
import { ofSeason } from "./tolerance.ts";

const NOISE = 3;
const RANGE = 80;
/** In units of the noise. */
const SPIKE = 20;
const DAYS = 14;
const HOURS_OF_DAY = 24;

export function makeDisturbed(seed: number): Recipe[] {
  return makeRecipes("newest points missing or odd", seed, [
    disturb("ends 1 point early", { end: 1 }),
    disturb("ends 5 points early", { end: 5 }),
    disturb("points 2 to 5 from the end missing", { missing: (back) => back >= 2 && back <= 5 }),
    disturb("a day missing, two days ago", { missing: (back) => back > 48 && back <= 72 }),
    disturb("each 17th point missing", { missing: (back) => back % 17 === 3 }),
    disturb("spike as the last point", { spikes: [1] }),
    disturb("dip as the last point", { spikes: [1], sign: -1 }),
    disturb("spike as the third last point", { spikes: [3] }),
    disturb("spike as the last point, 15 min", { spikes: [1], minutes: 15 }),
    disturb("ten spikes over the days", { spikes: [7, 40, 61, 99, 130, 160, 201, 239, 270, 310] }),
    disturb("an outage of 2 h, over since 1 h", { outage: [1, 3] }),
    disturb("an outage of 6 h, 30 h ago", { outage: [30, 36] }),
    disturb("an outage of 60 h, over since 30 h", { outage: [30, 90] }),
    disturb("an outage of 3 d, over since 5 h", { outage: [5, 77] }),
    disturb("an outage of 5 h, over since 2 h", { outage: [2, 7] }),
    disturb("an outage of 1 h, over with the last point, 5 min", { outage: [1, 13], minutes: 5 }),
    disturb("an outage of 2 h, over since 15 min, 5 min", { outage: [3, 27], minutes: 5 }),
    disturb("an outage of 2 h, over since 3 h, 5 min", { outage: [36, 60], minutes: 5 }),
  ]);
}

/** A daily pattern that has stopped, at one value for a day or longer: it stays there. */
export function makeStopped(seed: number): Recipe[] {
  return makeRecipes("stopped", seed, [stop(1, 0), stop(2, 0), stop(3, 240), stop(7, 0)]);
}

function stop(days: number, value: number): Plan {
  const length = DAYS * HOURS_OF_DAY;
  return {
    name: `at ${value} for ${days} d`,
    at: every(HOUR),
    length,
    horizon: HOURS_OF_DAY,
    value: () => value,
    record: (own, i) =>
      i >= length - days * HOURS_OF_DAY ? own : 200 + RANGE * twoPeaks(utc(i * HOUR)) + (i % 7),
    tolerance: 1,
  };
}

/** Bursts that are a part of the way back to the usual level: the rest of it is known. */
export function makeBursts(seed: number): Recipe[] {
  return makeRecipes("burst that fades", seed, [
    burst("halves in 10 h, 12 h ago, 1 h", { step: HOUR, age: 12, half: 10, height: 400, range: RANGE }),
    burst("halves in 8 h, 24 h ago, 1 h", { step: HOUR, age: 24, half: 8, height: 500 }),
    burst("halves in 3 d, 10 d ago, 1 d", { step: DAY, age: 10, half: 3, height: 1000 }),
    burst("halves in 100 min, 3 h ago, 5 min", { step: 5 * MINUTE, age: 36, half: 20, height: 300 }),
    burst("recovers by half in 8 h, 14 h ago, 1 h", { step: HOUR, age: 14, half: 8, height: -150 }),
  ]);
}

interface Burst {
  readonly step: number;
  /** Points since its peak, and those in which it halves. */
  readonly age: number;
  readonly half: number;
  readonly height: number;
  /** Of the season of a day. */
  readonly range?: number;
}

/** Part of what is left of the burst: a share of its fall is not known from few points. */
const SHARE_LEFT = 0.15;

function burst(name: string, { step, age, half, height, range = 0 }: Burst): Plan {
  const length = 20 * age;
  const left = (points: number) => height * 0.5 ** (points / half);
  return {
    name,
    at: every(step),
    length,
    horizon: 24,
    value: (i, at) => {
      const since = i - length + age;
      return 200 + range * twoPeaks(utc(at)) + (since < 0 ? 0 : left(since));
    },
    noise: NOISE,
    tolerance:
      SHARE_LEFT * Math.abs(left(age)) + ofSeason({ range, noise: NOISE, cycles: (length * step) / DAY }),
    isUncertain: true,
  };
}

interface Disturbance {
  /** Points that the last day is short of. */
  readonly end?: number;
  /** Whether a point is missing, counted back from the last one, which is 1. */
  readonly missing?: (back: number) => boolean;
  readonly spikes?: readonly number[];
  readonly sign?: 1 | -1;
  /** Points at zero, counted back. */
  readonly outage?: readonly [from: number, to: number];
  readonly minutes?: number;
}

function disturb(name: string, disturbance: Disturbance): Plan {
  const { end = 0, missing, spikes = [], sign = 1, outage, minutes = 60 } = disturbance;
  const step = minutes * MINUTE;
  const perDay = DAY / step;
  const length = DAYS * perDay - end;
  return {
    name,
    at: every(step),
    length,
    horizon: (24 * HOUR) / step,
    value: (_, at) => 200 + RANGE * twoPeaks(utc(at)),
    noise: NOISE,
    record: (value, i) => {
      const back = length - i;
      if (back < 1) return value;
      if (missing?.(back)) return Number.NaN;
      if (outage && back > outage[0] && back <= outage[1]) return 0;
      return spikes.includes(back) ? value + sign * SPIKE * NOISE : value;
    },
    tolerance: ofSeason({ range: RANGE, noise: NOISE, cycles: DAYS }),
  };
}
