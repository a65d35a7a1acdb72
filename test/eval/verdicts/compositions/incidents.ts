// Incidents of compositions, strong enough that a person sees them in the drawn curve; pure.
//
// Half of the points of an incident are off by at least six deviations of the noise at that time of day, and by three
// tenths of the range of the series; a spike by twice the most that noise, and usual spikes, reach.

import type { Draw } from "../../draw.ts";
import type { Planted } from "../recipes/recipe.ts";
import type { Time, Usual } from "./usual.ts";

export interface Incident extends Planted {
  readonly name: string;
  /** The usual value during it; absent: that of the series. */
  readonly at?: (time: Time) => number;
  /** Times the usual noise; default: 1. */
  readonly noise?: number;
  /** Whether the value before it is recorded again and again. */
  readonly isStuck?: boolean;
}

/** Deviations of the noise, and share of the range of the series, by which half of the points are off. */
const MIN_DEVIATIONS = 6;
const MIN_SHARE = 0.3;
/** Points up to which it is a spike, which has to be this often as high as the highest usual one. */
const SPIKE_POINTS = 2;
const TIMES_USUAL = 2;
/** Points without noise, or with more of it, that are seen. */
const SEEN_POINTS = 40;
/** Share of the range that noise has to have to be seen. */
const SEEN_NOISE = 0.02;
const TRIES = 50;

/** Days of the test in which incidents begin. */
const FIRST_DAY = 1;
const LAST_DAY = 4;

type Drawn = Omit<Incident, "type" | "endsWithin">;
/** @returns undefined where a series does not show such an incident */
type Kind = (usual: Usual, draw: Draw) => Drawn | undefined;

/** An incident at a day of the test, of a kind that this series shows. @throws Error where there is none */
export function drawIncident(usual: Usual, draw: Draw): Incident {
  for (let k = 0; k < TRIES; k++) {
    const drawn = draw.pick(kinds)(usual, draw);
    if (!drawn) continue;
    const soon = Math.max(12, 3600 / usual.step);
    const incident = { ...drawn, endsWithin: drawn.noise ? 2 * soon : soon };
    if (!incident.at) return incident;
    const type = sideOf(usual, incident);
    if (type) return { ...incident, type };
  }
  throw new Error(`no incident of ${usual.name} is seen`);
}

/** The side on which it is seen; undefined: it is not, or its values are impossible. */
function sideOf(usual: Usual, { day, hour, minutes, at }: Drawn): Incident["type"] {
  const points = Math.max(1, Math.round((60 * minutes) / usual.step));
  const isShort = points <= SPIKE_POINTS;
  const most = isShort ? TIMES_USUAL * usual.noise.most : MIN_DEVIATIONS;
  const needed = Math.max(MIN_SHARE * usual.range, isShort ? TIMES_USUAL * usual.spike : 0);
  let [below, above] = [0, 0];
  for (let k = 0; k < points; k++) {
    const hours = 24 * day + hour + (k * usual.step) / 3600;
    const number = Math.floor(hours / 24);
    const time = { i: 0, day: number, hour: hours % 24, weekday: number % 7 };
    const [own, changed] = [usual.at(time), at!(time)];
    if (changed < usual.least) return undefined;
    const spread = Math.max(usual.noise.spreadOf(own), usual.noise.spreadOf(changed));
    if (Math.abs(changed - own) < Math.max(needed, most * spread)) continue;
    if (changed < own) below++;
    else above++;
  }
  if (2 * below >= points) return "low";
  return 2 * above >= points ? "high" : undefined;
}

const kinds: readonly Kind[] = [
  spike,
  extraJob,
  missingJob,
  (usual, draw) => level("lower level", -1, usual, draw),
  (usual, draw) => level("higher level", 1, usual, draw),
  dropToZero,
  drift,
  missedPeak,
  dip,
  stuck,
  moreNoise,
];

function spike(usual: Usual, draw: Draw): Drawn {
  const points = draw.pick([1, 2]);
  const noise = 1.1 * TIMES_USUAL * usual.noise.most * usual.noise.spreadOf(usual.top);
  const height = Math.max(draw.within(0.6, 2) * usual.range, noise, TIMES_USUAL * usual.spike);
  const sign = usual.least === 0 || draw.chance(0.5) ? 1 : -1;
  return {
    ...{ name: "spike", ...begin(usual, draw), minutes: (points * usual.step) / 60 },
    at: (time) => usual.at(time) + sign * height,
  };
}

function extraJob(usual: Usual, draw: Draw): Drawn | undefined {
  if (!usual.job) return undefined;
  const hour = hourOf(usual, draw, [8, 20]);
  const at = (time: Time) => usual.at(time, { runs: true });
  return { name: "job out of time", day: dayOf(usual, draw), hour, minutes: 60 * usual.job.hours, at };
}

function missingJob(usual: Usual, draw: Draw): Drawn | undefined {
  if (!usual.job) return undefined;
  const { from: hour, hours } = usual.job;
  const at = (time: Time) => usual.at(time, { runs: false });
  return { name: "missing job", day: dayOf(usual, draw), hour, minutes: 60 * hours, at };
}

function level(name: string, sign: number, usual: Usual, draw: Draw): Drawn {
  const height = sign * heightOf(usual, draw);
  return {
    ...{ name, ...begin(usual, draw), minutes: lasting(usual, draw, [2, 10], 6) },
    at: (time) => usual.at(time) + height,
  };
}

function dropToZero(usual: Usual, draw: Draw): Drawn {
  return {
    ...{ name: "drop to 0", ...begin(usual, draw), minutes: lasting(usual, draw, [0.5, 3], 3) },
    at: () => 0,
  };
}

/** It begins within the noise, so that its first points may be a piece of their own. */
function drift(usual: Usual, draw: Draw): Drawn {
  const height = (draw.chance(0.5) && usual.least !== 0 ? -2 : 2) * heightOf(usual, draw);
  const [day, hour] = [dayOf(usual, draw), hourOf(usual, draw, [0, 12])];
  const shareAt = (time: Time) => (24 * (time.day - day) + time.hour - hour) / 12;
  const at = (time: Time) => usual.at(time) + height * shareAt(time);
  return { name: "drift", day, hour, minutes: 12 * 60, pieces: 2, at };
}

function missedPeak(usual: Usual, draw: Draw): Drawn | undefined {
  if (!usual.day) return undefined;
  const [from, to] = usual.day.peak;
  const at = (time: Time) => usual.at(time, { hour: from - 1 });
  return { name: "missed peak", day: dayOf(usual, draw), hour: from, minutes: 60 * (to - from), at };
}

function dip(usual: Usual, draw: Draw): Drawn | undefined {
  if (!usual.day || usual.step > 900) return undefined;
  const [from, to] = usual.day.peak;
  const hour = hourOf(usual, draw, [from + 1, to - 3]);
  return {
    ...{ name: "dip by day", day: dayOf(usual, draw), hour, minutes: lasting(usual, draw, [0.5, 2], 3) },
    at: (time) => usual.at(time, { hour: 3 }),
  };
}

function stuck(usual: Usual, draw: Draw): Drawn | undefined {
  const { noise, range, top } = usual;
  if (!noise.isFine || noise.spreadOf(top) < SEEN_NOISE * range) return undefined;
  const minutes = lasting(usual, draw, [4, 8], SEEN_POINTS);
  return { name: "stuck", ...begin(usual, draw), minutes, isStuck: true };
}

/** Its first odd values may be few, with usual ones between them. */
function moreNoise(usual: Usual, draw: Draw): Drawn | undefined {
  const { noise, range, top } = usual;
  if (usual.spike > 0 || noise.spreadOf(top) < SEEN_NOISE * range) return undefined;
  const minutes = lasting(usual, draw, [2, 8], SEEN_POINTS);
  return { name: "more noise", ...begin(usual, draw), minutes, pieces: 3, noise: noise.most > 5 ? 6 : 4 };
}

function dayOf({ trainedDays }: Usual, draw: Draw): number {
  return trainedDays + Math.floor(draw.within(FIRST_DAY, LAST_DAY + 1));
}

/** Start of an interval. */
function hourOf({ step }: Usual, draw: Draw, [from, to]: readonly [number, number] = [0, 23]): number {
  return (Math.floor((draw.within(from, to) * 3600) / step) * step) / 3600;
}

function begin(usual: Usual, draw: Draw): Pick<Drawn, "day" | "hour"> {
  return { day: dayOf(usual, draw), hour: hourOf(usual, draw) };
}

/** Minutes, of some hours and of so many points at least. */
function lasting(
  { step }: Usual,
  draw: Draw,
  [least, most]: readonly [number, number],
  points: number,
): number {
  return Math.max((points * step) / 60, Math.round((draw.within(least, most) * 3600) / step) * (step / 60));
}

function heightOf(usual: Usual, draw: Draw): number {
  return Math.max(draw.within(0.3, 1) * usual.range, draw.within(6, 15) * usual.noise.spreadOf(usual.top));
}
