// Times in parts: a date beside times of day, a year with months or weeks, each in a column of its own.
import { readDate } from "../cell-date.ts";
import { componentOf, isClockName, isWeekName } from "../column-names.ts";
import { monthOf } from "../month-names.ts";
import type { Candidate } from "./certain.ts";
import { type SampledColumn, type TimeColumn, timeOf } from "./sampled.ts";
import { readComponents } from "./time-kinds.ts";

const LABEL = "parts of times";

/** Of several times of day the one that is named as the date, as `Ab-Zeit` beside `Ab-Datum`; or those but the ends of ranges. */
export function clocksOf(date: SampledColumn, clocks: readonly SampledColumn[]): readonly SampledColumn[] {
  const own = clocks.filter(({ name }) => stemOf(name) === stemOf(date.name));
  if (own.length === 1) return own;
  const starts = clocks.filter(
    ({ name }) => !/(^|[^\p{L}])(bis|to|end|ende|until|fin)([^\p{L}]|$)/iu.test(name),
  );
  return starts.length > 0 ? starts : clocks;
}

/**
 * Whether times of day are those of the dates beside them: by name, or as rows of one day follow one another by them.
 * Others may be durations, or tell when the sun rose.
 */
export function belongsTo({ column, kind }: Candidate, { column: clock, kind: clocks }: Candidate): boolean {
  const { name } = clock;
  if (/elapsed|dura|dauer/i.test(name)) return false;
  if (isClockName(name) || /^(start|begin|mess)/i.test(name) || stemOf(name) === stemOf(column.name))
    return true;
  const days = column.cells.map((cell) => kind.read(cell)?.ms ?? 0);
  const times = days.map((ms, i) => ms + (clocks.read(clock.cells[i]!)?.ms ?? 0));
  const [up, down] = [1, -1].map((sign) => times.filter((ms, i) => sign * (ms - times[i - 1]!) > 0).length);
  // A series may stand below the other.
  return new Set(days).size < days.length && (up! > 9 * down! || down! > 9 * up!);
}

/** What a name says beside the words for dates and times. */
function stemOf(name: string): string {
  return name.toLowerCase().replace(/uhrzeit|datum|date|zeit|time|heure|hora|tijd|[^\p{L}]/gu, "");
}

/** A year, and the number of an ISO week beside it. */
export function findWeeks(columns: readonly SampledColumn[]): TimeColumn | undefined {
  const find = (test: (name: string) => boolean, cells: RegExp) =>
    columns.find((column) => test(column.name) && column.cells.every((cell) => cells.test(cell)));
  const year = find((name) => componentOf(name) === 0, /^\d{4}$/);
  const week = find(isWeekName, /^\d{1,2}$/);
  const read = (year = "", week = "") => readDate(`${year}-W${week.padStart(2, "0")}`, "ymd");
  return year && week && timeOf([year, week], LABEL, read);
}

/** A year and a month at least, each in a column of whole numbers. */
export function findComponents(columns: readonly SampledColumn[]): readonly SampledColumn[] | undefined {
  const parts = columns.filter(({ name, cells }) =>
    cells.every((cell) => /^\d{1,4}$/.test(cell) || (componentOf(name) === 1 && monthOf(cell) !== undefined)),
  );
  const found: SampledColumn[] = [];
  for (let next: SampledColumn | undefined; found.length < 6; found.push(next)) {
    next = parts.find(({ name }) => componentOf(name) === found.length);
    if (!next) break;
  }
  return found.length >= 2 && /^\d{4}$/.test(found[0]!.cells[0] ?? "") ? found : undefined;
}

/** Years, months and further parts, the greatest first. */
export function joinComponents(columns: readonly SampledColumn[]): TimeColumn {
  const sorted = columns.toSorted((a, b) => componentOf(a.name) - componentOf(b.name));
  return timeOf(sorted, LABEL, readComponents);
}
