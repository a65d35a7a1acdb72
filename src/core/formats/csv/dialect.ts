// Dialect of a CSV file from its first lines: what stands before the header, and the separator.
import { TorusError } from "../../errors.ts";
import { CsvReader, type CsvRow, DELIMITERS } from "../csv-reader.ts";
import { isData, isHeader, lacksIndex } from "./row-content.ts";

export interface Dialect {
  readonly delimiter: string;
  /** Offset of the first line that holds columns. */
  readonly offset: number;
  /** Its number, from 1. */
  readonly line: number;
  /** Lines that begin with # before it, without line ends. */
  readonly comments: readonly string[];
  /** Lines of other text before it. */
  readonly titles: readonly string[];
}

/** Rows that the separator is chosen by. */
const MAX_ROWS = 100;
/** Rows at the top that may hold a title. */
const MAX_TITLES = 20;

/**
 * @param text beginning of the file
 * @param skipLines lines that are left out whatever they hold
 */
export function findDialect(
  text: string,
  {
    delimiter,
    skipLines = 0,
  }: { readonly delimiter?: string | undefined; readonly skipLines?: number | undefined },
): Dialect {
  const end = /\r\n|\n|\r/.exec(text)?.[0] ?? "\n";
  const start = Number(text.startsWith("\ufeff"));
  const lines = text.slice(start).split(end);
  const offsetOf = (line: number) => start + [...lines.slice(0, line), ""].join(end).length;
  let at = Math.min(skipLines, lines.length - 1);
  const named = /^"?sep=(.)"? *$/i.exec(lines[at]!)?.[1];
  if (named !== undefined) at++;
  const comments: string[] = [];
  for (; at < lines.length && /^\s*(#|$)/.test(lines[at]!); at++) comments.push(lines[at]!.trim());
  const rest = text.slice(offsetOf(at));
  const chosen = delimiter ?? named ?? chooseDelimiter(rest);
  const titles: string[] = [];
  for (let count = countTitles(rest, chosen); titles.length < count && at < lines.length; at++)
    if (lines[at]!.trim()) titles.push(lines[at]!.trim());
  return {
    delimiter: chosen,
    offset: offsetOf(at),
    line: at + 1,
    comments: comments.filter(Boolean),
    titles,
  };
}

function firstRows(text: string, delimiter: string): readonly CsvRow[] {
  try {
    return new CsvReader(delimiter).push(`${text.slice(0, 200_000)}\n`).slice(0, MAX_ROWS);
  } catch (error) {
    if (error instanceof TorusError) return [];
    throw error;
  }
}

/** The separator by which most rows have as many cells, and then by which most cells are numbers or dates. */
function chooseDelimiter(text: string): string {
  if (isAligned(firstRows(text, " "))) return " ";
  // Command lines of databases draw the columns with dashes.
  const ruler = /^ *--+(?: +--+)+ *$/m.exec(text.slice(0, 10_000));
  if (ruler) return ruler[0];
  const scored = DELIMITERS.map((delimiter) => {
    const rows = firstRows(text, delimiter);
    const width = commonWidth(rows);
    const alike = width < 2 ? [] : rows.filter(({ cells }) => cells.length === width);
    const plain = alike.flatMap(({ cells }) => cells).filter((cell) => /^[\d.:/ +T'Z-]+(,\d+)?$/.test(cell));
    return { delimiter, alike: alike.length, plain: plain.length, width };
  });
  scored.sort((a, b) => b.alike - a.alike || b.plain - a.plain || b.width - a.width);
  return scored[0]!.delimiter;
}

/** Whether blanks alone separate the columns: all rows are as wide, and no other separator stands but decimal commas. */
function isAligned(rows: readonly CsvRow[]): boolean {
  const [first, second] = rows;
  if (!first || !second) return false;
  const width = lacksIndex(first, rows.slice(1)) ? first.cells.length : second.cells.length;
  return (
    width > 1 &&
    rows.every(
      ({ cells }, i) =>
        cells.length === (i === 0 ? width : second.cells.length) &&
        cells.every((cell) => /^([^,;|\t]*|[+-]?\d+,\d+)$/.test(cell)),
    )
  );
}

/** The most frequent number of cells above 1; 1 if there is none. */
function commonWidth(rows: readonly CsvRow[]): number {
  const counts = new Map<number, number>();
  for (const { cells } of rows)
    if (cells.length > 1) counts.set(cells.length, (counts.get(cells.length) ?? 0) + 1);
  return [...counts].sort(([a, m], [b, n]) => n - m || b - a)[0]?.[0] ?? 1;
}

/** Rows before the header, or the first one that is about as wide as the rest; none where no row is. */
function countTitles(text: string, delimiter: string): number {
  const rows = firstRows(text, delimiter);
  const width = commonWidth(rows);
  // A header may lack, or have, the separator at the end of the other lines.
  const found = rows.findIndex(
    ({ cells }) =>
      Math.abs(cells.length - width) <= (width > 2 ? 1 : 0) &&
      cells.filter(Boolean).length > (width > 2 ? 1 : 0),
  );
  if (found < 1 || found > MAX_TITLES) return 0;
  // A header of another width than the rows is no title: they are refused.
  const header = isData(rows[found]!.cells)
    ? rows.slice(0, found).findLastIndex(({ cells }) => isHeader(cells))
    : -1;
  return header < 0 ? found : header;
}
