// One date or time of day in a CSV cell, in the forms of exports; which number is the day is the order of the column.
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from "../../time/time.ts";
import { monthOf } from "./month-names.ts";

/** Order of day, month and year in numbers. */
export const dateOrders = ["dmy", "mdy", "ymd"] as const;
export type DateOrder = (typeof dateOrders)[number];

/** A date as written. */
export interface WrittenTime {
  /** Its fields as if they were UTC, ms since the epoch; UTC if it has an offset. */
  readonly ms: number;
  readonly hasOffset: boolean;
  /** Whether it has a time of day. */
  readonly hasTime: boolean;
}

const day = "\\d{1,2}";
const month = "(?<name>\\p{L}{3,12}\\.?)";
/** Forms of dates; the letters a, b, c are numbers in the order of the column. */
const dateForms = [
  "(?<y>\\d{4})(?<s>[-/.])(?<m>\\d{1,2})\\k<s>(?<d>\\d{1,2})\\.?",
  "(?<y>\\d{4})(?<m>\\d{2})(?<d>\\d{2})",
  `(?<a>${day})(?<s>[-/.])(?<b>${day})\\k<s>(?<c>\\d{4}|\\d{2})`,
  `(?<d>${day})\\.?[ /-]?${month}[ /-]?(?<y>\\d{4})`,
  `(?<d>${day})[ -]${month}[ -](?<y2>\\d{2})`,
  `${month} (?<d>${day}),? (?<y>\\d{4})`,
  `(?<y>\\d{4})[- ]${month}[- ](?<d>${day})`,
].join("|");
/** Forms without a day, which have no time of day either. */
const periodForms = [
  "(?<y>\\d{4})[-/](?<m>\\d{1,2})",
  "(?<m>\\d{1,2})[-/](?<y>\\d{4})",
  "(?<y>\\d{4})M(?<m>\\d{2})",
  `${month}[ -/]?(?<y>\\d{4})`,
  `${month}[-/ ](?<y2>\\d{2})`,
  `(?<y>\\d{4})[- ]?${month}`,
  "(?<y>\\d{4})[- ]?(?:[QT](?<q>[1-4])|[HS](?<h>[12]))",
  "(?:Q(?<q>[1-4])|H(?<h>[12]))[- /]?(?<y>\\d{4})",
  "(?<y>\\d{4})[- /]?KW ?(?<w>\\d{1,2})",
  "KW ?(?<w>\\d{1,2})[- /.]*(?<y>\\d{4})",
  "(?<y>\\d{4})-?W(?<w>\\d{2})(?:-?(?<wd>[1-7]))?",
  "(?<y>\\d{4})-(?<doy>\\d{3})",
].join("|");
const half = " ?(?<p>[AaPp])\\.? ?[Mm]\\.?";
const clock = `(?<H>\\d{1,2})(?::(?<M>\\d{2})(?::(?<S>\\d{2})(?:(?:[.,]|:(?=\\d{3}))(?<f>\\d{1,9}))?)?(?:${half}| ?[Uu]hr)?|${half}| ?h ?(?<M>\\d{2}))`;
/** Alone it is a number. */
const dottedClock = `(?<H>\\d{1,2})\\.(?<M>\\d{2})(?:\\.(?<S>\\d{2})(?:\\.(?<f>\\d{1,9}))?)?(?:${half}| ?[Uu]hr)?`;
const compactClock = "(?<H>\\d{2})(?:(?<M>\\d{2})(?<S>\\d{2})?)?";
/** Names of one meaning only, with their offsets in hours. */
export const zoneHours: Readonly<Record<string, number>> = {
  UTC: 0, GMT: 0, Z: 0, WET: 0, WEST: 1, CET: 1, CEST: 2, MEZ: 1, MESZ: 2, EET: 2, EEST: 3,
}; // biome-ignore format: a table
const zone = `(?:(?:UTC|GMT)?(?<z>z|${Object.keys(zoneHours).join("|")}|[+-]\\d{2}:?\\d{2}|[+-]\\d{2})(?:\\[[\\w/+-]+\\]| \\([^()]+\\))?)`;
const weekday = "(?:\\p{L}{2,10}\\.?,? )?";

const patterns = [
  `^\\[?${weekday}(?:${dateForms})(?:(?:[TD_:]|-(?=(?:\\d\\d[.:]){2})|,? +|,)(?:${clock}|${dottedClock})(?: ?${zone})?)?\\]?$`,
  `^(?<y>\\d{4})-?(?<m>\\d{2})-?(?<d>\\d{2})[T :]?(?:${compactClock})(?:[.,](?<f>\\d{1,9}))?${zone}?$`,
  `^${weekday}${month} +(?<d>${day}) (?:${clock})(?: ${zone})? (?<y>\\d{4})$`,
  `^(?:${periodForms})$`,
].map((source) => new RegExp(source, "u"));
const timeOfDay = new RegExp(`^(?:${clock})$`, "u");
const dottedTimeOfDay = new RegExp(`^(?:${dottedClock})$`, "u");

/** Most files: spares the other patterns. */
const plainIso = /^(\d{4})-(\d\d)-(\d\d)(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z)?)?$/;

type Parts = Readonly<Record<string, string | undefined>>;

/**
 * A date, or the start of a range of two.
 * @param written with blanks of any kind
 * @param order of numbers whose form does not tell it
 * @returns undefined for text that is no date in this order
 */
export function readDate(written: string, order: DateOrder): WrittenTime | undefined {
  if (written.length < 5 || written.length > 80) return undefined;
  const [iso, y, m, d, H, M, S, f, z] = plainIso.exec(written) ?? [];
  if (iso) return ofReadYear(toTime({ y, m, d, H, M, S, f, z }, order));
  const cell = written.replace(/\s/g, " ");
  for (const pattern of patterns) {
    const parts = pattern.exec(cell)?.groups;
    const read = ofReadYear(parts && toTime(parts, order));
    if (read) return read;
  }
  const plain = simplify(cell);
  if (plain !== cell) return readDate(plain, order);
  const [from, to, ...rest] = cell.split(" - ");
  const isRange = to !== undefined && rest.length === 0 && (readDate(to, order) ?? readTimeOfDay(to));
  return isRange ? readDate(from!, order) : undefined;
}

/** Whether a cell is a date in any order. */
export function isDate(cell: string): boolean {
  return dateOrders.some((order) => readDate(cell, order));
}

/** Whether a cell is a month, quarter, half-year or week. */
export function isPeriod(cell: string): boolean {
  return cell.length < 20 && patterns.at(-1)!.test(cell);
}

/** Whether a cell has the form of a date or time of day that there is not, as 31.02. or 25:00. */
export function isImpossible(cell: string): boolean {
  if (cell.length > 64) return false;
  if (timeOfDay.test(cell)) return !readTimeOfDay(cell);
  return patterns.some((pattern) => pattern.test(cell)) && !isDate(cell);
}

/** Without ordinals and words between the parts, as in `4th`, `4 de`, `at` and `um`, nor blanks in `4. 3. 2024`. */
function simplify(cell: string): string {
  return cell
    .replace(/(?<=\d)(st|nd|rd|th|er)(?=[ ,])| (at|um|à|de|@)(?= )|日/g, "")
    .replace(/\. (?=\d{1,2}(\.|$)|\d{4})/g, ".")
    .replace(/[年月](?=\d)/g, "-")
    .replace(
      / ?([上下]午|午[前後]|오[전후]) ?([\d:]+)/,
      (_, half, time) => ` ${time} ${/[上前전]/.test(half) ? "A" : "P"}M`,
    );
}

/** Whether a cell is a date of a year that is not read, as 1885-01-01. */
export function isOfOtherYear(cell: string): boolean {
  const year = /(?<!\d)\d{4}(?!\d)/.exec(cell)?.[0];
  return year !== undefined && !isReadYear(Date.parse(year)) && isDate(cell.replace(year, "2000"));
}

const EARLIEST_MS = Date.UTC(1900, 0, 1);
const LATEST_MS = Date.UTC(2200, 0, 1);

function ofReadYear(read: WrittenTime | undefined): WrittenTime | undefined {
  return read && isReadYear(read.ms) ? read : undefined;
}

/** Whether an instant is of the years that are read: others are mistakes, as 0001 and 9999 of programs that know no time. */
export function isReadYear(ms: number): boolean {
  return ms >= EARLIEST_MS && ms < LATEST_MS;
}

/** A time of day, ms since midnight, or the start of a range such as 08:00 - 08:15 or 08 - 09; undefined for other text. */
export function readTimeOfDay(cell: string): WrittenTime | undefined {
  const [, from, minutes, to] = /^(\d\d?)(:\d\d)? ?[-–] ?(\d\d?)(?::\d\d)?$/.exec(cell) ?? [];
  // Numbers alone may be any range.
  const isRange = minutes !== undefined || (Number(from) + 1) % 24 === Number(to) % 24;
  return readClock(isRange ? `${from}${minutes ?? ":00"}` : cell, timeOfDay);
}

/** The same with points, as in 08.15, which a column of another name means as numbers. */
export function readDottedTimeOfDay(cell: string): WrittenTime | undefined {
  return readClock(cell, dottedTimeOfDay);
}

function readClock(cell: string, pattern: RegExp): WrittenTime | undefined {
  const parts = cell.length > 24 ? undefined : pattern.exec(cell)?.groups;
  return parts && ofDay(clockMs(parts));
}

function ofDay(ms: number | undefined): WrittenTime | undefined {
  return ms === undefined ? undefined : { ms, hasOffset: false, hasTime: true };
}

/** The time of the named parts of a pattern. @returns undefined where it has no year, or there is no such time */
export function toTime(parts: Parts, order: DateOrder): WrittenTime | undefined {
  const date = dateMs(parts, order);
  const time = clockMs(parts);
  const offset = parts.z === undefined ? 0 : offsetMs(parts.z);
  if (date === undefined || time === undefined || offset === undefined) return undefined;
  return { ms: date + time - offset, hasOffset: parts.z !== undefined, hasTime: parts.H !== undefined };
}

function dateMs(parts: Parts, order: DateOrder): number | undefined {
  const { a, q, h, w, wd = "1", doy, name, y, y2 } = parts;
  if (a !== undefined) return numbersMs(parts, order);
  const year = y === undefined ? fullYear(y2!) : Number(y);
  if (q !== undefined) return Date.UTC(year, 3 * (Number(q) - 1), 1);
  if (h !== undefined) return Date.UTC(year, 6 * (Number(h) - 1), 1);
  if (w !== undefined) return weekMs(year, Number(w), Number(wd));
  if (doy !== undefined) return dayMs(year, 1, Number(doy), 366);
  const month = name === undefined ? Number(parts.m ?? 1) : monthOf(name);
  return month === undefined ? undefined : dayMs(year, month, Number(parts.d ?? 1));
}

/** Three numbers; with points, the day is first, and a year of four digits is last. */
function numbersMs({ a, b, c, s }: Parts, order: DateOrder): number | undefined {
  const hasYear = c!.length === 4;
  if ((hasYear && order === "ymd") || (s === "." && order !== "dmy")) return undefined;
  if (order === "ymd") return a!.length === 2 ? dayMs(fullYear(a!), Number(b), Number(c)) : undefined;
  const [day, month] = order === "dmy" ? [a, b] : [b, a];
  return dayMs(hasYear ? Number(c) : fullYear(c!), Number(month), Number(day));
}

/** Two digits: 1969 to 2068, as POSIX has it. */
function fullYear(digits: string): number {
  return 1900 + Number(digits) + (Number(digits) < 69 ? 100 : 0);
}

/** @returns undefined for a day that the month, or the year, does not have */
function dayMs(year: number, month: number, day: number, most = 31): number | undefined {
  const date = new Date(Date.UTC(year, month - 1, day));
  const isRolled = most === 31 && date.getUTCMonth() !== month - 1;
  if (day < 1 || day > most || isRolled || date.getUTCFullYear() !== year) return undefined;
  return date.getTime();
}

/** The Monday of an ISO week, or a later day of it. */
function weekMs(year: number, week: number, weekday: number): number | undefined {
  const january4 = Date.UTC(year, 0, 4);
  const monday = january4 - ((new Date(january4).getUTCDay() + 6) % 7) * DAY_MS + (week - 1) * 7 * DAY_MS;
  const isOfYear = new Date(monday + 3 * DAY_MS).getUTCFullYear() === year;
  return week >= 1 && isOfYear ? monday + (weekday - 1) * DAY_MS : undefined;
}

/** Since midnight; 24:00 is the end of the day. */
function clockMs({ H = "0", M = "0", S = "0", f = "0", p }: Parts): number | undefined {
  let hour = Number(H);
  if (p !== undefined) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (/p/i.test(p) ? 12 : 0);
  }
  return timeMs(hour, Number(M), Number(S) + Number(`0.${f}`));
}

function timeMs(hour: number, minute: number, second: number): number | undefined {
  if (hour > 24 || minute > 59 || second >= 60 || (hour === 24 && minute + second > 0)) return undefined;
  return hour * HOUR_MS + minute * MINUTE_MS + second * SECOND_MS;
}

/** The offset from UTC that a name or number says, as in CET, +1, +0530 or +05:30. */
export function offsetMs(zone: string): number | undefined {
  const named = zoneHours[zone.toUpperCase()];
  if (named !== undefined) return named * HOUR_MS;
  const [, sign, hours, minutes = "0"] = /^([+-])(\d\d?):?([0-5]\d)?$/.exec(zone) ?? [];
  if (!(Number(hours) < 24)) return undefined;
  return Number(`${sign}1`) * (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS);
}

/** A time of day as digits with or without zeros before them. @param unit of HHMMSS 1, of HHMM 100, of HH 10 000 */
export function readClockDigits(cell: string, unit: number): WrittenTime | undefined {
  if (!/^\d{1,6}$/.test(cell)) return undefined;
  const number = Number(cell) * unit;
  return ofDay(timeMs(Math.floor(number / 10_000), Math.floor(number / 100) % 100, number % 100));
}

/** Day 0 of spreadsheets. */
const SHEET_EPOCH_MS = Date.UTC(1899, 11, 30);

/** A day number of a spreadsheet, with the time of day as its fraction, to the second. */
export function readSheetDay(cell: string): WrittenTime | undefined {
  if (!/^\d{1,6}([.,]\d+)?$/.test(cell)) return undefined;
  const seconds = Math.round((Number(cell.replace(",", ".")) * DAY_MS) / SECOND_MS);
  return {
    ms: SHEET_EPOCH_MS + seconds * SECOND_MS,
    hasOffset: false,
    hasTime: (seconds * SECOND_MS) % DAY_MS > 0,
  };
}
