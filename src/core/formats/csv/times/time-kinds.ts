// Kinds of times that a column of cells can hold: dates, times of day, numbers since the epoch, day numbers, years.
import { DAY_MS } from "../../../time/time.ts";
import { createWrittenTimeReader, epochText, readEpoch } from "../../csv-time.ts";
import {
  type DateOrder,
  dateOrders,
  isImpossible,
  isPeriod,
  readClockDigits,
  readDate,
  readSheetDay,
  readTimeOfDay,
  type WrittenTime,
} from "../cell-date.ts";
import { monthOf } from "../month-names.ts";

export type ReadTime = (cell: string) => WrittenTime | undefined;

/** What the cells of a column are as times. */
export interface TimeKind {
  /** `clock`: a time of day; `weak`: numbers that only the name of the column makes times. */
  readonly kind: "date" | "clock" | "epoch" | "weak";
  /** For reports: `dates`, `seconds since the epoch`. */
  readonly label: string;
  readonly read: ReadTime;
  readonly hasTime: boolean;
  /** Another order of day and month in which the cells can be read, with a cell that differs. */
  readonly rival?: { readonly orders: readonly DateOrder[]; readonly cell: string };
}

/** Numbers as times before this are refused: so early are only counts of rows. */
const EARLIEST_MS = Date.UTC(1990, 0, 1);
const YEARS_AHEAD = 10;
/** Share of the cells that must be of a kind, if only by their form; the others are reported when they are read. */
const MIN_SHARE = 0.8;
/** Units of numbers since the epoch. */
const epochUnits = [
  ["s", "seconds", 1000],
  ["ms", "milliseconds", 1],
  ["us", "microseconds", 1e-3],
  ["ns", "nanoseconds", 1e-6],
] as const;

/**
 * The kind of the cells; undefined if they are no times.
 * @param cells without missing ones
 * @param nowAt ms; later than ten years after it, numbers are no times
 */
export function studyTime(cells: readonly string[], nowAt: number): TimeKind | undefined {
  if (cells.length === 0) return undefined;
  const latest = nowAt + YEARS_AHEAD * 365.25 * DAY_MS;
  const numbers = cells.filter((cell) => epochText.test(cell));
  if (numbers.length >= MIN_SHARE * cells.length) return studyNumbers(numbers, latest);
  const clocks = cells.filter(readTimeOfDay).length;
  return studyDates(cells) ?? (isKind(clocks, cells) ? clockKind : undefined);
}

/** Whether cells are of a kind by their form, and most of them can be read. */
function isKind(readable: number, cells: readonly string[]): boolean {
  if (readable >= MIN_SHARE * cells.length) return true;
  return (
    2 * readable > cells.length && readable + cells.filter(isImpossible).length >= MIN_SHARE * cells.length
  );
}

const clockKind: TimeKind = {
  kind: "clock",
  label: "times of day",
  hasTime: true,
  read: readTimeOfDay,
};

function studyDates(cells: readonly string[]): TimeKind | undefined {
  const periods = cells.filter(isPeriod);
  const hasDays = 2 * periods.length < cells.length;
  if (!hasDays && areOtherPeriods(periods)) return undefined;
  const counts = dateOrders.map((order) => cells.filter((cell) => readDate(cell, order)).length);
  const most = Math.max(...counts);
  if (!isKind(most, cells)) return undefined;
  const orders = dateOrders.filter((_, i) => counts[i] === most);
  const order = orders[0]!;
  const differing = cells.find((cell) => new Set(orders.map((each) => readDate(cell, each)?.ms)).size > 1);
  return {
    kind: "date",
    label: describeOrder(cells, order),
    // Among days, a month is the total of them.
    read: (cell) => (hasDays && isPeriod(cell) ? undefined : readDate(cell, order)),
    hasTime: cells.some((cell) => readDate(cell, order)?.hasTime),
    ...(differing !== undefined && { rival: { orders, cell: differing } }),
  };
}

/** Whether texts of the form of months are days without a year, as `Mar 04` and `Mar 05`, or pairs of years, as 2023/24. */
function areOtherPeriods(cells: readonly string[]): boolean {
  const parts = cells.map((cell) => /^(\p{L}+\.?|\d{4})[-/ ](\d\d?)$/u.exec(cell));
  const isNext = ([, year, next]: readonly string[]) => Number(next) === (Number(year) + 1) % 100;
  const isSameMonth = (cell: string, i: number) =>
    parts[i] && /^\p{L}/u.test(cell) && parts[i]![1] === parts[i - 1]?.[1] && cell !== cells[i - 1];
  return (new Set(cells).size > 1 && parts.every((each) => each && isNext(each))) || cells.some(isSameMonth);
}

/** Tells the order where numbers alone do not. */
function describeOrder(cells: readonly string[], order: DateOrder): string {
  const isTold = cells.every(
    (cell) => !/^\d/.test(cell) || !readDate(cell, order) || dateOrders.every((each) => readDate(cell, each)),
  );
  const first = { dmy: "day", mdy: "month", ymd: "year" }[order];
  return isTold ? "dates" : `dates, the ${first} first`;
}

function studyNumbers(cells: readonly string[], latest: number): TimeKind | undefined {
  const inWindow = (ms: number) => ms >= EARLIEST_MS && ms <= latest;
  const asDates = cells.map((cell) => (/^\d+$/.test(cell) ? readDate(cell, "dmy") : undefined));
  const dates = asDates.filter((date) => date && inWindow(date.ms));
  if (
    2 * dates.length > cells.length &&
    asDates.every((date, i) => (date ? inWindow(date.ms) : isImpossible(cells[i]!)))
  )
    return {
      kind: "date",
      label: "dates without separators",
      read: (cell) => readDate(cell, "dmy"),
      hasTime: dates.some((date) => date!.hasTime),
    };
  for (const [unit, name, factor] of epochUnits) {
    // Earlier than 2001-09-09, or April 1971, a number is of another unit or counts from another day, as ticks do.
    const least = unit === "ns" ? 1e12 : 4e10;
    const instants = cells.map((cell) => readEpoch(cell) * factor);
    if (instants.some((at) => at > latest || at < least) || instants.every((at) => at < EARLIEST_MS))
      continue;
    const readAny = createWrittenTimeReader(unit);
    const read: ReadTime = (cell) => {
      const written = readAny(cell);
      return written && written.ms >= least ? written : undefined;
    };
    return { kind: "epoch", label: `${name} since the epoch`, read, hasTime: true };
  }
  const isDay = (cell: string) => inWindow(readSheetDay(cell)?.ms ?? Number.NaN);
  return weakKinds.find(({ read }) => cells.every(read)) ?? (cells.every(isDay) ? sheetKind : undefined);
}

function weakKind(label: string, read: ReadTime): TimeKind {
  return { kind: "weak", label, read, hasTime: true };
}

/** Numbers that are months where a separator is put in. */
function readMonth(cell: string, form: RegExp): WrittenTime | undefined {
  return form.test(cell) ? readDate(`${cell.slice(0, 4)}-${cell.slice(4) || 1}`, "ymd") : undefined;
}

const weakKinds: readonly TimeKind[] = [
  weakKind("years", (cell) => readMonth(cell, /^(19|20|21)\d\d$/)),
  weakKind("years and months without separator", (cell) => readMonth(cell, /^(19|20|21)\d{4}$/)),
];
const sheetKind = weakKind("day numbers of a spreadsheet", readSheetDay);

/** Years that a number would be of as a time, by unit, for messages; NaN: none. */
export function listReadings(cell: string): readonly (readonly [unit: string, year: number])[] {
  return epochUnits
    .map(([, name, factor]) => [name, new Date(readEpoch(cell) * factor).getUTCFullYear()] as const)
    .filter(([, year]) => year > 1970 || readEpoch(cell) < 1e9)
    .slice(0, 2);
}

/** Hours of a day as a number; 24 is the end of it. */
export function readHour(cell: string): WrittenTime | undefined {
  return readClockDigits(cell, 10_000);
}

/**
 * Times of day as digits, as in 815 or 081500; undefined where one is none, or where none is past 01:00.
 * @param cells without missing ones
 */
export function studyClockDigits(cells: readonly string[]): ReadTime | undefined {
  const unit = cells.some((cell) => cell.length > 4) ? 1 : 100;
  const read = (cell: string) => readClockDigits(cell, unit);
  return cells.every(read) && cells.some((cell) => Number(cell) >= 100) ? read : undefined;
}

/** Number of a year, month, day, hour, minute and second, in this order; those not given are the first. */
export function readComponents(
  year?: string,
  month = "1",
  day = "1",
  hour = "0",
  minute = "0",
  second = "0",
): WrittenTime | undefined {
  const pad = (text: string) => String(monthOf(text) ?? text).padStart(2, "0");
  return readDate(`${year}-${pad(month)}-${pad(day)} ${pad(hour)}:${pad(minute)}:${pad(second)}`, "ymd");
}
