// Calendar effects of a series: differences of weekends, weekdays, holidays and month ends from a usual workday; pure.
import { Type } from "@sinclair/typebox";
import { LONGEST_OF_DAY_MS, type Timeline } from "../detectors/timeline.ts";
import { oneOf, type Stored, strict } from "../stored-schema.ts";
import { climbsPastMidnight } from "./climb.ts";
import {
  chooseClasses,
  chooseHolidays,
  classOf,
  type DayClasses,
  dayClasses,
  effectsOf,
  fitMonthDays,
  holdsWeeks,
  holidayRules,
  recentDays,
} from "./day-classes.ts";
import { type DayTable, slotOf, tableOf } from "./day-table.ts";
import { dayOf, isMonthEnd, isMonthStart, localTimeAt } from "./local-day.ts";

/** Slots of a day, and those of a series whose noise hides how days differ: that of the mean of an hour is smaller. */
const MAX_SLOTS = 288;
const HOURS = 24;

const Effects = Type.Array(Type.Number(), { minItems: 1, maxItems: MAX_SLOTS });

/** The calendar effects of a training range, in units of the data. */
export const CalendarSchema = Type.Object(
  {
    days: oneOf(dayClasses),
    holidays: oneOf(holidayRules),
    /** By class (all days; workday, weekend; or Monday to Sunday) and slot of the day. */
    effects: Type.Array(Effects, { minItems: 1, maxItems: 7 }),
    /** Further effects of the first and the last day of a month. */
    monthStart: Type.Optional(Effects),
    monthEnd: Type.Optional(Effects),
  },
  strict,
);
export type Calendar = Stored<typeof CalendarSchema>;

/**
 * Fits the calendar of a training range.
 * @param column without its trend; NaN = missing
 * @param weekday true = days of the week, even if they do not pay; false = none; absent = chosen by held-out error
 * @returns undefined if no distinction of days predicts held-out weeks clearly better
 */
export function fitCalendar(
  column: Float64Array,
  timeline: Timeline,
  weekday?: boolean,
): Calendar | undefined {
  if (weekday === false || timeline.intervalMs > LONGEST_OF_DAY_MS) return undefined;
  const recent = (slots: number) => recentDays(tableOf(column, timeline, slots));
  const table = recent(MAX_SLOTS);
  if (table.length === 0) return undefined;
  return fitTable(table, weekday) ?? fitWeekends(recent(HOURS));
}

/** Weekends alone, from means of hours: two days in seven are enough to learn from where noise hides them. */
function fitWeekends(table: DayTable): Calendar | undefined {
  return chooseClasses(table) === "workday" ? fitClasses(table, "workday") : undefined;
}

/** Effects of classes of days. */
function fitClasses(table: DayTable, days: DayClasses): Calendar {
  const rules = { days, holidays: chooseHolidays(table, days) };
  return { ...rules, effects: effectsOf(table, rules).map((own) => Array.from(own)) };
}

function fitTable(table: DayTable, weekday: boolean | undefined): Calendar | undefined {
  const isAsked = weekday && holdsWeeks(table);
  const days = isAsked ? "weekday" : chooseClasses(table);
  if (!isAsked && days === "weekday" && climbsPastMidnight(table)) return undefined;
  const calendar = fitClasses(table, days);
  const residuals = table.map((row) => {
    const own = effectsOfDay(calendar, row);
    return { ...row, values: row.values.map((value, slot) => value - own[slot]!) };
  });
  const monthStart = fitMonthDays(residuals, isMonthStart);
  const monthEnd = fitMonthDays(residuals, isMonthEnd);
  if (days === "none" && !monthStart && !monthEnd) return undefined;
  return {
    ...calendar,
    ...(monthStart && { monthStart: Array.from(monthStart) }),
    ...(monthEnd && { monthEnd: Array.from(monthEnd) }),
  };
}

/** Effects per interval, to be subtracted from the column. */
export function calendarEffects(calendar: Calendar, timeline: Timeline, length: number): Float64Array {
  const { startAt, intervalMs, offsetAt, isHoliday } = timeline;
  let known: { day: number; effects: Float64Array } | undefined;
  return Float64Array.from({ length }, (_, i) => {
    const local = localTimeAt(startAt + i * intervalMs, offsetAt);
    const day = dayOf(local);
    if (known?.day !== day)
      known = { day, effects: effectsOfDay(calendar, { day, isHoliday: isHoliday?.(day) ?? false }) };
    return known.effects[slotOf(local, known.effects.length)]!;
  });
}

/** Effects by slot of one local day. */
function effectsOfDay(calendar: Calendar, row: { day: number; isHoliday: boolean }): Float64Array {
  const { effects, monthStart, monthEnd } = calendar;
  const start = isMonthStart(row.day) ? monthStart : undefined;
  const end = isMonthEnd(row.day) ? monthEnd : undefined;
  return Float64Array.from(
    effects[classOf(calendar, row)]!,
    (effect, slot) => effect + (start?.[slot] ?? 0) + (end?.[slot] ?? 0),
  );
}
