// Recurrence rules of iCalendar (RFC 5545, 3.3.10): the starts of a rule within a range of wall-clock time; pure.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../time/time.ts";
import { dayOf, firstDayOf, hourOf, minuteOf, monthOf, secondOf, startOfWeek } from "./days.ts";
import { dayFilter } from "./rule-days.ts";
import type { Rule } from "./rule-parts.ts";

/** Days that are looked at for the price of one step. */
const DAYS_PER_STEP = 8;

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
  const end = Math.min(to, (rule.until ?? Infinity) + 1);
  const periods = periodsOf(rule, start);
  const starts: number[] = [];
  let counted = 0;
  let index = rule.count === undefined ? Math.max(0, periods.indexOf(from) - 1) : 0;
  for (; ; index = periods.next(index)) {
    const at = periods.startOf(index);
    if (at >= end || budget.left <= 0) return starts;
    budget.left--;
    for (const each of pick(periods.timesIn(index, budget), rule.positions)) {
      if (each < start) continue;
      if (each >= end || counted === rule.count) return starts;
      counted++;
      if (each >= from) starts.push(each);
    }
  }
}

/** Periods of a frequency, numbered from that of the start of the event. */
interface Periods {
  /** Start of a period. */
  startOf(index: number): number;
  /** Number of the last period that starts at or before a time. */
  indexOf(at: number): number;
  /** Number of the next period that may have starts. */
  next(index: number): number;
  /** Starts within a period, in order. */
  timesIn(index: number, budget: Budget): number[];
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
function timesOnDays(rule: Rule, start: number): (days: readonly number[], budget: Budget) => number[] {
  const matches = dayFilter(rule);
  const times = timesOf(rule, start);
  return (days, budget) => {
    const matching = days.filter(matches);
    budget.left -= days.length / DAYS_PER_STEP + matching.length * times.length;
    return matching.flatMap((day) => times.map((time) => day * DAY_MS + time));
  };
}

/** Periods of hours, minutes and seconds: those of a day, hour or minute that does not match are skipped as a whole. */
function clockPeriods(rule: Rule, start: number, unitMs: number): Periods {
  const { hours, minutes, seconds, interval } = rule;
  const stepMs = interval * unitMs;
  const origin = Math.floor(start / unitMs) * unitMs;
  const startOf = (index: number) => origin + index * stepMs;
  const matches = dayFilter(rule);
  const within = (list: readonly number[] | undefined, value: number) => !list || list.includes(value);
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
    timesIn: (index, budget) => {
      const at = startOf(index);
      if (!matches(dayOf(at)) || !within(hours, hourOf(at))) return [];
      if (unitMs <= MINUTE_MS && !within(minutes, minuteOf(at))) return [];
      if (unitMs === SECOND_MS) return within(seconds, secondOf(at)) ? [at] : [];
      const ofMinutes = unitMs === HOUR_MS ? sorted(minutes ?? [minuteOf(start)]) : [0];
      const ofSeconds = sorted(seconds ?? [secondOf(start)]);
      budget.left -= ofMinutes.length * ofSeconds.length - 1;
      return ofMinutes.flatMap((minute) =>
        ofSeconds.map((second) => at + minute * MINUTE_MS + second * SECOND_MS),
      );
    },
  };
}

/** Times of a day that BYHOUR, BYMINUTE and BYSECOND name, those of the start where they do not. */
function timesOf({ hours, minutes, seconds }: Rule, start: number): number[] {
  return sorted(hours ?? [hourOf(start)]).flatMap((hour) =>
    sorted(minutes ?? [minuteOf(start)]).flatMap((minute) =>
      sorted(seconds ?? [secondOf(start)]).map(
        (second) => hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS,
      ),
    ),
  );
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

/** Those of a period that BYSETPOS names, counted from its end where negative. */
function pick(times: readonly number[], positions: readonly number[] | undefined): readonly number[] {
  if (!positions) return times;
  const indexes = sorted(
    positions.map((position) => (position > 0 ? position - 1 : times.length + position)),
  );
  return indexes.filter((index) => index >= 0 && index < times.length).map((index) => times[index]!);
}

function sorted(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
