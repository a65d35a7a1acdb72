// The column of the time, chosen by content before names; dates and times of day in columns of their own are joined.
import { suggestClosest } from "../../../input/suggest.ts";
import { createWrittenTimeReader, TIME_FORMATS } from "../../csv-time.ts";
import { isOfOtherYear, readDottedTimeOfDay } from "../cell-date.ts";
import { componentOf, isClockName, namesWeek, timeRank } from "../column-names.ts";
import type { CsvOptions, FlagNames } from "../options.ts";
import { explainWideTimes } from "../wide-times.ts";
import { malformed, quote, refuse } from "../words/refusal.ts";
import { type Candidate, findCertain } from "./certain.ts";
import { zoneOfName } from "./named-zone.ts";
import { nameOf, type SampledColumn, type TimeColumn } from "./sampled.ts";
import {
  joinDateAndClock,
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
  readonly flags: FlagNames;
}

/** @throws TorusError `invalid` where no column, or more than one reading, is possible; names the option that decides */
export function chooseTime(search: Search): TimeColumn {
  const time = choose(search);
  const timezone = time.timezone ?? zoneOfName(time.name);
  const { columns, options, flags } = search;
  const named = /[( ]([A-Z]+[SD]T)\b/.exec(time.name)?.[1];
  const first = columns.find(({ index }) => index === time.indexes[0])!;
  const isOpen = named !== undefined && timezone === undefined && options.timezone === undefined;
  if (isOpen && !/^\d+$|:.*(Z|[+-][\d:]+)$/.test(first.cells[0]!))
    throw malformed(first, "noForm", time.name, quote(named), "+01:00", [flags.timezone]);
  return { ...time, timezone };
}

function choose(search: Search): TimeColumn {
  const { options, columns } = search;
  const named = options.timeColumn === undefined ? undefined : findNamed(search, options.timeColumn);
  if (options.timeFormat !== undefined && options.timeFormat !== "auto") return readByFormat(search, named);
  if (named) return named.length > 1 ? joinNamed(named, search) : takeNamed(named[0]!, search);
  return guess(columns, search);
}

/** The columns of `Date+Time`, or one whose name is just that. */
function findNamed({ columns, flags }: Search, text: string): readonly SampledColumn[] {
  const whole = columns.find(({ name }) => name === text);
  if (whole) return [whole];
  return text.split("+").map((name) => findColumn(columns, name.trim(), flags.time));
}

/** @throws TorusError `invalid` naming columns that there are */
export function findColumn<T extends { readonly name: string }>(
  columns: readonly T[],
  name: string,
  flag: string,
): T {
  const found = columns.find((column) => column.name === name);
  if (found) return found;
  const names = columns.map((column) => column.name);
  const near = suggestClosest(name, names);
  throw refuse(flag, "unknownColumn", name, near, names.join(", "));
}

function readByFormat(
  { columns, options, flags }: Search,
  named: readonly SampledColumn[] | undefined,
): TimeColumn {
  const read = createWrittenTimeReader(options.timeFormat!, flags.format);
  const label = `times of the form ${options.timeFormat}`;
  if (named) return joined(named, { label, read });
  const ranked = columns.toSorted((a, b) => timeRank(a.name) - timeRank(b.name));
  const readable = ranked.filter(
    ({ cells }) => cells.length > 0 && cells.filter((cell) => read(cell)).length * 2 > cells.length,
  );
  const column = readable[0];
  if (!column) {
    const likely = ranked[0]!;
    const [cell, ways] = [quote(likely.cells[0] ?? ""), [flags.format, flags.time]];
    throw malformed(likely, "noForm", likely.name, cell, options.timeFormat!, ways);
  }
  return single(column, { label, read });
}

function single(
  { name, index }: SampledColumn,
  { label, read }: Pick<TimeKind, "label" | "read">,
): TimeColumn {
  return { name, indexes: [index], label, read: (cells) => read(cells[index]!) };
}

/** The kind of a column; numbers of weeks, which look like those of months, are none. */
function study({ name, cells }: SampledColumn, { options }: Search): TimeKind | undefined {
  const areWeeks = namesWeek(name) && cells.every((cell) => /^(\d{4}[-/]?\d\d|\d\d?[-/]\d{4})$/.test(cell));
  return areWeeks ? undefined : studyTime(cells, options.nowAt);
}

function takeNamed(column: SampledColumn, search: Search): TimeColumn {
  const kind = study(column, search);
  if (!kind || kind.kind === "clock") throw noTime(column, kind, search);
  return single(column, decided(column, kind, search));
}

/** @throws TorusError `invalid` for a date that can be read in two ways */
function decided(column: SampledColumn, kind: TimeKind, { flags }: Search): TimeKind {
  if (!kind.rival) return kind;
  const { cell, orders } = kind.rival;
  const forms = orders.map((order) => `'${patternOf(cell, order)}'`);
  throw malformed(column, "dayOrMonth", column.name, quote(cell), flags.format, forms);
}

/** The pattern of a date in numbers, as the option takes it. */
function patternOf(cell: string, order: string): string {
  const [written = "", , separator = "/", , year = ""] = /^(\d+)([-/.])(\d+)[-/.](\d+)/.exec(cell) ?? [];
  const letterOf = (part: string) => (part === "y" && year.length === 4 ? "Y" : part);
  const date = [...order].map((part) => `%${letterOf(part)}`).join(separator);
  const clock = /^([,T\s]*)\d\d?:\d\d(:\d\d)?([.,]\d+)?(\s?[AaPp][Mm])?/.exec(cell.slice(written.length));
  if (!clock) return date;
  const [, gap, seconds = "", fraction = "", half = ""] = clock;
  const time = `${half ? "%I" : "%H"}:%M${seconds && ":%S"}${fraction && `${fraction[0]}%f`}`;
  return `${date}${gap}${time}${half.replace(/\w+/, "%p")}`;
}

/** Several columns that were named: a date and a time of day in any order, parts from the year on, or one text. */
function joinNamed(named: readonly SampledColumn[], search: Search): TimeColumn {
  const kinds = named.map((column) => study(column, search));
  const date = named.find((_, i) => kinds[i]?.kind === "date" && !kinds[i].hasTime);
  const clock = named.find(
    (column, i) => column !== date && (kinds[i]?.kind === "clock" || readsAsClock(column)),
  );
  if (named.length === 2 && date && clock && date !== clock) return joinTwo({ date, clock }, search);
  if (named.every(({ name }) => componentOf(name) >= 0)) return joinComponents(named);
  const texts = named[0]!.cells.map((_, row) => named.map(({ cells }) => cells[row]).join(" "));
  const kind = studyTime(texts, search.options.nowAt);
  const column = { ...named[0]!, name: nameOf(named), cells: texts };
  if (!kind || kind.kind === "clock") throw noTime(column, kind, search);
  return joined(named, decided(column, kind, search));
}

/** Columns whose texts are one. */
function joined(
  named: readonly SampledColumn[],
  { label, read }: Pick<TimeKind, "label" | "read">,
): TimeColumn {
  const indexes = named.map(({ index }) => index);
  return {
    name: nameOf(named),
    indexes,
    label,
    read: (cells) => read(indexes.map((i) => cells[i]).join(" ")),
  };
}

function joinTwo({ date, clock }: Record<"date" | "clock", SampledColumn>, search: Search): TimeColumn {
  const dates = decided(date, study(date, search)!, search);
  const clocks = study(clock, search);
  const join = joinDateAndClock(dates.read, clocks?.kind === "clock" ? clocks.read : readsAsClock(clock)!);
  return {
    name: `${date.name}+${clock.name}`,
    indexes: [date.index, clock.index],
    label: `${dates.label}, with times of day`,
    read: (cells) => join(cells[date.index]!, cells[clock.index]!),
  };
}

/** The reader of numbers that are times of day: hours by their name, or digits such as 0815. */
function readsAsClock({ name, cells }: SampledColumn): ReadTime | undefined {
  if (cells.length === 0) return undefined;
  if (componentOf(name) === 3 && cells.every((cell) => readHour(cell))) return readHour;
  if (isClockName(name) && cells.every((cell) => readDottedTimeOfDay(cell))) return readDottedTimeOfDay;
  return studyClockDigits(cells);
}

/** Dates before numbers since the epoch before other numbers; among equals by name, then the first. */
function guess(columns: readonly SampledColumn[], search: Search): TimeColumn {
  const found = columns
    .map((column) => ({ column, kind: study(column, search) }))
    .filter((each): each is Candidate => each.kind !== undefined);
  const best = (kind: TimeKind["kind"]) => rank(found.filter((each) => each.kind.kind === kind));
  const date = best("date")[0];
  const certain = date && findCertain(date, rank(found));
  if (certain) return single(certain.column, certain.kind);
  if (date) return withZones(withClock(date, best("clock"), search), date, search);
  const parts = findComponents(columns);
  if (parts) return joinComponents(parts);
  const weeks = findWeeks(columns);
  if (weeks) return weeks;
  const epoch = best("epoch");
  const weak = best("weak").filter(({ column }) => timeRank(column.name) < Infinity);
  const chosen = epoch[0] ?? weak[0];
  if (chosen && (timeRank(chosen.column.name) < Infinity || (epoch.length < 2 && mayBeTimes(chosen.column))))
    return single(chosen.column, chosen.kind);
  if (chosen) {
    const names = epoch.map(({ column }) => column.name).join(", ");
    throw refuse(search.flags.time, "severalTimes", names);
  }
  const wide = explainWideTimes(
    columns.map(({ name }) => name),
    search.flags,
    false,
  );
  if (wide) throw wide;
  const likely = rank(columns.map((column) => ({ column })))[0]!.column;
  throw noTime(likely, study(likely, search), search);
}

/** Whether numbers in the range of times are some: those of another name, as of orders or bytes, have no steps of a length. */
function mayBeTimes({ name, cells }: SampledColumn): boolean {
  const stepAt = (i: number) => Number(cells[i + 1]) - Number(cells[i]);
  const alike = cells.filter((_, i) => stepAt(i) === stepAt(0));
  return (alike.length * 2 > cells.length && stepAt(0) ** 2 > 1) || /^..?$|time|date/i.test(name);
}

function rank<T extends { readonly column: SampledColumn }>(candidates: readonly T[]): T[] {
  return candidates.toSorted((a, b) => timeRank(a.column.name) - timeRank(b.column.name));
}

/** A date joined with the time of day in another column, if it has none itself. */
function withClock({ column, kind }: Candidate, clocks: readonly Candidate[], search: Search): TimeColumn {
  const hours = search.columns.filter(
    (each) =>
      each !== column && (componentOf(each.name) === 3 || isClockName(each.name)) && readsAsClock(each),
  );
  const own = clocks.filter((each) => belongsTo({ column, kind }, each));
  const others = clocks.length > 1 ? clocks : [];
  const named = (own.length > 0 ? own : others).map((each) => each.column);
  const [clock, other] = clocksOf(column, named.length > 0 ? named : hours);
  if (kind.hasTime || !clock) return single(column, decided(column, kind, search));
  const isUnclear = other && (own.length === 0 || timeRank(clock.name) === timeRank(other.name));
  if (isUnclear)
    throw refuse(search.flags.time, "severalClocks", clock.name, other.name, `${column.name}+${clock.name}`);
  return joinTwo({ date: column, clock }, search);
}

/** Whether a column named as a time begins with a year before those that are read. */
function isEarlyYear({ name, cells }: SampledColumn): boolean {
  return componentOf(name) === 0 && /^1[0-8]\d\d$/.test(cells[0] ?? "");
}

/** The error of a column that is no time, with the readings that were tried. */
function noTime(column: SampledColumn, kind: TimeKind | undefined, { flags }: Search) {
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
