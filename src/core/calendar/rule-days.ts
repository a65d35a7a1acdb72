// Days that a recurrence rule names: months, numbers in month and year, weeks and weekdays (RFC 5545, 3.3.10); pure.
import { DAY_MS } from "../time/time.ts";
import { firstDayOf, monthOf, startOfWeek, weekdayOf, yearOf } from "./days.ts";
import type { Rule } from "./rule-parts.ts";

/** Whether a day satisfies the parts that concern days. */
export function dayFilter(rule: Rule): (day: number) => boolean {
  const { months, weeks, yearDays, monthDays, weekdays } = rule;
  const isMonthly = rule.freq === "MONTHLY" || (rule.freq === "YEARLY" && months !== undefined);
  const hasNth = rule.freq === "MONTHLY" || (rule.freq === "YEARLY" && weeks === undefined);
  return (day) => {
    const month = monthOf(day * DAY_MS);
    if (months && !months.includes((month % 12) + 1)) return false;
    if (monthDays && !isNumbered(monthDays, day, firstDayOf(month), firstDayOf(month + 1))) return false;
    const year = month - (month % 12);
    if (yearDays && !isNumbered(yearDays, day, firstDayOf(year), firstDayOf(year + 12))) return false;
    if (weeks && !isInWeek(weeks, day, rule.weekStart)) return false;
    if (!weekdays) return true;
    const [from, to] = isMonthly
      ? [firstDayOf(month), firstDayOf(month + 1)]
      : [firstDayOf(year), firstDayOf(year + 12)];
    return weekdays.some(({ day: weekday, nth }) => {
      if (weekdayOf(day) !== weekday) return false;
      if (nth === undefined || !hasNth) return true;
      return nth > 0 ? Math.floor((day - from) / 7) + 1 === nth : Math.floor((to - 1 - day) / 7) + 1 === -nth;
    });
  };
}

/** Whether a day has one of these numbers in a month or year, counted from its end where negative. */
function isNumbered(numbers: readonly number[], day: number, from: number, to: number): boolean {
  return numbers.includes(day - from + 1) || numbers.includes(day - to);
}

/** Whether a day lies in one of the weeks of the year that most of its week belongs to (ISO 8601, RFC 5545 with WKST). */
function isInWeek(weeks: readonly number[], day: number, weekStart: number): boolean {
  const start = startOfWeek(day, weekStart);
  const year = yearOf((start + 3) * DAY_MS);
  const first = firstWeekOf(year, weekStart);
  const count = (firstWeekOf(year + 1, weekStart) - first) / 7;
  const week = (start - first) / 7 + 1;
  return weeks.includes(week) || weeks.includes(week - count - 1);
}

/** First day of week 1: the first week with at least four days in the year. */
function firstWeekOf(year: number, weekStart: number): number {
  return startOfWeek(firstDayOf(12 * year) + 3, weekStart);
}
