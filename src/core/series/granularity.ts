// Granularity of a series: step between points, by name or detected, and the interval of each point; pure.
import { invalid } from "../errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from "../time/time.ts";

const fixedMs = {
  secondly: SECOND_MS,
  minutely: MINUTE_MS,
  hourly: HOUR_MS,
  daily: DAY_MS,
  weekly: WEEK_MS,
} as const;
const calendarMonths = { monthly: 1, yearly: 12 } as const;
/** Granularities without timestamps: points count as evenly spaced; `microsecond` is finer than a timestamp. */
const unplaced = ["microsecond", "none"] as const;

export type Granularity = keyof typeof fixedMs | keyof typeof calendarMonths | (typeof unplaced)[number];

export const granularities: readonly Granularity[] = [
  "yearly",
  "monthly",
  "weekly",
  "daily",
  "hourly",
  "minutely",
  "secondly",
  "microsecond",
  "none",
];

/** Distance between one point and the next. */
export type Step =
  | { readonly kind: "fixed"; readonly ms: number }
  | { readonly kind: "months"; readonly months: number }
  /** Evenly spaced at an unknown distance. */
  | { readonly kind: "even" };

/** @param times whole number of granularities between points, 1 or more */
export function stepOf(granularity: Granularity, times: number): Step {
  if (granularity in fixedMs)
    return { kind: "fixed", ms: times * fixedMs[granularity as keyof typeof fixedMs] };
  if (granularity in calendarMonths)
    return { kind: "months", months: times * calendarMonths[granularity as keyof typeof calendarMonths] };
  return { kind: "even" };
}

/** The most frequent difference, the smallest among equally frequent ones. @param instants ascending, ms */
export function findStep(instants: readonly number[]): Step {
  const counts = new Map<number, number>();
  for (let i = 1; i < instants.length; i++) {
    const difference = instants[i]! - instants[i - 1]!;
    counts.set(difference, (counts.get(difference) ?? 0) + 1);
  }
  const [first] = [...counts].sort(([a, m], [b, n]) => n - m || a - b);
  return first ? { kind: "fixed", ms: first[0] } : { kind: "even" };
}

/** Share of irregular points above which the step does not fit the series. */
const MAX_IRREGULAR_SHARE = 0.1;
/** A point is irregular if it is off by more than this part of an interval. */
const MAX_DEVIATION = 0.25;

/**
 * The interval of each point, 0 = that of the first. Distances are rounded to whole steps, so days of 23 hours and late
 * points are accepted; missing points leave gaps.
 * @param instants ascending, ms
 * @param path of the list of points in error messages
 * @throws TorusError `invalid` naming the first point in the interval of its predecessor, or the first irregular one of
 *   too many
 */
export function placePoints(instants: readonly number[], step: Step, path = "series"): Int32Array {
  const places = new Int32Array(instants.length);
  let irregular = 0;
  let firstIrregular = 0;
  for (let i = 1; i < instants.length; i++) {
    const distance = distanceBetween(instants[i - 1]!, instants[i]!, step);
    const whole = Math.round(distance);
    if (whole < 1) {
      const way = `the points are to be ${describeStep(step)} apart: give the granularity or bucket_interval they have`;
      throw invalid(`${path}.${i}.timestamp`, `is too close to the one before it; ${way}`);
    }
    if (Math.abs(distance - whole) > MAX_DEVIATION && irregular++ === 0) firstIrregular = i;
    places[i] = places[i - 1]! + whole;
  }
  if (irregular > MAX_IRREGULAR_SHARE * instants.length) {
    const share = Math.round((100 * irregular) / instants.length);
    const way =
      "give the granularity or bucket_interval they have, or average them over even intervals first";
    throw invalid(
      `${path}.${firstIrregular}.timestamp`,
      `does not lie whole intervals of ${describeStep(step)} after the one before it, nor do ${share} % of the points; ${way}`,
    );
  }
  return places;
}

/** Distance in steps; whole numbers for months. */
function distanceBetween(beforeAt: number, at: number, step: Step): number {
  if (step.kind === "fixed") return (at - beforeAt) / step.ms;
  if (step.kind === "months") return (monthOf(at) - monthOf(beforeAt)) / step.months;
  return 1;
}

/** Months since the year 0, in UTC. */
function monthOf(at: number): number {
  const date = new Date(at);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

/**
 * The `count` instants after `lastAt`, ms; undefined if the distance is unknown. Months clamp to their last day: a month
 * after 31 January is the last day of February.
 */
export function nextInstants(lastAt: number, step: Step, count: number): number[] | undefined {
  if (step.kind === "even") return undefined;
  return Array.from({ length: count }, (_, k) =>
    step.kind === "fixed" ? lastAt + (k + 1) * step.ms : addMonths(lastAt, (k + 1) * step.months),
  );
}

function addMonths(at: number, months: number): number {
  const date = new Date(at);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const dayStart = Date.UTC(year, month, Math.min(date.getUTCDate(), lastDay));
  return dayStart + (at - Date.UTC(year, date.getUTCMonth(), date.getUTCDate()));
}

/** For messages: `5 minutes`, `1 month`. */
export function describeStep(step: Step): string {
  if (step.kind === "even") return "evenly";
  if (step.kind === "months") return count(step.months, "month");
  const units = [
    [DAY_MS, "day"],
    [HOUR_MS, "hour"],
    [MINUTE_MS, "minute"],
    [SECOND_MS, "second"],
  ] as const;
  const [ms, name] = units.find(([unit]) => step.ms % unit === 0) ?? [1, "millisecond"];
  return count(step.ms / ms, name);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
