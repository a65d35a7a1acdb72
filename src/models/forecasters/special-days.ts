// Special days of a series: holidays and days of a month, left out of the history and added to the days ahead; pure.
import { Type } from "@sinclair/typebox";
import { DAY_MS } from "../../core/time/time.ts";
import { type DayRow, type DayTable, slotOf, tableOf, usualDay } from "../baseline/day-table.ts";
import {
  dayFromMonthEnd,
  dayOf,
  dayOfMonth,
  isMonthEnd,
  isMonthStart,
  isWeekend,
  localTimeAt,
  weekdayOf,
} from "../baseline/local-day.ts";
import type { Timeline } from "../detectors/timeline.ts";
import { meanOf } from "../stats/mean.ts";
import { medianOf } from "../stats/median.ts";
import { oneOf, type Stored, strict } from "../stored-schema.ts";
import { atPresentWeek } from "./changed-days.ts";
import { createSeries, type Series } from "./local-time.ts";

const MAX_SLOTS = 288;
const WEEK = 7;
const SUNDAY = 6;
/** Weeks on either side that tell what a day would be without being special, and the newest ones that tell it ahead. */
const NEAR_WEEKS = 4;
const NEWEST_DAYS = 56;
/** Least number of days that an effect of their own is learned from. */
const MIN_DAYS = 3;
/** Error of days taken as special, relative to days taken as usual, below which they are. */
const MAX_ERROR_SHARE = 0.7;

/** Last day that each month has, and the most days of a month that are special. */
const LAST_COMMON_DAY = 28;
/** First day that is counted back from the end of its month, as the last working days of a payroll are. */
const FIRST_FROM_END = -5;
const MAX_MONTH_DAYS = 4;
/** Least effect of one of them, as a multiple of the usual distance from other days: one of 27 is odd by chance. */
const MIN_EFFECT = 5;

/** `usual`: as other days; `sunday`: as Sundays; `own`: by the effects of those of the training. */
const holidayRules = ["usual", "sunday", "own"] as const;

const OwnEffects = Type.Array(Type.Number(), { minItems: 1, maxItems: MAX_SLOTS });
const Effects = Type.Optional(OwnEffects);
const MonthDay = Type.Object(
  {
    /** Below 0 it is counted back: -1 is the last day of a month. */
    day: Type.Integer({
      minimum: FIRST_FROM_END,
      maximum: LAST_COMMON_DAY,
      rule: `must be a whole number from ${FIRST_FROM_END} to ${LAST_COMMON_DAY}`,
    }),
    effects: OwnEffects,
  },
  strict,
);

export const SpecialDaysSchema = Type.Object(
  {
    holidays: oneOf(holidayRules),
    /** By slot of the day, of holidays from Monday to Friday. */
    workday: Effects,
    /** By slot, of first and last days of a month, and of other days of it, as one of bills. */
    monthStart: Effects,
    monthEnd: Effects,
    monthDays: Type.Optional(Type.Array(MonthDay, { maxItems: MAX_MONTH_DAYS })),
  },
  strict,
);
export type SpecialDays = Stored<typeof SpecialDaysSchema>;

/** What is special in a training part; undefined if nothing is, or an interval is longer than a day. */
export function fitSpecialDays(column: Float64Array, timeline: Timeline): SpecialDays | undefined {
  if (timeline.intervalMs > DAY_MS) return undefined;
  const table = tableOf(column, timeline, MAX_SLOTS);
  if (table.length < 2 * WEEK) return undefined;
  const near = nearOf(table);
  const holidays = fitHolidays(table, near, timeline);
  const months = {
    monthStart: fitOwn(table.filter(onMonthStart), near),
    monthEnd: fitOwn(table.filter(onMonthEnd), near),
    monthDays: fitMonthDays(table, near),
  };
  const found = { ...holidays, ...Object.fromEntries(Object.entries(months).filter(([, own]) => own)) };
  return found.holidays === "usual" && Object.keys(found).length === 1 ? undefined : found;
}

const onMonthStart = ({ day, isHoliday }: DayRow) => isMonthStart(day) && !isHoliday;
const onMonthEnd = ({ day, isHoliday }: DayRow) => isMonthEnd(day) && !isHoliday;

/** Days of the month whose effect stands out by far; undefined without any. */
function fitMonthDays(table: DayTable, near: Near): SpecialDays["monthDays"] {
  const rows = table.filter(({ isHoliday }) => !isHoliday);
  const usual = medianOf(rows.map((row) => largestOf(residualOf(row, near))));
  const byDay = [dayFromMonthEnd, dayOfMonth].flatMap((dayIn) => [
    ...Map.groupBy(rows, ({ day }) => dayIn(day)),
  ]);
  const found = byDay.flatMap(([day, own]) => {
    const isNamed = day > 0 ? day > 1 && day <= LAST_COMMON_DAY : day < -1 && day >= FIRST_FROM_END;
    const effects = isNamed ? fitOwn(own, near) : undefined;
    return effects && largestOf(effects) > MIN_EFFECT * usual ? [{ day, effects }] : [];
  });
  return found.length > 0 && found.length <= MAX_MONTH_DAYS ? found : undefined;
}

function largestOf(effects: ArrayLike<number>): number {
  return Array.from(effects).reduce((most, effect) => Math.max(most, Math.abs(effect) || 0), 0);
}

/** What a day would be, from other days near it: of a weekday, those of the same one. */
type Near = (day: number, weekday: number) => Float64Array;

function nearOf(table: DayTable): Near {
  const slots = table[0]!.values.length;
  const byDay = new Map(table.map((row) => [row.day, row]));
  const known = new Map<number, Float64Array>();
  return (day, weekday) => {
    const key = WEEK * day + weekday;
    const before = known.get(key);
    if (before) return before;
    const first = day - ((weekdayOf(day) - weekday + WEEK) % WEEK);
    const days: DayRow[] = [];
    for (let week = -NEAR_WEEKS; week <= NEAR_WEEKS; week++) {
      const row = byDay.get(first + week * WEEK);
      if (row && row.day !== day && !row.isHoliday) days.push(row);
    }
    const usual = usualDay(days, slots);
    known.set(key, usual);
    return usual;
  };
}

/** Without a holiday on a workday in the training they are taken as Sundays. */
function fitHolidays(
  table: DayTable,
  near: Near,
  { isHoliday }: Timeline,
): Pick<SpecialDays, "holidays" | "workday"> {
  if (!isHoliday) return { holidays: "usual" };
  const own = table.filter((row) => row.isHoliday && !isWeekend(row.day));
  if (own.length === 0) return { holidays: "sunday" };
  const usual = meanError(own, (row) => near(row.day, weekdayOf(row.day)));
  const sunday = meanError(own, (row) => near(row.day, SUNDAY));
  const workday = fitOwn(own, near);
  const ownError = workday ? heldOutError(own, near) : Number.POSITIVE_INFINITY;
  if (workday && ownError < MAX_ERROR_SHARE * Math.min(usual, sunday)) return { holidays: "own", workday };
  return { holidays: sunday < usual ? "sunday" : "usual" };
}

/** Median effect by slot; undefined where it predicts days that are held out no better than usual days do. */
function fitOwn(own: DayTable, near: Near): number[] | undefined {
  if (own.length < MIN_DAYS) return undefined;
  const usual = meanError(own, (row) => near(row.day, weekdayOf(row.day)));
  if (!(heldOutError(own, near) < MAX_ERROR_SHARE * usual)) return undefined;
  return Array.from(effectOf(own.map((row) => residualOf(row, near))));
}

function heldOutError(own: DayTable, near: Near): number {
  const residuals = own.map((row) => residualOf(row, near));
  const errors = residuals.flatMap((residual, k) => {
    const effect = effectOf(residuals.filter((_, other) => other !== k));
    return Array.from(residual, (value, slot) => Math.abs(value - effect[slot]!));
  });
  return meanOf(errors);
}

function residualOf({ day, values }: DayRow, near: Near): Float64Array {
  const usual = near(day, weekdayOf(day));
  return values.map((value, slot) => value - usual[slot]!);
}

function effectOf(residuals: readonly Float64Array[]): Float64Array {
  return residuals[0]!.map((_, slot) => medianOf(residuals.map((own) => own[slot]!)) || 0);
}

function meanError(rows: DayTable, predict: (row: DayRow) => Float64Array): number {
  return meanOf(
    rows.flatMap((row) => {
      const predicted = predict(row);
      return Array.from(row.values, (value, slot) => Math.abs(value - predicted[slot]!));
    }),
  );
}

/** The column without its special days; a member does not take them for what follows a season. */
export function leaveSpecialDays(
  column: Float64Array,
  special: SpecialDays,
  timeline: Timeline,
): Float64Array {
  const isSpecial = new Map<number, boolean>();
  return column.map((value, i) => {
    const day = dayOf(localTimeAt(timeline.startAt + i * timeline.intervalMs, timeline.offsetAt));
    let known = isSpecial.get(day);
    if (known === undefined) {
      known = kindOf(day, special, timeline) !== undefined;
      isSpecial.set(day, known);
    }
    return known ? Number.NaN : value;
  });
}

/** The series without its special days. */
export function withoutSpecialDays(series: Series, special: SpecialDays, timeline: Timeline): Series {
  const column = leaveSpecialDays(series.column, special, timeline);
  return { ...createSeries(column, timeline), intervalMs: series.intervalMs, cycles: series.cycles };
}

/** The series that members see: without its special days, and with days of the week as they are now. */
export function usualSeries(
  series: Series,
  special: SpecialDays | undefined,
  timeline: Timeline | undefined,
): Series {
  if (!timeline) return series;
  return atPresentWeek(special ? withoutSpecialDays(series, special, timeline) : series, timeline);
}

/** What a day is taken as: a Sunday, or its usual values with effects by slot; undefined: as usual. */
function kindOf(
  day: number,
  { holidays, workday, monthStart, monthEnd, monthDays }: SpecialDays,
  { isHoliday }: Timeline,
): "sunday" | readonly number[] | undefined {
  if (isHoliday?.(day)) {
    if (holidays === "usual" || isWeekend(day)) return undefined;
    return holidays === "sunday" ? "sunday" : workday;
  }
  if (monthStart && isMonthStart(day)) return monthStart;
  if (monthEnd && isMonthEnd(day)) return monthEnd;
  return monthDays?.find((own) => own.day === (own.day > 0 ? dayOfMonth(day) : dayFromMonthEnd(day)))
    ?.effects;
}

/** What special days add to each of the intervals that follow a history. @param column the history */
export function specialEffects(
  special: SpecialDays,
  column: Float64Array,
  { timeline, horizon }: { readonly timeline: Timeline; readonly horizon: number },
): Float64Array {
  const { startAt, intervalMs, offsetAt } = timeline;
  const newest = Math.min(column.length, Math.ceil((NEWEST_DAYS * DAY_MS) / intervalMs));
  const from = column.length - newest;
  const recent = { ...timeline, startAt: startAt + from * intervalMs };
  const table = tableOf(column.subarray(from), recent, MAX_SLOTS).filter((row) => !row.isHoliday);
  const usual = new Map<number, Float64Array>();
  const usualOf = (weekday: number, slots: number) => {
    const own =
      usual.get(weekday) ??
      usualDay(
        table.filter(({ day }) => weekdayOf(day) === weekday),
        slots,
      );
    usual.set(weekday, own);
    return own;
  };
  return Float64Array.from({ length: horizon }, (_, lead) => {
    const local = localTimeAt(startAt + (column.length + lead) * intervalMs, offsetAt);
    const day = dayOf(local);
    const kind = kindOf(day, special, timeline);
    if (kind === undefined) return 0;
    if (kind !== "sunday") return kind[slotOf(local, kind.length)]!;
    const slots = table[0]?.values.length ?? 1;
    const slot = slotOf(local, slots);
    return usualOf(SUNDAY, slots)[slot]! - usualOf(weekdayOf(day), slots)[slot]! || 0;
  });
}
