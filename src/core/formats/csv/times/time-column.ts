// The column of the time, chosen by content before names; dates and times of day in columns of their own are joined.
import { createWrittenTimeReader, TIME_FORMATS } from "../../csv-time.ts";
import { isOfOtherYear, readDottedTimeOfDay } from "../cell-date.ts";
import { componentOf, isClockName, isTimeName, namesWeek, timeRank } from "../column-names.ts";
import type { CsvOptions } from "../options.ts";
import { refuseWideTimes } from "../wide-times.ts";
import { malformed, quote, refuse } from "../words/refusal.ts";
import { type Candidate, findCertain } from "./certain.ts";
import { zoneOfName } from "./named-zone.ts";
import { namesOf, type SampledColumn, type TimeColumn, timeOf } from "./sampled.ts";
import {
  listReadings,
  type ReadTime,
  readHour,
  studyClockDigits,
  studyTime,
  type TimeKind,
} from "./time-kinds.ts";
import { belongsTo, clocksOf, findComponents, findWeeks, joinComponents } from "./time-parts.ts";
import { withZones } from "./zone-columns.ts";

interface Search {
  readonly columns: readonly SampledColumn[];
  readonly options: CsvOptions;
}

/** @throws TorusError `invalid` where no column, or more than one reading, is possible; names the option that decides */
export function chooseTime(search: Search): TimeColumn {
  const { columns, options } = search;
  const time = choose(search);
  // The performance monitor writes the offset of its start, which the clock may have left since.
  const isOverruled = options.timezone && !options.isAssumedZone && time.name.startsWith("(PDH");
  const timezone = time.timezone ?? (isOverruled ? undefined : zoneOfName(time.name));
  const named = /[( ]([A-Z]+[SD]T)\b/.exec(time.name)?.[1];
  const first = columns.find(({ index }) => index === time.indexes[0])!;
  if (named && !(timezone ?? options.timezone) && !/^\d+$|:.*(Z|[+-][\d:]+)$/.test(first.cells[0]!))
    throw malformed(first, "noForm", time.name, quote(named), "+01:00", [options.flags.timezone]);
  return { ...time, timezone };
}

function choose(search: Search): TimeColumn {
  const { options } = search;
  const named = options.timeColumn === undefined ? undefined : findNamed(search, options.timeColumn);
  if (options.timeFormat !== undefined && options.timeFormat !== "auto")
    return readByFormat(options.timeFormat, named, search);
  return named ? joinNamed(named, search) : guess(search);
}

/** The columns of `Date+Time`, or one whose name is just that. */
function findNamed({ columns, options }: Search, text: string): readonly SampledColumn[] {
  const whole = columns.find(({ name }) => name === text);
  if (whole) return [whole];
  return text.split("+").map((name) => findColumn(columns, name.trim(), options.flags.time));
}

/** @throws TorusError `invalid` naming columns that there are */
export function findColumn<T extends { readonly name: string }>(
  columns: readonly T[],
  name: string,
  flag: string,
): T {
  const found = columns.find((column) => column.name === name);
  if (found) return found;
  throw refuse(flag, "unknownColumn", name, namesOf(columns, ", "));
}

function readByFormat(
  format: string,
  named: readonly SampledColumn[] | undefined,
  { columns, options: { flags } }: Search,
): TimeColumn {
  const readText = createWrittenTimeReader(format, flags.format);
  const read = (...cells: string[]) => readText(cells.join(" "));
  const ranked = rank(columns, (column) => column);
  const found =
    named ??
    ranked
      .filter(({ cells }) => cells.filter((cell) => readText(cell)).length * 2 > cells.length)
      .slice(0, 1);
  if (found.length > 0) return timeOf(found, `times of the form ${format}`, read);
  const likely = ranked[0]!;
  const ways = [flags.format, flags.time];
  throw malformed(likely, "noForm", likely.name, quote(likely.cells[0] ?? ""), format, ways);
}

/** The kind of a column; numbers of weeks, which look like those of months, are none. */
function study({ name, cells }: SampledColumn, { options }: Search): TimeKind | undefined {
  const areWeeks = namesWeek(name) && cells.every((cell) => /^(\d{4}[-/]?\d\d|\d\d?[-/]\d{4})$/.test(cell));
  return areWeeks ? undefined : studyTime(cells, options.nowAt);
}

/** @throws TorusError `invalid` for a column that is no time, or a date that can be read in two ways */
function decided(column: SampledColumn, kind: TimeKind | undefined, { options }: Search): TimeKind {
  if (!kind || kind.kind === "clock") throw noTime(column, kind, options);
  if (!kind.rival) return kind;
  const { cell, orders } = kind.rival;
  const forms = orders.map((order) => `'${patternOf(cell, order)}'`);
  throw malformed(column, "dayOrMonth", column.name, quote(cell), options.flags.format, forms);
}

/** The pattern of a date in numbers, as the option takes it. */
function patternOf(cell: string, order: string): string {
  const letters = [...order, /\d ?[ap]m/i.test(cell) ? "I" : "H", "M", "S", "f"];
  return cell
    .replace(/(?<=:.*)[+-]\d\d:?\d\d$/, "%z")
    .replace(/(?<=\d ?)[ap]m/i, "%p")
    .replace(/\d+/g, (digits) => `%${letters.shift()}`.replace("y", digits.length === 4 ? "Y" : "y"));
}

/** Columns that were named: a date and a time of day in any order, parts from the year on, or one text. */
function joinNamed(named: readonly SampledColumn[], search: Search): TimeColumn {
  const isDate = (column: SampledColumn) => {
    const kind = study(column, search);
    return kind?.kind === "date" && !kind.hasTime;
  };
  const date = named.find(isDate);
  const clock = named.find((column) => column !== date && clockOf(column, search));
  if (named.length === 2 && date && clock) return joinTwo(date, clock, search);
  if (named.length > 1 && named.every(({ name }) => componentOf(name) >= 0)) return joinComponents(named);
  const cells = named[0]!.cells.map((_, row) => named.map((column) => column.cells[row]).join(" "));
  const column = { ...named[0]!, name: namesOf(named, "+"), cells };
  const { label, read } = decided(column, study(column, search), search);
  return timeOf(named, label, (...texts) => read(texts.join(" ")));
}

function single(column: SampledColumn, { label, read }: TimeKind): TimeColumn {
  return timeOf([column], label, read);
}

function joinTwo(date: SampledColumn, clock: SampledColumn, search: Search): TimeColumn {
  const dates = decided(date, study(date, search), search);
  const readPart = clockOf(clock, search)!;
  return timeOf([date, clock], `${dates.label}, with times of day`, (day, time) => {
    const [whole, part] = [dates.read(day), readPart(time)];
    return whole && part && { ...part, ms: whole.ms + part.ms };
  });
}

/** The reader of times of day: as written, or numbers that are some, hours by their name or digits such as 0815. */
function clockOf(column: SampledColumn, search: Search): ReadTime | undefined {
  const { name, cells } = column;
  const kind = study(column, search);
  if (kind?.kind === "clock") return kind.read;
  if (cells.length === 0) return undefined;
  if (componentOf(name) === 3 && cells.every(readHour)) return readHour;
  if (isClockName(name) && cells.every(readDottedTimeOfDay)) return readDottedTimeOfDay;
  return studyClockDigits(cells);
}

/** Dates before numbers since the epoch before other numbers; among equals by name, then the first. */
function guess(search: Search): TimeColumn {
  const { columns, options } = search;
  const found = rank(
    columns
      .map((column) => ({ column, kind: study(column, search) }))
      .filter((each): each is Candidate => each.kind !== undefined),
    ({ column }) => column,
  );
  const ofKind = (kind: TimeKind["kind"]) => found.filter((each) => each.kind.kind === kind);
  const date = ofKind("date")[0];
  const certain = date && findCertain(date, found);
  if (certain) return single(certain.column, certain.kind);
  if (date) return withZones(withClock(date, ofKind("clock"), search), date, search);
  const parts = findComponents(columns);
  if (parts) return joinComponents(parts);
  const weeks = findWeeks(columns);
  if (weeks) return weeks;
  const isNamed = ({ column }: Candidate) => isTimeName(column.name);
  const epoch = ofKind("epoch");
  const chosen = epoch[0] ?? ofKind("weak").find(isNamed);
  if (chosen && (isNamed(chosen) || (epoch.length < 2 && mayBeTimes(chosen.column))))
    return single(chosen.column, chosen.kind);
  if (chosen) {
    const names = namesOf(
      epoch.map(({ column }) => column),
      ", ",
    );
    throw refuse(options.flags.time, "severalTimes", names);
  }
  refuseWideTimes(columns, options.flags, false);
  const likely = rank(columns, (column) => column)[0]!;
  throw noTime(likely, study(likely, search), options);
}

/** Whether numbers in the range of times are some: those of another name, as of orders or bytes, have no steps of a length. */
function mayBeTimes({ name, cells }: SampledColumn): boolean {
  const stepAt = (i: number) => Number(cells[i + 1]) - Number(cells[i]);
  const alike = cells.filter((_, i) => stepAt(i) === stepAt(0));
  return (alike.length * 2 > cells.length && stepAt(0) ** 2 > 1) || /^..?$|time|date/i.test(name);
}

function rank<T>(candidates: readonly T[], columnOf: (candidate: T) => SampledColumn): T[] {
  return candidates.toSorted((a, b) => timeRank(columnOf(a).name) - timeRank(columnOf(b).name));
}

/** A date joined with the time of day in another column, if it has none itself. */
function withClock(date: Candidate, clocks: readonly Candidate[], search: Search): TimeColumn {
  const { column, kind } = date;
  const isHours = (each: SampledColumn) =>
    each !== column && (componentOf(each.name) === 3 || isClockName(each.name)) && clockOf(each, search);
  const own = clocks.filter((each) => belongsTo(date, each));
  const others = clocks.length > 1 ? clocks : [];
  const named = (own.length > 0 ? own : others).map((each) => each.column);
  const [clock, other] = clocksOf(column, named.length > 0 ? named : search.columns.filter(isHours));
  if (kind.hasTime || !clock) return single(column, decided(column, kind, search));
  const isUnclear = other && (own.length === 0 || timeRank(clock.name) === timeRank(other.name));
  if (!isUnclear) return joinTwo(column, clock, search);
  const joined = `${column.name}+${clock.name}`;
  throw refuse(search.options.flags.time, "severalClocks", clock.name, other.name, joined);
}

/** Whether a column named as a time begins with a year before those that are read. */
function isEarlyYear({ name, cells }: SampledColumn): boolean {
  return componentOf(name) === 0 && /^1[0-8]\d\d$/.test(cells[0] ?? "");
}

/** The error of a column that is no time, with the readings that were tried. */
function noTime(column: SampledColumn, kind: TimeKind | undefined, { flags }: CsvOptions) {
  const { name } = column;
  const cell = column.cells[0] ?? "";
  const shown = quote(cell);
  if (kind?.kind === "clock") return malformed(column, "clockAlone", name, shown, flags.time);
  if (isOfOtherYear(cell) || isEarlyYear(column)) return malformed(column, "otherYear", name, shown);
  if (/^[+-]?\d+([.,]\d+)?$/.test(cell))
    return malformed(column, "numberNoTime", name, shown, listReadings(cell), flags.time, flags.format);
  const zone = / ([A-Z]{3,4})$/.exec(cell)?.[1];
  const named = zone === undefined ? undefined : ([zone, flags.timezone] as const);
  return malformed(column, "noTime", name, shown, flags.time, flags.format, TIME_FORMATS, named);
}
