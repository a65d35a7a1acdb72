// Load of a recurrence rule: upper bounds of its starts, and of the steps to find them, in any year; by its parts alone.
import { type Budget, startsOf, withImplied } from "./rule.ts";
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
const DAYS_PER_STEP = 8;
/** Values of lists that a step compares with. */
const VALUES_PER_STEP = 16;
/** Dates have four digits. */
export const END_OF_TIME = Date.UTC(10_000, 0, 1);
const YEARS = 10_000;

/** @param start of the event, wall-clock ms */
export function loadOf(given: Rule, start: number): RuleLoad {
  const rule = isByClock(given) ? given : withImplied(given, start);
  const { freq, interval, positions } = rule;
  const count = Math.min(periods[freq], Math.floor(periods[freq] / interval) + 1);
  const days = mostDays(rule, count);
  const made = isByClock(rule) ? mostByClock(rule, count, days) : days * timesOfDay(rule, [1, 1, 1]);
  const starts = positions ? Math.min(made, count * sizeOf(positions, 0)) : made;
  const looked = isByClock(rule)
    ? stepsByClock(rule, count, days)
    : daysLookedAt(rule, count) / DAYS_PER_STEP;
  return { starts, steps: Math.ceil(made + looked * (1 + valuesOf(rule) / VALUES_PER_STEP)) };
}

/**
 * A rule without COUNT, which UNTIL takes the place of: no year has to be counted from the start then.
 * @returns undefined where the budget is used up before the last start is found
 */
export function withoutCount(rule: Rule, start: number, budget: Budget): Rule | undefined {
  const { count, ...rest } = rule;
  if (count === undefined || count >= YEARS * loadOf(rule, start).starts) return rest;
  const last = startsOf(rule, start, { from: start, to: END_OF_TIME }, budget).at(-1);
  return budget.left <= 0 ? undefined : { ...rest, until: last ?? start - 1 };
}

function isByClock({ freq }: Rule): boolean {
  return freq === "HOURLY" || freq === "MINUTELY" || freq === "SECONDLY";
}

function sizeOf(list: readonly unknown[] | undefined, absent: number): number {
  return list?.length ?? absent;
}

/** Values of all lists that concern days. */
function valuesOf({ months, weeks, yearDays, monthDays, weekdays }: Rule): number {
  return [months, weeks, yearDays, monthDays, weekdays].reduce((sum, list) => sum + sizeOf(list, 0), 0);
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
