// Classes of days whose usual values differ, chosen by the error over weeks that are held out; pure.
import { type DayRow, type DayTable, usualDay } from "./day-table.ts";
import { isWeekend, weekdayOf } from "./local-day.ts";

/** Distinctions of days: none, workdays and weekends, or each day of the week. */
export const dayClasses = ["none", "workday", "weekday"] as const;
export type DayClasses = (typeof dayClasses)[number];

const WEEK = 7;
const MIN_WEEKS = 2;
/** Weeks at the end of a range that are learned from, and those that are held out in turn. */
const MAX_WEEKS = 26;
const MAX_FOLDS = 8;
/**
 * Largest share of the error without classes at which they pay, and least share of the weeks that agree: a smaller gain
 * does not make up for the noise of effects that are medians of few days.
 */
const MAX_ERROR_SHARE = 0.6;
const MIN_AGREEMENT = 0.75;
/** Largest share of the error of workdays and weekends at which each day of the week pays. */
const MAX_WEEKDAY_SHARE = 0.8;
/** Least number of days of a month that are learned from. */
const MIN_MONTH_DAYS = 3;

/** Whether holidays are as days of their weekday, or as the last class: weekends, or Sundays. */
export const holidayRules = ["weekday", "weekend"] as const;
export type HolidayRule = (typeof holidayRules)[number];

export interface ClassRules {
  readonly days: DayClasses;
  readonly holidays: HolidayRule;
}

/** Number of classes. */
export function countClasses(days: DayClasses): number {
  return { none: 1, workday: 2, weekday: WEEK }[days];
}

/** Class of a day, from 0. */
export function classOf({ days, holidays }: ClassRules, { day, isHoliday }: Omit<DayRow, "values">): number {
  if (isHoliday && holidays === "weekend") return countClasses(days) - 1;
  if (days === "none") return 0;
  return days === "workday" ? Number(isWeekend(day)) : weekdayOf(day);
}

/** The days that classes are learned from: the last weeks of a range. */
export function recentDays(table: DayTable): DayTable {
  return table.slice(-MAX_WEEKS * WEEK);
}

/** The distinction that predicts held-out weeks best, if clearly better than none. */
export function chooseClasses(all: DayTable): DayClasses {
  const table = all.filter(({ isHoliday }) => !isHoliday);
  if (!holdsWeeks(table)) return "none";
  const errors = (days: DayClasses) =>
    heldOutErrors(table, (row) => classOf({ days, holidays: "weekday" }, row));
  const [none, workday, weekday] = [errors("none"), errors("workday"), errors("weekday")];
  const best = total(weekday) < MAX_WEEKDAY_SHARE * total(workday) ? "weekday" : "workday";
  return pays(best === "weekday" ? weekday : workday, none) ? best : "none";
}

/** Errors of one held-out part. The mean follows the usual values, the root mean square short events as well. */
interface HeldOutError {
  readonly mean: number;
  readonly rootMeanSquare: number;
}

/** Whether errors are clearly smaller than those without a distinction in most parts: an anomaly spoils only one. */
function pays(errors: readonly HeldOutError[], without: readonly HeldOutError[]): boolean {
  const agreeing = errors.filter(({ mean, rootMeanSquare }, part) => {
    const other = without[part]!;
    return mean < MAX_ERROR_SHARE * other.mean && rootMeanSquare < MAX_ERROR_SHARE * other.rootMeanSquare;
  });
  return agreeing.length >= MIN_AGREEMENT * errors.length;
}

/** Whether the table has enough weeks to learn from. */
export function holdsWeeks(table: DayTable): boolean {
  return table.length >= MIN_WEEKS * WEEK;
}

/** How the holidays of the range are predicted best; weekends if it has none. */
export function chooseHolidays(table: DayTable, days: DayClasses): HolidayRule {
  const slots = table[0]!.values.length;
  const own = table.filter(({ isHoliday }) => isHoliday);
  const others = table.filter(({ isHoliday }) => !isHoliday);
  if (own.length === 0 || others.length === 0) return "weekend";
  const errorWith = (holidays: HolidayRule) => {
    const rules: ClassRules = { days, holidays };
    return meanOf(own.flatMap((row) => errorsOf(row, usualDay(sameClass(others, rules, row), slots))));
  };
  return errorWith("weekday") < errorWith("weekend") ? "weekday" : "weekend";
}

/**
 * Usual residuals of some days of the month.
 * @param residuals without the effects of the classes
 * @returns undefined unless they predict those days, each held out, clearly better than none
 */
export function fitMonthDays(residuals: DayTable, isOne: (day: number) => boolean): Float64Array | undefined {
  const own = residuals.filter(({ day }) => isOne(day));
  if (own.length < MIN_MONTH_DAYS) return undefined;
  const slots = own[0]!.values.length;
  const rest = usualDay(
    residuals.filter(({ day }) => !isOne(day)),
    slots,
  );
  const without = own.map((row) => summarise(errorsOf(row, rest)));
  const heldOut = own.map((row) => {
    const others = own.filter((other) => other !== row);
    return summarise(errorsOf(row, usualDay(others, slots)));
  });
  if (!pays(heldOut, without)) return undefined;
  return usualDay(own, slots).map((value, slot) => toEffect(value - rest[slot]!));
}

/** Differences of the classes from the usual workday, by class and slot. */
export function effectsOf(table: DayTable, rules: ClassRules): Float64Array[] {
  const slots = table[0]!.values.length;
  const workday = usualDay(
    table.filter(({ day, isHoliday }) => !isWeekend(day) && !isHoliday),
    slots,
  );
  return Array.from({ length: countClasses(rules.days) }, (_, index) => {
    if (rules.days !== "weekday" && index === 0) return new Float64Array(slots);
    const own = table.filter((row) => classOf(rules, row) === index);
    return usualDay(own, slots).map((value, slot) => toEffect(value - workday[slot]!));
  });
}

/** Six digits exceed the precision of a median; nothing was observed: no effect. */
function toEffect(value: number): number {
  return Number.isFinite(value) ? Number(value.toPrecision(6)) : 0;
}

/** Errors of each of the last weeks, predicted from the others. */
function heldOutErrors(table: DayTable, keyOf: (row: DayRow) => number): HeldOutError[] {
  const end = table.at(-1)!.day + 1;
  const weekOf = ({ day }: DayRow) => Math.floor((end - 1 - day) / WEEK);
  const weeks = Math.min(MAX_FOLDS, Math.floor((end - table[0]!.day) / WEEK));
  const slots = table[0]!.values.length;
  return Array.from({ length: weeks }, (_, week) => {
    const known = table.filter((row) => weekOf(row) !== week);
    const all = usualDay(known, slots);
    const byClass = new Map(
      [...Map.groupBy(known, keyOf)].map(([key, rows]) => [key, usualDay(rows, slots)] as const),
    );
    const own = table.filter((row) => weekOf(row) === week);
    return summarise(own.flatMap((row) => errorsOf(row, byClass.get(keyOf(row)) ?? all)));
  });
}

function sameClass(table: DayTable, rules: ClassRules, row: DayRow): DayTable {
  return table.filter((other) => classOf(rules, other) === classOf(rules, row));
}

function errorsOf({ values }: DayRow, usual: Float64Array): number[] {
  return Array.from(values, (value, slot) => Math.abs(value - usual[slot]!)).filter(Number.isFinite);
}

function summarise(errors: readonly number[]): HeldOutError {
  return { mean: meanOf(errors), rootMeanSquare: Math.sqrt(meanOf(errors.map((error) => error ** 2))) };
}

function total(errors: readonly HeldOutError[]): number {
  return errors.reduce((sum, { mean }) => sum + mean, 0);
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}
