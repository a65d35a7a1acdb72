// Incremental CSV parser (RFC 4180): quotes, any line ends, delimiter detection; skips empty lines.
import { malformed } from "./csv/words/refusal.ts";

/** An unclosed quote would read the rest of the file as one cell. */
const MAX_ROW_LENGTH = 1_000_000;
export const DELIMITERS = [",", ";", "\t", "|", "│"];
const BLANK = " ";

export interface CsvRow {
  /** Number of its first line, from 1. */
  readonly line: number;
  readonly cells: readonly string[];
  /** Length in the text, in characters. */
  readonly length: number;
}

/** Turns chunks of text into rows as they become complete. */
export class CsvReader {
  #rest = "";
  #line: number;
  #delimiter: string | undefined;
  /** Line end of the file, detected at its first line. */
  #lineEnd: "\n" | "\r" | undefined;
  /** Where the columns begin, of a table that a line of dashes shows them of. */
  readonly #starts: readonly number[];

  /**
   * @param delimiter a character, or such a line; default: the most frequent of `,` `;` tab and `|` in the first line
   * @param firstLine number of the line that the text begins with
   * @param trimsQuoted whether blanks within quotes are left out, too: programs align numbers by them
   */
  constructor(
    delimiter?: string,
    firstLine = 1,
    private readonly trimsQuoted = false,
  ) {
    this.#delimiter = delimiter;
    this.#starts = [...(delimiter ?? "").matchAll(/--+/g)].map(({ index }) => index);
    this.#line = firstLine;
  }

  /** @throws TorusError `invalid` naming the line */
  push(text: string): CsvRow[] {
    const whole = this.#rest + text;
    const rows: CsvRow[] = [];
    let start = 0;
    this.#lineEnd ??= findLineEnd(whole, this.#delimiters);
    for (let end = this.#findEnd(whole, start); end >= 0; end = this.#findEnd(whole, start)) {
      const row = this.#read(whole.slice(start, end));
      if (row) rows.push(row);
      start = end + 1;
    }
    this.#rest = whole.slice(start);
    if (this.#rest.length > MAX_ROW_LENGTH) throw malformed({ line: this.#line }, "longLine");
    return rows;
  }

  /** The last row, if the text does not end with a line end. @throws TorusError `invalid` */
  end(): CsvRow[] {
    const raw = this.#rest;
    this.#rest = "";
    if (endsQuoted(raw, this.#delimiters)) throw malformed({ line: this.#line }, "openQuote");
    const row = this.#read(raw);
    return row ? [row] : [];
  }

  #findEnd(text: string, start: number): number {
    return this.#lineEnd === undefined ? -1 : findEnd(text, start, this.#lineEnd, this.#delimiters);
  }

  /** Those that a cell may begin after. */
  get #delimiters(): string {
    return this.#delimiter ?? DELIMITERS.join("");
  }

  #read(written: string): CsvRow | undefined {
    const line = this.#line;
    this.#line += written.split(this.#lineEnd ?? "\n").length;
    const raw = (line === 1 ? written.replace(/^\ufeff/, "") : written).replace(/\r$/, "");
    // Loggers that lose power leave zeros.
    if (!/[^\s\0]/.test(raw)) return undefined;
    this.#delimiter ??= guessDelimiter(raw);
    return { line, cells: this.#split(raw, this.#delimiter, line), length: written.length + 1 };
  }

  #split(raw: string, delimiter: string, line: number): readonly string[] {
    if (this.#starts.length > 0) return cutAt(raw, this.#starts);
    return raw.includes('"')
      ? splitQuoted(raw, delimiter, line).map((cell) => (this.trimsQuoted ? cell.trim() : cell))
      : splitPlain(raw, delimiter);
  }
}

/** The cells of an aligned line; one alone where a text goes on into the next column. */
function cutAt(raw: string, starts: readonly number[]): string[] {
  const isCut = starts.some((start) => start > 0 && (raw[start - 1] ?? " ") !== " ");
  return isCut ? [raw.trim()] : starts.map((start, i) => raw.slice(i && start, starts[i + 1]).trim());
}

/** A carriage return alone ends lines where the first line ends so, as old programs and some spreadsheets write it. */
function findLineEnd(text: string, delimiters: string): "\n" | "\r" | undefined {
  const feed = findEnd(text, 0, "\n", delimiters);
  const carriage = findEnd(text, 0, "\r", delimiters);
  if (carriage < 0 || (feed >= 0 && feed <= carriage + 1)) return feed < 0 ? undefined : "\n";
  // At the end of a chunk, a line feed may still follow.
  return carriage === text.length - 1 ? undefined : "\r";
}

/** Index of the line end of the row that starts at `start`; -1 if it is still to come. */
function findEnd(text: string, start: number, lineEnd: string, delimiters: string): number {
  let end = text.indexOf(lineEnd, start);
  let isOpen = false;
  for (let from = start; end >= 0; from = end + 1, end = text.indexOf(lineEnd, from)) {
    isOpen = endsQuoted(text.slice(from, end), delimiters, isOpen);
    if (!isOpen) return end;
  }
  return -1;
}

/** Whether a quote is open at the end. One in the middle of a cell is text, as in `12" disk`. */
function endsQuoted(text: string, delimiters: string, isQuoted = false): boolean {
  let isOpen = isQuoted;
  let closedAt = -2;
  for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 1)) {
    if (isOpen) closedAt = at;
    // Two in a row are one of the text.
    isOpen = !isOpen && (closedAt === at - 1 || beginsCell(text, at, delimiters));
  }
  return isOpen;
}

function beginsCell(text: string, at: number, delimiters: string): boolean {
  let before = at - 1;
  while (
    before >= 0 &&
    (text[before] === " " || text[before] === "\t") &&
    !delimiters.includes(text[before]!)
  )
    before--;
  return before < 0 || text[before] === "\ufeff" || delimiters.includes(text[before]!);
}

/** Blanks align columns: a run of them is one separator, and none at the ends of a line. */
function splitPlain(raw: string, delimiter: string): string[] {
  const cells = raw.split(delimiter).map((cell) => cell.trim());
  return delimiter === BLANK ? cells.filter((cell) => cell !== "") : cells;
}

function splitQuoted(raw: string, delimiter: string, line: number): string[] {
  const cells: string[] = [];
  for (let at = 0; at <= raw.length; ) {
    const [cell, end] = readCell(raw, at, delimiter, line);
    const isOfRun = delimiter === BLANK && end === at;
    if (!isOfRun) cells.push(cell);
    at = end + 1;
  }
  return cells;
}

/** The cell at `at` without surrounding blanks, and its end. */
function readCell(raw: string, at: number, delimiter: string, line: number): [cell: string, end: number] {
  const after = raw.indexOf(delimiter, at);
  const plainEnd = after < 0 ? raw.length : after;
  let begin = skipBlanks(raw, at, delimiter);
  // Spreadsheets keep a text as it is by ="...".
  if (raw.startsWith('="', begin)) begin++;
  if (raw[begin] !== '"') return [raw.slice(at, plainEnd).trim(), plainEnd];
  let cell = "";
  for (let from = begin + 1; ; ) {
    const quote = raw.indexOf('"', from);
    if (quote < 0) throw malformed({ line }, "openQuote");
    cell += raw.slice(from, quote);
    if (raw[quote + 1] !== '"') {
      const end = skipBlanks(raw, quote + 1, delimiter);
      if (end < raw.length && !raw.startsWith(delimiter, end)) throw malformed({ line }, "afterQuote");
      return [cell, end];
    }
    cell += '"';
    from = quote + 2;
  }
}

function skipBlanks(raw: string, from: number, delimiter: string): number {
  let at = from;
  while (raw[at] !== delimiter && (raw[at] === " " || raw[at] === "\t")) at++;
  return at;
}

function guessDelimiter(header: string): string {
  const count = (delimiter: string) => header.replace(/"[^"]*"/g, "").split(delimiter).length;
  return DELIMITERS.reduce((best, next) => (count(next) > count(best) ? next : best));
}

/** Words for a missing value. */
const missing = new Set(["", "nan", "null", "na", "n/a", "none", "-"]);

/** The number in a cell. @returns undefined for a missing value, NaN for text that is no number */
export function toNumber(cell: string): number | undefined {
  const word = cell.trim();
  if (missing.has(word.toLowerCase())) return undefined;
  const value = /^[+-]?(\d|\.\d)/.test(word) ? Number(word) : Number.NaN;
  return Number.isFinite(value) ? value : Number.NaN;
}
