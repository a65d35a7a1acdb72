// Names of the columns of a CSV file: from its header, an option, a comment or made up; rows beside it are left out.
import type { CsvRow } from "../csv-reader.ts";
import { isDate, readTimeOfDay } from "./cell-date.ts";
import { isTimeName } from "./column-names.ts";
import type { Dialect } from "./dialect.ts";
import { dissect } from "./numbers.ts";
import type { CsvOptions } from "./options.ts";
import { isData, isName } from "./row-content.ts";
import type { CsvWords } from "./words/reading.ts";
import { malformed, quote, refuse } from "./words/refusal.ts";
import { isTotal } from "./words/totals.ts";

/** A sentence of a report. */
type Note = (words: CsvWords) => string;

export interface NamedRows {
  /** Unique; empty for a column without a name. */
  readonly names: readonly string[];
  /** Cells above the header. */
  readonly titles: readonly string[];
  /** Every row after the header. */
  readonly body: readonly CsvRow[];
  /** Those of points, as wide as the header. */
  readonly rows: readonly CsvRow[];
  /** The first one that is narrower than the header. */
  readonly narrow: CsvRow | undefined;
  /** Rows that say the same as the header, or nothing. */
  readonly isRepeated: (row: CsvRow) => boolean;
  /** Columns of the group key of an annotated file of InfluxDB. */
  readonly groupKey?: ReadonlySet<string> | undefined;
  /** What a report says of them. */
  readonly notes: readonly Note[];
}

interface Search {
  readonly dialect: Dialect;
  readonly options: CsvOptions;
  readonly isMissing: (cell: string) => boolean;
}

/** A point has no more fields. */
const MAX_COLUMNS = 10_000;
/** Rows above a header that may be as wide. */
const MAX_TITLES = 20;
/** Rows of units below a header. */
const MAX_UNIT_ROWS = 2;
/** @throws TorusError `invalid` for a file without rows */
export function findNames(rows: readonly CsvRow[], search: Search): NamedRows {
  const { dialect, options } = search;
  const notes: Note[] = [];
  const annotated = dialect.comments.find((comment) => comment.startsWith("#group"));
  const drawn = rows.filter((row) => !isRule(row));
  const { header, body } = findHeader(drawn, search, notes);
  const titles = drawn.slice(0, Math.max(0, drawn.length - body.length - 1)).flatMap(({ cells }) => cells);
  if (header.length > MAX_COLUMNS)
    throw refuse("header", "manyColumns", header.length, MAX_COLUMNS, options.flags.delimiter);
  const names = makeUnique(header, notes);
  const text = JSON.stringify(header);
  const own = options.header ? body : dropUnits(body, names, search, notes);
  const isRepeated = (row: CsvRow) =>
    JSON.stringify(row.cells) === text || isRule(row) || (annotated !== undefined && isAnnotation(row));
  const filled = own.filter(
    (row) => !isRepeated(row) && !row.cells.every(search.isMissing) && !row.cells[0]!.startsWith("#"),
  );
  const wide = filled.filter(({ cells }) => cells.length >= names.length);
  const narrow = filled.find(({ cells }) => cells.length < names.length);
  const groupKey = keysOf(annotated?.split(dialect.delimiter), names);
  const points = wide.filter(({ cells }) => !isTotal(cells));
  // In a long table the texts may be those of series.
  const sampled = 2 * points.length > wide.length ? points : wide;
  return { names, titles, body: own, rows: sampled, narrow, isRepeated, groupKey, notes };
}

/** Whether a cell is the type of a column, as databases name them: `Nullable(Float64)`. */
function isType(cell: string): boolean {
  return /(^|\()(u?int|float|double|decimal|bigint|long|bool|string|text|varchar|date|timestamp)\w{0,4}\d*(\(|\)|$)/i.test(
    cell,
  );
}

/** A line between rows of a table that is drawn with characters, or the number of its rows below. */
function isRule({ cells }: CsvRow): boolean {
  if (cells.length === 1 && /^\(?\d+ (rows?|Zeilen?)\b/.test(cells[0]!)) return true;
  const text = cells.join("");
  return text.includes("---") && /^[-+:=|]*$/.test(text);
}

function isAnnotation({ cells }: CsvRow): boolean {
  return /^#(group|datatype|default)$/.test(cells[0]!);
}

/** Columns that are true in the annotation `#group`; without annotations all that Flux does not make itself. */
function keysOf(
  flags: readonly string[] | undefined,
  names: readonly string[],
): ReadonlySet<string> | undefined {
  if (!flags && !names.join().startsWith(",result,table,")) return undefined;
  const isKey = (name: string, i: number) =>
    flags ? flags[i] === "true" : !/^(|table|result|_time|_value)$/.test(name);
  return new Set(names.filter((name, i) => isKey(name, i) && !name.startsWith("_st")));
}

function findHeader(
  rows: readonly CsvRow[],
  search: Search,
  notes: Note[],
): { readonly header: readonly string[]; readonly body: readonly CsvRow[] } {
  const { dialect, options } = search;
  if (options.header) return { header: options.header, body: rows };
  const start = findStart(rows);
  const [first, ...rest] = rows.slice(start);
  if (!first) throw malformed(dialect, "noHeader", options.flags.skip);
  const header = trimEnd(first, rest);
  const [above, below] = [rows[start - 1]?.cells, rest[0]?.cells];
  const isJoined = above && isGrouping(above, header);
  const left = rows.slice(0, isJoined ? start - 1 : start);
  if (left.length > 0) notes.push(sayTitles(left.map(({ cells }) => cells.filter(Boolean).join(" "))));
  if (isJoined) return { header: joinNames(above, header, notes), body: rest };
  if (!isData(first.cells)) {
    if (below && isGrouping(header, below) && new Set(header).size < header.length)
      return { header: joinNames(header, below, notes), body: rest.slice(1) };
    return { header, body: rest };
  }
  const comment = dialect.comments
    .map((line) => line.replace(/^#+\s*/, ""))
    .findLast(Boolean)
    ?.split(dialect.delimiter)
    .map((cell) => cell.trim());
  if (comment?.length === first.cells.length && !isData(comment)) {
    notes.push((words) => words.commentNames());
    return { header: comment, body: rows };
  }
  const cells = makeUp(first.cells);
  notes.push((words) => words.noNames(first.line, cells.join(", "), options.flags.header));
  return { header: cells, body: rows };
}

/** What a report says of lines before the header. */
export function sayTitles(lines: readonly string[]): Note {
  return (words) => words.titles(lines.length, lines.join(" / ").slice(0, 80));
}

/** A later row is the header where it names a time, and holds nothing but names, and none before it does. */
function findStart(rows: readonly CsvRow[]): number {
  const top = rows.slice(0, MAX_TITLES);
  const found = top.findIndex(({ cells }) => cells.some(isTimeName));
  const isStart =
    found > 0 &&
    top[found]!.cells.every(isName) &&
    !top[found]!.cells.every(isType) &&
    !top.slice(0, found).some(({ cells }) => isData(cells));
  return isStart ? found : 0;
}

/** Whether the names of two rows are needed to tell columns apart: `room1,,room2,` above `temp,hum,temp,hum`. */
function isGrouping(upper: readonly string[], lower: readonly string[]): boolean {
  const names = lower.filter(isName);
  const areNames = [...upper, ...lower].every((cell) => cell === "" || isName(cell));
  const groups = upper.filter(Boolean).length;
  return areNames && lower.length === upper.length && groups >= 2 && new Set(names).size < names.length;
}

/** A name above stands for the columns up to the next one. */
function joinNames(upper: readonly string[], lower: readonly string[], notes: Note[]): string[] {
  let group = "";
  const cells = lower.map((name, i) => {
    group = upper[i] || group;
    return `${group === name ? "" : group} ${name}`.trim();
  });
  notes.push((words) => words.joinedNames(cells.slice(0, 3).join(", ")));
  return cells;
}

/** Without empty names that no row has a cell for. */
function trimEnd(header: CsvRow, rows: readonly CsvRow[]): readonly string[] {
  const width = Math.max(...rows.slice(0, 100).map(({ cells }) => cells.length), 1);
  let end = header.cells.length;
  while (end > width && header.cells[end - 1] === "") end--;
  return header.cells.slice(0, end);
}

/** Names by what the cells are. */
function makeUp(cells: readonly string[]): string[] {
  const at = Math.max(0, cells.findIndex(isDate));
  let count = 0;
  return cells.map((cell, i) => {
    if (i === at) return "time";
    if (readTimeOfDay(cell)) return "clock";
    return cells.length === 2 ? "value" : `value_${++count}`;
  });
}

/** Doubled names that are told one by one. */
const MAX_DOUBLED = 20;

function makeUnique(header: readonly string[], notes: Note[]): string[] {
  const used = new Set<string>();
  const given = new Set(header);
  /** By name, the number to try next. */
  const next = new Map<string, number>();
  let doubled = 0;
  const names = header.map((raw) => {
    const name = raw.replace(/\s+/g, " ").trim();
    let own = name;
    for (let number = next.get(name) ?? 2; name !== "" && used.has(own); number++) {
      if (!given.has(`${name}_${number}`)) own = `${name}_${number}`;
      next.set(name, number + 1);
    }
    used.add(own);
    if (own !== name && ++doubled <= MAX_DOUBLED) notes.push((words) => words.doubled(name, own));
    return own;
  });
  if (doubled > MAX_DOUBLED) notes.push((words) => words.moreDoubled(doubled - MAX_DOUBLED));
  return names;
}

/** Drops rows of words below the header, as of units and types, where one with a time or number follows. */
function dropUnits(
  body: readonly CsvRow[],
  names: readonly string[],
  { isMissing }: Search,
  notes: Note[],
): readonly CsvRow[] {
  const isValue = (cell: string) => dissect(cell) ?? isDate(cell);
  const isOther = (cell: string) => isValue(cell) || /\d\d/.test(cell) || (!isTimed && isTimeName(cell));
  const isTimed = names.some(isTimeName);
  const areWords = ({ cells }: CsvRow) =>
    cells.length <= names.length && !cells.every(isMissing) && (cells.every(isType) || !cells.some(isOther));
  const dropped = body.slice(0, MAX_UNIT_ROWS);
  while (!dropped.every(areWords)) dropped.pop();
  if (names.some(isDate) || !body[dropped.length]?.cells.some(isValue)) return body;
  for (const { line, cells } of dropped)
    notes.push((words) => words.units(line, quote(cells.filter(Boolean).join(", "))));
  return body.slice(dropped.length);
}
