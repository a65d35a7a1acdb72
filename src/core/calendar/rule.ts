// Recurrence rules of iCalendar (RFC 5545, 3.3.10): the starts of a rule within a range of wall-clock time; pure.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time/time.ts";
import { dayOf, firstDayOf, hourOf, minuteOf, monthOf, secondOf, startOfWeek } from "./days.ts";
import { dayFilter } from "./rule-days.ts";
import type { Rule } from "./rule-parts.ts";
import { firstFrom, pick, sorted, sumsOf, type Times } from "./times.ts";

/** Days that are looked at for the price of one step. */
export const DAYS_PER_STEP = 8;
/** Values of lists that a step looks at. */
export const VALUES_PER_STEP = 16;
const none = sumsOf([[]]);

/** Steps that may still be made. */
export interface Budget {
  left: number;
}

/** A range of wall-clock time; `to` exclusive. */
export interface WallRange {
  readonly from: number;
  readonly to: number;
}

/**
 * Starts of a rule, in order. Rules without COUNT begin near the range, not at the start of the event.
 * @param start of the event, wall-clock ms; supplies what the rule leaves open
 * @param budget ends the list early where it is used up; absent: `loadOf` bounds the work
 */
export function startsOf(
  rule: Rule,
  start: number,
  { from, to }: WallRange,
  budget: Budget = { left: Infinity },
): number[] {
  const { count = Infinity, until = Infinity, positions } = rule;
  const end = Math.min(to, until + 1);
  const first = count === Infinity ? Math.max(start, from) : start;
  const periods = periodsOf(rule, start);
  const starts: number[] = [];
  let counted = 0;
  let index = count === Infinity ? Math.max(0, periods.indexOf(from) - 1) : 0;
  for (; ; index = periods.next(index)) {
    if (periods.startOf(index) >= end || counted === count || budget.left <= 0) return starts;
    const all = periods.timesIn(index, budget);
    const times = positions ? pick(all, positions) : all;
    budget.left -= (positions?.length ?? 0) / VALUES_PER_STEP + (times.length === 0 ? 1 : 0);
    for (let i = firstFrom(times, first); i < times.length; i++) {
      const each = times.at(i);
      if (each >= end || counted === count || budget.left <= 0) return starts;
      budget.left--;
      counted++;
      if (each >= from) starts.push(each);
    }
  }
}

/** Number of the periods of a rule from its start to a time, wall-clock ms. */
export function periodsUntil(rule: Rule, start: number, at: number): number {
  return Math.max(0, periodsOf(rule, start).indexOf(at) + 1);
}

/** Periods of a frequency, numbered from that of the start of the event. */
interface Periods {
  /** Start of a period. */
  startOf(index: number): number;
  /** Number of the last period that starts at or before a time. */
  indexOf(at: number): number;
  /** Number of the next period that may have starts. */
  next(index: number): number;
  /** Starts within a period. */
  timesIn(index: number, budget: Budget): Times;
}

function periodsOf(rule: Rule, start: number): Periods {
  const { freq } = rule;
  if (freq === "HOURLY") return clockPeriods(rule, start, HOUR_MS);
  if (freq === "MINUTELY") return clockPeriods(rule, start, MINUTE_MS);
  if (freq === "SECONDLY") return clockPeriods(rule, start, SECOND_MS);
  const whole = withImplied(rule, start);
  if (freq === "DAILY" || freq === "WEEKLY") return dayPeriods(whole, start, freq === "DAILY" ? 1 : 7);
  return monthPeriods(whole, start, freq === "MONTHLY" ? 1 : 12);
}

/** @param length of a period, days */
function dayPeriods(rule: Rule, start: number, length: number): Periods {
  const day = dayOf(start);
  const origin = length === 1 ? day : startOfWeek(day, rule.weekStart);
  const step = rule.interval * length;
  const timesIn = timesOnDays(rule, start);
  return {
    startOf: (index) => (origin + index * step) * DAY_MS,
    indexOf: (at) => Math.floor((dayOf(at) - origin) / step),
    next: (index) => index + 1,
    timesIn: (index, budget) => {
      const first = origin + index * step;
      return timesIn(
        Array.from({ length }, (_, i) => first + i),
        budget,
      );
    },
  };
}

/** @param length of a period, months */
function monthPeriods(rule: Rule, start: number, length: number): Periods {
  const month = monthOf(start);
  const origin = length === 1 ? month : month - (month % 12);
  const step = rule.interval * length;
  const timesIn = timesOnDays(rule, start);
  return {
    startOf: (index) => firstDayOf(origin + index * step) * DAY_MS,
    indexOf: (at) => Math.floor((monthOf(at) - origin) / step),
    next: (index) => index + 1,
    timesIn: (index, budget) => {
      const first = origin + index * step;
      const months = Array.from({ length }, (_, i) => first + i);
      return timesIn(
        months.flatMap((each) => candidatesOf(rule, each)),
        budget,
      );
    },
  };
}

/** Days of a month that BYMONTH and BYMONTHDAY leave, in order. */
function candidatesOf({ months, monthDays }: Rule, month: number): number[] {
  if (months && !months.includes((month % 12) + 1)) return [];
  const first = firstDayOf(month);
  const length = firstDayOf(month + 1) - first;
  if (!monthDays) return Array.from({ length }, (_, i) => first + i);
  const numbers = sorted(monthDays.map((number) => (number > 0 ? number : length + 1 + number)));
  return numbers.filter((number) => number >= 1 && number <= length).map((number) => first + number - 1);
}

/** @returns a function from days in order to the starts on those that match */
function timesOnDays(rule: Rule, start: number): (days: readonly number[], budget: Budget) => Times {
  const matches = dayFilter(rule);
  const hours = toMs(rule.hours ?? [hourOf(start)], HOUR_MS);
  const [minutes, seconds] = withinHour(rule, start);
  return (days, budget) => {
    budget.left -= days.length / DAYS_PER_STEP;
    return sumsOf([days.filter(matches).map((day) => day * DAY_MS), hours, minutes, seconds]);
  };
}

/** What BYMINUTE and BYSECOND name, that of the start where they do not, in ms. */
function withinHour({ minutes, seconds }: Rule, start: number): readonly [number[], number[]] {
  return [toMs(minutes ?? [minuteOf(start)], MINUTE_MS), toMs(seconds ?? [secondOf(start)], SECOND_MS)];
}

function toMs(numbers: readonly number[], unitMs: number): number[] {
  return sorted(numbers).map((number) => number * unitMs);
}

/** Periods of hours, minutes and seconds: those of a day, hour or minute that does not match are skipped as a whole. */
function clockPeriods(rule: Rule, start: number, unitMs: number): Periods {
  const { hours, minutes, seconds, interval } = rule;
  const stepMs = interval * unitMs;
  const origin = Math.floor(start / unitMs) * unitMs;
  const startOf = (index: number) => origin + index * stepMs;
  const matches = dayFilter(rule);
  const within = (list: readonly number[] | undefined, value: number) => !list || list.includes(value);
  const [ofMinutes, ofSeconds] = withinHour(rule, start);
  return {
    startOf,
    indexOf: (at) => Math.floor((at - origin) / stepMs),
    next: (index) => {
      const at = startOf(index);
      const skipped = !matches(dayOf(at))
        ? DAY_MS
        : unitMs < HOUR_MS && !within(hours, hourOf(at))
          ? HOUR_MS
          : unitMs < MINUTE_MS && !within(minutes, minuteOf(at))
            ? MINUTE_MS
            : undefined;
      if (skipped === undefined) return index + 1;
      return Math.max(index + 1, Math.ceil(((Math.floor(at / skipped) + 1) * skipped - origin) / stepMs));
    },
    timesIn: (index) => {
      const at = startOf(index);
      if (!matches(dayOf(at)) || !within(hours, hourOf(at))) return none;
      if (unitMs <= MINUTE_MS && !within(minutes, minuteOf(at))) return none;
      if (unitMs === SECOND_MS) return within(seconds, secondOf(at)) ? sumsOf([[at]]) : none;
      return sumsOf(unitMs === HOUR_MS ? [[at], ofMinutes, ofSeconds] : [[at], ofSeconds]);
    },
  };
}

/** With the parts that the start of the event supplies. */
export function withImplied(rule: Rule, start: number): Rule {
  const { freq, months, weeks, yearDays, monthDays, weekdays } = rule;
  const isOpen = !yearDays && !monthDays && !weekdays;
  const date = new Date(start);
  if (!isOpen) return rule;
  if (freq === "WEEKLY" || (freq === "YEARLY" && weeks))
    return { ...rule, weekdays: [{ day: date.getUTCDay() }] };
  if (freq === "MONTHLY") return { ...rule, monthDays: [date.getUTCDate()] };
  if (freq === "YEARLY")
    return { ...rule, months: months ?? [date.getUTCMonth() + 1], monthDays: [date.getUTCDate()] };
  return rule;
}
