// Usual series drawn at random: a level, a day, a week, noise, and what disturbs them now and then; pure.
import type { Random } from "../../../../wasm/random.ts";
import { type Draw, drawOf } from "../../draw.ts";
import type { Moment } from "../recipes/recipe.ts";
import { drawNoise, type Noise } from "./noise.ts";

/** Time of an interval. */
export type Time = Pick<Moment, "i" | "day" | "hour" | "weekday">;

/** Shape of a day. */
interface Day {
  readonly name: string;
  /** 0..1 by hour. */
  readonly at: (hour: number) => number;
  /** Hours of its greatest peak. */
  readonly peak: readonly [from: number, to: number];
}

/** A job of each night. */
export interface Job {
  /** Hour of its start. */
  readonly from: number;
  readonly hours: number;
  readonly height: number;
}

export interface Usual {
  readonly name: string;
  /** Seconds. */
  readonly step: number;
  readonly trainedDays: number;
  readonly day: Day | undefined;
  readonly job: Job | undefined;
  readonly noise: Noise;
  /** Usual value by day. */
  readonly top: number;
  /** Least possible value. */
  readonly least: number;
  /** Highest usual spike; 0 without. */
  readonly spike: number;
  /** Value without noise; `hourOfDay`, `runs`: in place of its own. */
  readonly at: (time: Time, own?: { readonly hour?: number; readonly runs?: boolean }) => number;
  /** Distance from the least to the greatest usual value, noise included. */
  readonly range: number;
  /** What is recorded in place of a value: spikes, an outage, an earlier anomaly; NaN = missing. */
  readonly disturb: (value: number, time: Time, random: Random) => number;
}

const steps = [60, 300, 900, 3600] as const;
const bump = (hour: number, middle: number, width: number) => Math.exp(-(((hour - middle) / width) ** 2));
const edge = (hour: number, from: number, to: number, width: number) =>
  Math.max(0, Math.min(1, (hour - from) / width, (to - hour) / width));
const days: readonly Day[] = [
  { name: "wave", at: (hour) => (1 + Math.sin(((hour - 8) / 24) * 2 * Math.PI)) / 2, peak: [8, 20] },
  { name: "office hours", at: (hour) => edge(hour, 7, 19, 2), peak: [8, 18] },
  {
    name: "two peaks",
    at: (hour) => Math.min(1, 0.7 * bump(hour, 10, 2.5) + bump(hour, 19, 2)),
    peak: [16.5, 21.5],
  },
  { name: "plateau", at: (hour) => Number(hour >= 9 && hour < 21), peak: [9, 21] },
];

const weeks = [
  { name: "", at: () => 1 },
  { name: ", less at weekends", at: (weekday: number) => (weekday < 5 ? 1 : 0.6) },
  { name: ", flat weekends", at: (weekday: number) => Number(weekday < 5) },
] as const;

/** Measures: greatest level, and the share of it that is there at all times, at least and at most. */
const measures = [
  { name: "percent", level: [20, 60], base: [0.2, 0.8], least: 0 },
  { name: "bytes", level: [1e8, 1e10], base: [0.1, 0.8], least: 0 },
  { name: "seconds", level: [0.05, 2], base: [0.3, 0.8], least: 0 },
  { name: "counts", level: [20, 5000], base: [0.1, 0.8], least: 0 },
  { name: "decibels", level: [20, 40], base: [-4, -2], least: Number.NEGATIVE_INFINITY },
  { name: "around 0", level: [1, 100], base: [-0.6, -0.4], least: Number.NEGATIVE_INFINITY },
] as const;

/** Spikes of a training that are usual: so many, some a day at most, and a small share of its points. */
const LEAST_SPIKES = 30;
const MOST_A_DAY = 4;
const SPIKE_SHARE = 0.02;

export function drawUsual(random: Random): Usual {
  const draw = drawOf(random);
  const step = draw.pick(steps);
  const trainedDays = Math.round(step === 3600 ? draw.within(21, 42) : draw.within(14, 28));
  const measure = draw.pick(measures);
  const top = draw.power(measure.level[0], measure.level[1]);
  const share = draw.within(measure.base[0], measure.base[1]);
  const day = draw.chance(0.85) ? draw.pick(days) : undefined;
  const week = day ? draw.pick(weeks) : weeks[0];
  const [base, height] = day ? [top * share, top * (measure.least === 0 ? 1 - share : 1)] : [top, 0];
  const noise = drawNoise({ measure: measure.name, top, size: day ? height : Math.abs(top) }, draw);
  const job = draw.chance(0.25) ? drawJob(step, { height, spread: noise.spreadOf(top) }, draw) : undefined;
  const growth = draw.chance(0.2) && measure.least === 0 ? draw.within(-0.005, 0.01) : 0;
  const at: Usual["at"] = ({ day: number, hour, weekday }, own = {}) => {
    const runs = own.runs ?? (job !== undefined && isWithin(hour, job.from, job.hours));
    const usual = base + height * week.at(weekday) * (day?.at(own.hour ?? hour) ?? 0);
    return usual * (1 + growth * (number + hour / 24)) + (runs && job ? job.height : 0);
  };
  const range = Math.max(height, job?.height ?? 0) + 4 * noise.spreadOf(top);
  const disturbed = drawDisturbances(
    { trainedDays, step, range, spread: noise.spreadOf(top), ...measure },
    draw,
  );
  const names = [
    `${measure.name} around ${Number(top.toPrecision(2))}`,
    day ? `${day.name}${week.name}` : "no day",
    noise.name,
    job && `job of ${job.hours} h at ${job.from}`,
    growth !== 0 && `${(100 * growth).toFixed(1)} % a day`,
    ...disturbed.names,
  ];
  const name = names.filter(Boolean).join("; ");
  return { name, step, trainedDays, day, job, noise, top, least: measure.least, at, range, ...disturbed };
}

function drawJob(step: number, { height, spread }: { height: number; spread: number }, draw: Draw): Job {
  const hours = Math.max((2 * step) / 3600, draw.pick([0.5, 1, 2]));
  const from = draw.pick([0, 1, 2, 3, 4]);
  return { from, hours, height: Math.max(12 * spread, draw.within(0.5, 1.5) * height) };
}

interface Disturbed {
  readonly trainedDays: number;
  readonly step: number;
  readonly range: number;
  readonly spread: number;
  readonly least: number;
}

/** Usual spikes, missing points, an outage and an earlier anomaly, the latter two in the training. */
function drawDisturbances(
  { trainedDays, step, range, spread, least }: Disturbed,
  draw: Draw,
): Pick<Usual, "spike" | "disturb"> & { readonly names: readonly string[] } {
  const points = (trainedDays * 86_400) / step;
  const mostSpikes = Math.min(SPIKE_SHARE * points, MOST_A_DAY * trainedDays);
  const spikes = draw.chance(0.25) && mostSpikes > LEAST_SPIKES ? draw.within(LEAST_SPIKES, mostSpikes) : 0;
  const spike = spikes > 0 ? draw.within(0.5, 1.5) * range + 16 * spread : 0;
  const missing = draw.chance(0.2) ? draw.within(0.01, 0.1) : 0;
  const inTraining = (hours: number) => {
    const day = Math.floor(draw.within(3, trainedDays - 3));
    const from = 24 * day + draw.within(0, 24);
    return ({ day: number, hour }: Time) => isWithin(24 * number + hour, from, hours);
  };
  const lost = draw.chance(0.2) ? { by: draw.pick([Number.NaN, least === 0 ? 0 : Number.NaN]) } : undefined;
  const isLost = inTraining(draw.within(2, 12));
  const odd = draw.chance(0.2) ? (draw.chance(0.7) || least === 0 ? 1 : -1) * (10 * spread + 0.5 * range) : 0;
  const isOdd = inTraining(draw.within(2, 8));
  const names = [
    spikes > 0 && `${(spikes / trainedDays).toFixed(1)} spikes a day`,
    missing > 0 && `${(100 * missing).toFixed(0)} % missing`,
    lost && (Number.isNaN(lost.by) ? "nothing once" : "0 once"),
    odd !== 0 && "an earlier anomaly",
  ].filter((name) => name !== false && name !== undefined);
  const disturb: Usual["disturb"] = (value, time, random) => {
    const isSpike = random.uniform() < spikes / points;
    const height = spike * (0.7 + 0.3 * random.uniform());
    if (random.uniform() < missing) return Number.NaN;
    if (lost && isLost(time)) return lost.by;
    return value + (isSpike ? height : 0) + (odd !== 0 && isOdd(time) ? odd : 0);
  };
  return { spike, disturb, names };
}

/** Whether a time lies in a stretch of so long. */
function isWithin(time: number, from: number, length: number): boolean {
  return time >= from && time < from + length;
}
