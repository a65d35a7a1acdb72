// Granularity of a series: step between points, by name or detected, and the interval of each point; pure.

import { localDayOf, type OffsetAt, utc } from "../calendar/wall-time.ts";
import { invalid } from "../errors.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from "../time/time.ts";
import {
  addMonths,
  addWorkdays,
  anchorMonths,
  findCalendarStep,
  isWorkday,
  type MonthsStep,
  monthsBetween,
  mostFrequent,
  type WorkdaysStep,
  workdaysBetween,
} from "./calendar-step.ts";
import { findLocalDays, instantOnDay } from "./local-days.ts";

const fixedMs = {
  secondly: SECOND_MS,
  minutely: MINUTE_MS,
  hourly: HOUR_MS,
  daily: DAY_MS,
  weekly: WEEK_MS,
} as const;
const calendarMonths = { monthly: 1, quarterly: 3, yearly: 12 } as const;
/** Granularities without timestamps: points count as evenly spaced; `microsecond` is finer than a timestamp. */
const unplaced = ["microsecond", "none"] as const;

export type Granularity =
  | keyof typeof fixedMs
  | keyof typeof calendarMonths
  | "workdays"
  | (typeof unplaced)[number];

export const granularities: readonly Granularity[] = [
  "yearly",
  "quarterly",
  "monthly",
  "weekly",
  "daily",
  "workdays",
  "hourly",
  "minutely",
  "secondly",
  "microsecond",
  "none",
];

/** Distance between one point and the next. */
export type Step = FixedStep | MonthsStep | WorkdaysStep | EvenStep;

/** `local`: whole days by the clock of a time zone, of 23 to 25 hours. */
interface FixedStep {
  readonly kind: "fixed";
  readonly ms: number;
  readonly local?: true;
}
/** Evenly spaced at an unknown distance. */
interface EvenStep {
  readonly kind: "even";
}

/** @param times whole number of granularities between points, 1 or more */
export function stepOf(granularity: Granularity, times: number): Step {
  if (granularity in fixedMs)
    return { kind: "fixed", ms: times * fixedMs[granularity as keyof typeof fixedMs] };
  if (granularity in calendarMonths)
    return { kind: "months", months: times * calendarMonths[granularity as keyof typeof calendarMonths] };
  return granularity === "workdays" ? { kind: "workdays" } : { kind: "even" };
}

/**
 * The step of the calendar, where all instants follow one; otherwise the most frequent difference, the smallest among
 * equally frequent ones.
 * @param instants ascending, ms
 * @param offsetAt of local time; absent: local time is UTC
 */
export function findStep(instants: readonly number[], offsetAt?: OffsetAt): Step {
  const days = findLocalDays(instants, offsetAt);
  const calendarStep = days && findCalendarStep(days);
  if (calendarStep) return calendarStep;
  // Days by the clock have 23 to 25 hours: they are counted as days.
  const ms = mostFrequent(differences(days?.map((day) => day * DAY_MS) ?? instants));
  if (ms === undefined) return { kind: "even" };
  return { kind: "fixed", ms, ...(days && offsetAt && { local: true }) };
}

function differences(ascending: readonly number[]): number[] {
  return ascending.slice(1).map((next, i) => next - ascending[i]!);
}

/** A given step, with the day of the month or the local clock that the instants follow. @param instants ascending, ms */
export function refineStep(step: Step, instants: readonly number[], offsetAt?: OffsetAt): Step {
  if (step.kind === "months") return anchorMonths(step, localDaysOf(instants, offsetAt));
  const isLocal = step.kind === "fixed" && step.ms % DAY_MS === 0 && offsetAt;
  return isLocal && findLocalDays(instants, offsetAt) ? { ...step, local: true } : step;
}

function localDaysOf(instants: readonly number[], offsetAt: OffsetAt = utc): number[] {
  return instants.map((at) => localDayOf(at, offsetAt));
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
export function placePoints(
  instants: readonly number[],
  step: Step,
  { path = "series", offsetAt }: { readonly path?: string; readonly offsetAt?: OffsetAt | undefined } = {},
): Int32Array {
  const places = new Int32Array(instants.length);
  let irregular = 0;
  let firstIrregular = 0;
  if (step.kind === "workdays") assertWorkdays(instants, path, offsetAt);
  for (let i = 1; i < instants.length; i++) {
    const distance = distanceBetween([instants[i - 1]!, instants[i]!], step, offsetAt);
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

/** Distance in steps; whole numbers for workdays. */
function distanceBetween(
  [beforeAt, at]: readonly [number, number],
  step: Step,
  offsetAt: OffsetAt = utc,
): number {
  if (step.kind === "fixed") return (at - beforeAt) / step.ms;
  if (step.kind === "even") return 1;
  const [before, day] = [localDayOf(beforeAt, offsetAt), localDayOf(at, offsetAt)];
  return step.kind === "months" ? monthsBetween(before, day) / step.months : workdaysBetween(before, day);
}

/** @throws TorusError `invalid` naming the first point at a weekend */
function assertWorkdays(instants: readonly number[], path: string, offsetAt: OffsetAt | undefined): void {
  const days = localDaysOf(instants, offsetAt);
  const i = days.findIndex((day) => !isWorkday(day));
  if (i < 0) return;
  const name = new Date(days[i]! * DAY_MS).toLocaleDateString("en", { weekday: "long", timeZone: "UTC" });
  const way = `leave out such points, give the granularity daily, or the timezone in which they are on workdays`;
  throw invalid(`${path}.${i}.timestamp`, `is on a ${name}${offsetAt ? "" : " in UTC"}: ${way}`);
}

/** The `count` instants after `lastAt`, ms; undefined if the distance is unknown. */
export function nextInstants(
  lastAt: number,
  step: Step,
  count: number,
  offsetAt?: OffsetAt,
): number[] | undefined {
  if (step.kind === "even") return undefined;
  return Array.from({ length: count }, (_, k) => instantAfter(lastAt, step, { count: k + 1, offsetAt }));
}

/** The instant that is `count` steps after `lastAt`, ms; NaN beyond the range of dates. */
export function instantAfter(
  lastAt: number,
  step: Exclude<Step, EvenStep>,
  { count, offsetAt = utc }: { readonly count: number; readonly offsetAt?: OffsetAt | undefined },
): number {
  if (step.kind === "months") return instantOnDay(lastAt, (day) => addMonths(day, step, count), offsetAt);
  if (step.kind === "workdays") return instantOnDay(lastAt, (day) => addWorkdays(day, count), offsetAt);
  if (!step.local) return lastAt + count * step.ms;
  return instantOnDay(lastAt, (day) => day + (count * step.ms) / DAY_MS, offsetAt);
}

/** For messages: `5 minutes`, `1 month`. */
export function describeStep(step: Step): string {
  if (step.kind === "even") return "evenly";
  if (step.kind === "workdays") return count(1, "workday");
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
