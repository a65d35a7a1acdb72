// Schedules by unit, count and time of day: validation and next slot, in any time zone, across DST switches; pure.
import { type Static, Type } from "@sinclair/typebox";
import { invalid } from "../errors.ts";
import { optional } from "../input/optional.ts";
import { oneOfWords } from "../input/words.ts";
import { HOUR_MS, MINUTE_MS, SECOND_MS } from "./time.ts";

/** So many weeks are still within the range of dates. */
const MAX_COUNT = 1_000_000;
/** 1970-01-01 was a Thursday: the Monday of its week is three days before. */
const MONDAY_BEFORE_EPOCH = -3;
/** Bound of the search for the next day, which every valid schedule meets. */
const SEARCH_DAYS = 366 * 400;

const plainUnits = ["second", "minute", "hour", "day", "week"] as const;
const weekdays = ["monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday"] as const;
type PlainUnit = (typeof plainUnits)[number];
type Weekday = (typeof weekdays)[number];

const scheduleUnits: readonly string[] = [
  ...plainUnits,
  ...plainUnits.map((unit) => `${unit}s`),
  ...weekdays,
];

/** When a scheduled job runs, as clients write it. */
export const Every = Type.Object(
  {
    count: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_COUNT,
        default: 1,
        description: "Every how many units",
        rule: `must be a whole number, at least 1 and at most ${MAX_COUNT}`,
      }),
    ),
    unit: oneOfWords(scheduleUnits, {
      description: "second(s), minute(s), hour(s), day(s), week(s), monday..sunday",
      rule: `must be one of ${scheduleUnits.join(", ")}`,
    }),
    at: optional.text(
      "`:SS` within a minute, `:MM` or `MM:SS` within an hour, `HH:MM` or `HH:MM:SS` within a day",
    ),
  },
  { additionalProperties: false },
);
export type Every = Static<typeof Every>;

/** Syntax of `at` per unit, with groups h, m and s. */
const atRules: Readonly<Record<PlainUnit, { readonly pattern: RegExp; readonly rule: string }>> = {
  second: { pattern: /^(?!)/, rule: "cannot be given with seconds" },
  minute: { pattern: /^:(?<s>[0-5]\d)$/, rule: "must be :SS with minutes, as in :30" },
  hour: {
    pattern: /^(?::(?<m>[0-5]\d)|(?<m2>[0-5]\d):(?<s>[0-5]\d))$/,
    rule: "must be :MM or MM:SS with hours, as in :15",
  },
  day: {
    pattern: /^(?<h>[01]\d|2[0-3]):(?<m>[0-5]\d)(?::(?<s>[0-5]\d))?$/,
    rule: "must be HH:MM or HH:MM:SS, as in 03:30",
  },
  week: {
    pattern: /^(?<h>[01]\d|2[0-3]):(?<m>[0-5]\d)(?::(?<s>[0-5]\d))?$/,
    rule: "must be HH:MM or HH:MM:SS, as in 03:30",
  },
};

/** A parsed schedule. */
export interface Timetable {
  readonly unit: PlainUnit;
  readonly count: number;
  /** 0 = Monday; only with unit `week`. */
  readonly weekday: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Parses a schedule. @throws TorusError `invalid` if `at` does not fit the unit */
export function parseEvery({ count = 1, unit, at }: Every, path = "every"): Timetable {
  const weekday = weekdays.indexOf(unit as Weekday);
  const plain = weekday >= 0 ? "week" : (unit.replace(/s$/, "") as PlainUnit);
  const { pattern, rule } = atRules[plain];
  const match = at === undefined ? undefined : pattern.exec(at);
  if (match === null) throw invalid(`${path}.at`, rule);
  const { h, m, m2, s } = match?.groups ?? {};
  const number = (digits: string | undefined) => Number(digits ?? 0);
  return {
    unit: plain,
    count,
    weekday: Math.max(0, weekday),
    hour: number(h),
    minute: number(m ?? m2),
    second: number(s),
  };
}

/**
 * The first slot after an instant. Slots are fixed (multiples of `count` since the epoch, in local time for days and
 * weeks), so that a restart neither moves nor repeats one. A local time skipped by a DST switch moves forward by the
 * shift; a repeated one counts the first time.
 * @param afterAt ms since the epoch, exclusive
 * @param timezone IANA name
 */
export function nextSlot(timetable: Timetable, afterAt: number, timezone: string): number {
  const { unit, count, minute, second } = timetable;
  if (unit === "second") return nextMultiple(afterAt, count * SECOND_MS, 0);
  if (unit === "minute") return nextMultiple(afterAt, count * MINUTE_MS, second * SECOND_MS);
  if (unit === "hour")
    return nextHour(afterAt, { count, phase: minute * MINUTE_MS + second * SECOND_MS, timezone });
  return nextDay(timetable, afterAt, timezone);
}

function nextMultiple(afterAt: number, everyMs: number, phase: number): number {
  return (Math.floor((afterAt - phase) / everyMs) + 1) * everyMs + phase;
}

/** Slots follow the minutes of the local clock, also in zones with offsets of half an hour. */
function nextHour(
  afterAt: number,
  { count, phase, timezone }: { count: number; phase: number; timezone: string },
): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(afterAt).toZonedDateTimeISO(timezone);
  const shift = (((zoned.offsetNanoseconds / 1e6) % HOUR_MS) + HOUR_MS) % HOUR_MS;
  return nextMultiple(afterAt, count * HOUR_MS, phase - shift);
}

function nextDay(timetable: Timetable, afterAt: number, timezone: string): number {
  const start = Temporal.Instant.fromEpochMilliseconds(afterAt).toZonedDateTimeISO(timezone).toPlainDate();
  const { hour, minute, second } = timetable;
  let date = nextDate(timetable, start);
  for (let i = 0; i < SEARCH_DAYS; i++) {
    const zoned = date.toZonedDateTime({ timeZone: timezone, plainTime: { hour, minute, second } });
    if (zoned.epochMilliseconds > afterAt) return zoned.epochMilliseconds;
    date = nextDate(timetable, date.add({ days: 1 }));
  }
  throw new Error("a timetable without a next slot");
}

/** The first date at or after `date` in the schedule. */
function nextDate({ unit, count, weekday }: Timetable, date: Temporal.PlainDate): Temporal.PlainDate {
  const epochDay = date.since("1970-01-01", { largestUnit: "days" }).days;
  const [step, phase] = unit === "day" ? [count, 0] : [7 * count, MONDAY_BEFORE_EPOCH + weekday];
  const ahead = (((phase - epochDay) % step) + step) % step;
  return date.add({ days: ahead });
}
