// Load of a recurrence rule: upper bounds of its starts, and of the steps to find them, in any year; by its parts alone.
import { SECOND_MS } from "../time/time.ts";
import { dayOf } from "./days.ts";
import { type Budget, DAYS_PER_STEP, periodsUntil, startsOf, VALUES_PER_STEP, withImplied } from "./rule.ts";
import type { Rule, WeekdayRule } from "./rule-parts.ts";

export interface RuleLoad {
  /** Starts in a year. */
  readonly starts: number;
  /** Steps to find them, about a microsecond each. */
  readonly steps: number;
}

/** Periods in a year. */
const periods = {
  YEARLY: 1,
  MONTHLY: 12,
  WEEKLY: 54,
  DAILY: 366,
  HOURLY: 366 * 24,
  MINUTELY: 366 * 24 * 60,
  SECONDLY: 366 * 24 * 3600,
} as const;
/** Dates have four digits. */
const END_OF_TIME = Date.UTC(10_000, 0, 1);
const YEARS = 10_000;

/**
 * COUNT and UNTIL bound the starts. The steps of a rule with COUNT are those of `withoutCount`, and not part of its load.
 * @param start of the event, wall-clock ms
 * @param years in place of one year; may have a fraction
 */
export function loadOf(given: Rule, start: number, years = 1): RuleLoad {
  const rule = isByClock(given) ? given : withImplied(given, start);
  const { freq, interval, positions, count = Infinity, until = END_OF_TIME } = rule;
  const most = { periods: periodsUntil(rule, start, until), days: dayOf(until) - dayOf(start) + 1 };
  const inYear = Math.min(periods[freq], Math.floor(periods[freq] / interval) + 1, most.periods);
  const days = Math.max(0, Math.min(mostDays(rule, inYear), most.days));
  const ofDays = isByClock(rule) ? mostByClock(rule, inYear, days) : days * timesOfDay(rule, [1, 1, 1]);
  const made = positions ? Math.min(ofDays, inYear * sizeOf(positions, 0)) : ofDays;
  // Those of one second are one.
  const seconds = Math.max(0, Math.floor((until - start) / SECOND_MS) + 1);
  const starts = Math.min(made * years, seconds, count);
  if (count !== Infinity) return { starts, steps: starts };
  const looked = isByClock(rule)
    ? stepsByClock(rule, inYear, days)
    : daysLookedAt(rule, inYear) / DAYS_PER_STEP;
  return { starts, steps: Math.ceil(starts + looked * years * (1 + valuesOf(rule) / VALUES_PER_STEP)) };
}

/**
 * A rule without COUNT, which UNTIL takes the place of: no year has to be counted from the start then.
 * @returns undefined where the budget is used up before the last start is found
 */
export function withoutCount(rule: Rule, start: number, budget: Budget): Rule | undefined {
  const { count, ...rest } = rule;
  if (count === undefined || count >= YEARS * loadOf(rest, start).starts) return rest;
  const last = startsOf(rule, start, { from: start, to: END_OF_TIME }, budget).at(-1);
  return budget.left <= 0 ? undefined : { ...rest, until: last ?? start - 1 };
}

function isByClock({ freq }: Rule): boolean {
  return freq === "HOURLY" || freq === "MINUTELY" || freq === "SECONDLY";
}

function sizeOf(list: readonly unknown[] | undefined, absent: number): number {
  return list?.length ?? absent;
}

/** Values of the lists that are looked through for each day or period. */
function valuesOf({ months, weeks, yearDays, monthDays, weekdays, positions }: Rule): number {
  const lists = [months, weeks, yearDays, monthDays, weekdays, positions];
  return lists.reduce((sum, list) => sum + sizeOf(list, 0), 0);
}

/** Times that BYHOUR, BYMINUTE and BYSECOND name. @param absent their numbers where they are not there */
function timesOfDay({ hours, minutes, seconds }: Rule, absent: readonly [number, number, number]): number {
  return sizeOf(hours, absent[0]) * sizeOf(minutes, absent[1]) * sizeOf(seconds, absent[2]);
}

/** Days of a year that the parts leave. */
function mostDays({ freq, months, weeks, yearDays, monthDays, weekdays }: Rule, count: number): number {
  const inMonths = sizeOf(months, 12);
  const isMonthly = freq === "MONTHLY" || (freq === "YEARLY" && months !== undefined);
  const hasNth = freq === "MONTHLY" || (freq === "YEARLY" && weeks === undefined);
  const ofWeekday = ({ nth }: WeekdayRule) => (nth === undefined || !hasNth ? 53 : isMonthly ? inMonths : 1);
  const inWeek = new Set(weekdays?.map(({ day }) => day)).size;
  return Math.min(
    31 * inMonths,
    366,
    freq === "DAILY"
      ? count
      : freq === "WEEKLY"
        ? count * (inWeek || 7)
        : freq === "MONTHLY"
          ? count * 31
          : 366,
    monthDays ? inMonths * monthDays.length : 366,
    yearDays ? yearDays.length : 366,
    // The first week of the next year may begin in this one.
    weeks ? 7 * weeks.length + 7 : 366,
    weekdays ? weekdays.reduce((sum, weekday) => sum + ofWeekday(weekday), 0) : 366,
  );
}

/** Days that are looked at in a year. */
function daysLookedAt({ freq, months, monthDays }: Rule, count: number): number {
  if (freq === "DAILY") return count;
  if (freq === "WEEKLY") return 7 * count;
  return 12 + sizeOf(months, 12) * sizeOf(monthDays, 31);
}

function mostByClock(rule: Rule, count: number, days: number): number {
  const { freq, minutes, seconds } = rule;
  if (freq === "HOURLY")
    return (
      Math.min(count, days * timesOfDay({ ...rule, minutes: [0], seconds: [0] }, [24, 1, 1])) *
      sizeOf(minutes, 1) *
      sizeOf(seconds, 1)
    );
  if (freq === "MINUTELY")
    return Math.min(count, days * timesOfDay({ ...rule, seconds: [0] }, [24, 60, 1])) * sizeOf(seconds, 1);
  return Math.min(count, days * timesOfDay(rule, [24, 60, 60]));
}

/** Hours, minutes and seconds that are looked at: those within days, hours and minutes that match. */
function stepsByClock({ freq, hours, minutes }: Rule, count: number, days: number): number {
  const ofHours = Math.min(count, days * 24);
  const ofMinutes = freq === "HOURLY" ? 0 : Math.min(count, days * sizeOf(hours, 24) * 60);
  const ofSeconds =
    freq === "SECONDLY" ? Math.min(count, days * sizeOf(hours, 24) * sizeOf(minutes, 60) * 60) : 0;
  return Math.min(count, 366) + ofHours + ofMinutes + ofSeconds;
}
