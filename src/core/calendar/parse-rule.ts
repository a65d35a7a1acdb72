// Recurrence rules of iCalendar as jCal has them, checked: parts out of range are refused.
import { TorusError } from "../errors.ts";
import { DAY_MS } from "../time/time.ts";
import { type Component, findAll, readTimes } from "./property.ts";
import { frequencies, type Rule, type WeekdayRule } from "./rule-parts.ts";
import type { WallTime } from "./wall-time.ts";
import { Zones } from "./zones.ts";

interface Recurrence {
  readonly [part: string]: unknown;
}

/** Values of one part of a rule: the days of a year, and some. */
const MAX_LIST = 400;
const weekdayNames = ["SU", "MO", "TU", "WE", "TH", "FR", "SA"];
const weekdayText = /^([+-]?\d{1,2})?(SU|MO|TU|WE|TH|FR|SA)$/;

/** @throws TorusError `invalid` */
export function readRules(event: Component, start: WallTime): Rule[] {
  return findAll(event, "rrule").flatMap(([, , , ...values]) =>
    (values as Recurrence[]).map((parts) => readRule(parts, start)),
  );
}

function readRule(parts: Recurrence, start: WallTime): Rule {
  const freq = frequencies.find((name) => name === parts.freq);
  const { interval = 1, count, until, wkst = 2 } = parts;
  if (!freq || !isWhole(interval, 1, 100_000) || !(count === undefined || isWhole(count, 1, 1e9)))
    throw new TorusError("invalid", "has a recurrence rule that cannot be read");
  const numbers = {
    ...listOf(parts, { name: "months", part: "bymonth", min: 1, max: 12 }),
    ...listOf(parts, { name: "weeks", part: "byweekno", min: -53, max: 53 }),
    ...listOf(parts, { name: "yearDays", part: "byyearday", min: -366, max: 366 }),
    ...listOf(parts, { name: "monthDays", part: "bymonthday", min: -31, max: 31 }),
    ...listOf(parts, { name: "hours", part: "byhour", min: 0, max: 23 }),
    ...listOf(parts, { name: "minutes", part: "byminute", min: 0, max: 59 }),
    ...listOf(parts, { name: "seconds", part: "bysecond", min: 0, max: 60 }),
    ...listOf(parts, { name: "positions", part: "bysetpos", min: -366, max: 366 }),
  };
  const weekdays = parts.byday === undefined ? undefined : toList(parts.byday).map(readWeekday);
  return {
    ...{ freq, interval, weekStart: Number(wkst) - 1, ...numbers },
    ...(count !== undefined && { count }),
    ...(until !== undefined && { until: readUntil(String(until), start) }),
    ...(weekdays && { weekdays }),
  };
}

function readWeekday(value: unknown): WeekdayRule {
  const match = weekdayText.exec(String(value));
  if (!match) throw new TorusError("invalid", "has a recurrence rule that cannot be read");
  const [, nth, name] = match;
  return { day: weekdayNames.indexOf(name!), ...(nth !== undefined && { nth: Number(nth) }) };
}

/** Wall-clock ms of the event: a date includes its day, and a time in UTC is one of its zone. */
function readUntil(text: string, start: WallTime): number {
  const [until] = readTimes(["until", {}, "date-time", text], new Zones());
  const { ms, isDate, offsetAt } = until!;
  if (isDate) return ms + DAY_MS - 1;
  return offsetAt && start.offsetAt ? ms + start.offsetAt(ms) : ms;
}

/** A list of numbers of a rule, where it has the part. */
function listOf(
  parts: Recurrence,
  { name, part, min, max }: { name: keyof Rule; part: string; min: number; max: number },
): Partial<Rule> {
  if (parts[part] === undefined) return {};
  const list = toList(parts[part]);
  // Parts that count from the end, too, have no 0.
  if (!list.every((value) => isWhole(value, min, max) && (value !== 0 || min === 0)))
    throw new TorusError("invalid", "has a recurrence rule that cannot be read");
  return { [name]: list };
}

/** Without repetitions. @throws TorusError `invalid` for a list that is too long */
function toList(value: unknown): unknown[] {
  const list = [...new Set(Array.isArray(value) ? value : [value])];
  if (list.length <= MAX_LIST) return list;
  throw new TorusError("invalid", `has a recurrence rule with a list of more than ${MAX_LIST} values`);
}

function isWhole(value: unknown, min: number, max: number): value is number {
  return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
}
