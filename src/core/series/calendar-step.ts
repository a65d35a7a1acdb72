// Steps of the calendar: months, quarters and years at one day of the month, and workdays, found in days; pure.
import { DAY_MS } from "../time/time.ts";

/** `day`: day of the month, the last one of months that lack it; absent: that of the last point. */
export interface MonthsStep {
  readonly kind: "months";
  readonly months: number;
  readonly day?: number;
}
/** Monday to Friday. */
export interface WorkdaysStep {
  readonly kind: "workdays";
}

/** Fewer points show no habit. */
const MIN_MONTHS = 3;
const MIN_WORKDAYS = 10;
/** Share of the workdays between the first and the last point that must be there. */
const MIN_WORKDAYS_SHARE = 0.8;
/** Days that each month has, and the most. */
const MIN_MONTH_DAYS = 28;
const MAX_MONTH_DAYS = 31;
const WEEK_DAYS = 7;
const WORKDAYS = 5;
/** Day since the epoch that is a Monday. */
const MONDAY = 4;

/** The step of the calendar that all days follow; undefined if there is none. @param days since the epoch, ascending */
export function findCalendarStep(days: readonly number[]): MonthsStep | WorkdaysStep | undefined {
  return findMonths(days) ?? (areWorkdays(days) ? { kind: "workdays" } : undefined);
}

function findMonths(days: readonly number[]): MonthsStep | undefined {
  if (days.length < MIN_MONTHS) return undefined;
  const day = commonDayOf(days);
  if (day === undefined) return undefined;
  const distances = days.slice(1).map((next, i) => monthOf(next) - monthOf(days[i]!));
  const least = Math.min(...distances);
  if (least < 1) return undefined;
  const isMultiple = distances.every((distance) => distance % least === 0);
  return withDay({ kind: "months", months: isMultiple ? least : mostFrequent(distances)! }, day);
}

/** A step of months with the day of the month that the days have in common. */
export function anchorMonths(step: MonthsStep, days: readonly number[]): MonthsStep {
  return withDay(step, commonDayOf(days));
}

/** Only a day that some months lack is part of a step. */
function withDay(step: MonthsStep, day: number | undefined): MonthsStep {
  return day !== undefined && day > MIN_MONTH_DAYS ? { ...step, day } : step;
}

/** The day of the month of all days, or the last one of months that lack it; that of ends of months is 31. */
function commonDayOf(days: readonly number[]): number | undefined {
  const isEveryOne = (day: number) => days.every((each) => dateOf(each) === Math.min(day, lastDateOf(each)));
  const latest = Math.max(...days.map(dateOf));
  return [MAX_MONTH_DAYS, latest].find(isEveryOne);
}

/** Workdays, most of those in their range; a range of so many holds a weekend. */
function areWorkdays(days: readonly number[]): boolean {
  if (days.length < MIN_WORKDAYS || !days.every(isWorkday)) return false;
  const spanned = workdaysBetween(days[0]!, days.at(-1)!) + 1;
  return days.length >= MIN_WORKDAYS_SHARE * spanned && days.every((day, i) => i === 0 || day > days[i - 1]!);
}

/** @param day since the epoch */
export function isWorkday(day: number): boolean {
  return modulo(day - MONDAY, WEEK_DAYS) < WORKDAYS;
}

/** Distance in workdays; a weekend is at the place of the Monday after it. */
export function workdaysBetween(before: number, day: number): number {
  return workdayIndexOf(day) - workdayIndexOf(before);
}

function workdayIndexOf(day: number): number {
  const sinceMonday = modulo(day - MONDAY, WEEK_DAYS);
  return (WORKDAYS * (day - MONDAY - sinceMonday)) / WEEK_DAYS + Math.min(WORKDAYS, sinceMonday);
}

/** Distance in months of the calendar. */
export function monthsBetween(before: number, day: number): number {
  return monthOf(day) - monthOf(before);
}

/** The day that is `count` workdays later. */
export function addWorkdays(day: number, count: number): number {
  const index = workdayIndexOf(day) + count - (isWorkday(day) ? 0 : 1);
  const sinceMonday = modulo(index, WORKDAYS);
  return MONDAY + (WEEK_DAYS * (index - sinceMonday)) / WORKDAYS + sinceMonday;
}

/** The day that is `count` steps later. */
export function addMonths(
  day: number,
  { months, day: anchor = dateOf(day) }: MonthsStep,
  count: number,
): number {
  const date = new Date(day * DAY_MS);
  const first = Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count * months, 1) / DAY_MS;
  return first + Math.min(anchor, lastDateOf(first)) - 1;
}

/** Day of the month. */
function dateOf(day: number): number {
  return new Date(day * DAY_MS).getUTCDate();
}

function lastDateOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
}

/** Months since the year 0. */
function monthOf(day: number): number {
  const date = new Date(day * DAY_MS);
  return 12 * date.getUTCFullYear() + date.getUTCMonth();
}

/** The most frequent number, the smallest among equally frequent ones; undefined of none. */
export function mostFrequent(numbers: readonly number[]): number | undefined {
  const counts = new Map<number, number>();
  for (const number of numbers) counts.set(number, (counts.get(number) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || a - b)[0]?.[0];
}

function modulo(value: number, divisor: number): number {
  return ((value % divisor) + divisor) % divisor;
}
