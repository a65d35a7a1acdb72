// Names of the columns of a CSV file: from its header, an option, a comment or made up; rows beside it are left out.
import type { CsvRow } from "../csv-reader.ts";
import { isDate, readTimeOfDay } from "./cell-date.ts";
import { isTimeName } from "./column-names.ts";
import type { Dialect } from "./dialect.ts";
import { joinTables } from "./flux.ts";
import { dissect } from "./numbers.ts";
import type { CsvOptions } from "./options.ts";
import { isData, isFootnote, isHeader, isName, lacksIndex } from "./row-content.ts";
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
  /** Every row after the header, placed. */
  readonly body: readonly CsvRow[];
  /** Those of points, as wide as the header. */
  readonly rows: readonly CsvRow[];
  /** The first one that is narrower than the header. */
  readonly narrow: CsvRow | undefined;
  /** A row below the header in the order of the names; undefined for one that says the same as the header, or nothing. */
  readonly place: (row: CsvRow) => CsvRow | undefined;
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
/** Rows above a header that may be as wide, and rows that say something of its columns. */
const MAX_TITLES = 20;
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
  const flux = joinTables(header, body, annotated?.split(dialect.delimiter));
  const names = makeUnique(flux?.names ?? header, notes);
  const isHead = ({ cells }: CsvRow) => cells[0] === header[0] && cells.join("\n") === header.join("\n");
  const place = flux?.place ?? ((row: CsvRow) => (isHead(row) || isRule(row) ? undefined : row));
  const own = (options.header ? body : dropNotes(body, names, notes)).flatMap((row) => place(row) ?? []);
  // Of a short table, footnotes would decide what its times are.
  const end = own.findLastIndex(({ cells }) => !isFootnote(cells)) + 1 || own.length;
  const filled = own.slice(0, end).filter(({ cells }) => !cells.every(search.isMissing));
  const isWide = ({ cells }: CsvRow) => cells.length >= names.length;
  const plain = filled.filter(({ cells }) => !cells[0]!.startsWith("#"));
  // Numbers of orders begin as comments do.
  const present = plain.some(isWide) || !filled.some(isWide) ? plain : filled;
  const wide = present.filter(isWide);
  const narrow = present.find((row) => !isWide(row));
  const points = wide.filter(({ cells }) => !isTotal(cells));
  // In a long table the texts may be those of series.
  const sampled = 2 * points.length > wide.length ? points : wide;
  return { names, titles, body: own, rows: sampled, narrow, place, groupKey: flux?.groupKey, notes };
}

/** Whether a cell is the type of a column, as databases name them: `Nullable(Float64)`. */
function isType(cell: string): boolean {
  return /(^|\()(u?int|float|double|decimal|bigint|long|bool|string|text|varchar|date|timestamp)\w{0,4}\d*(\(|\)|$)/i.test(
    cell,
  );
}

/** A line between rows of a table that is drawn with characters, or the number of its rows, and their time, below. */
function isRule({ cells }: CsvRow): boolean {
  const text = cells.join("");
  if (text === cells[0] && /^(\(?\d+ (row|Zeile|record)|Time: [\d.,]+ ms)/.test(text)) return true;
  return /---|──/.test(text) && /^[-+:=|─-╿]*$/.test(text);
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
  const header = lacksIndex(first, rest) ? ["", ...first.cells] : trimEnd(first, rest);
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
  const found = top.findIndex(({ cells }) => isHeader(cells) && !cells.every(isType));
  return top.slice(0, Math.max(0, found)).some(({ cells }) => isData(cells)) ? 0 : Math.max(0, found);
}

/** Whether the names of two rows are needed to tell columns apart: `room1,,room2,` above `temp,hum,temp,hum`. */
function isGrouping(upper: readonly string[], lower: readonly string[]): boolean {
  const names = lower.filter(isName);
  const areNames = [...upper, ...lower].filter(Boolean).every(isName);
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
  return header.cells.slice(0, Math.max(width, header.cells.findLastIndex(Boolean) + 1));
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
    for (let number = next.get(name) ?? 2; name && used.has(own); number++) {
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

/** Drops rows below the header that say something of the columns, as units, types and origins, above the first of data. */
function dropNotes(body: readonly CsvRow[], names: readonly string[], notes: Note[]): readonly CsvRow[] {
  const isValue = (cell: string) => dissect(cell) ?? isDate(cell);
  const top = body.slice(0, MAX_TITLES);
  const data =
    top.find(({ cells }) => isData(cells) && cells.some(isDate)) ??
    top.find(({ cells }) => cells.some(isValue));
  if (!data || names.some(isDate)) return body;
  const above = top.slice(0, top.indexOf(data));
  const at = Math.max(0, data.cells.findIndex(isDate));
  const isTimed = isTimeName(names[at] ?? "");
  const isNote = ({ cells }: CsvRow) =>
    cells.every(isType) ||
    // The name of an index stands alone in a row.
    !(isValue(cells[at] ?? "") || (!isTimed && cells.some(isTimeName) && cells.slice(1).some(Boolean)));
  const numeric = above.filter(({ cells }) => cells.some(dissect));
  if (!above.every(isNote) || 2 * numeric.length >= above.length) return body;
  for (const { line, cells } of above)
    notes.push((words) => words.units(line, quote(cells.filter(Boolean).join(", "))));
  return body.slice(above.length);
}
