// Content of a CSV row: a header, or data.
import type { CsvRow } from "../csv-reader.ts";
import { isDate, readDate, readTimeOfDay } from "./cell-date.ts";
import { isNumberedName, isRowNumberName, isTimeName } from "./column-names.ts";
import { dissect } from "./numbers.ts";

/** Whether a cell can be the name of a column. */
export function isName(cell: string): boolean {
  return cell !== "" && !dissect(cell) && !readDate(cell, "dmy");
}

/** A row with a number or time in each cell, or a full date, holds no names; years do where they are all there is. */
export function isData(cells: readonly string[]): boolean {
  const present = cells.filter(Boolean);
  const isFullDate = (cell: string) => cell.length > 7 && readDate(cell, "dmy") !== undefined;
  const isValue = (cell: string) => dissect(cell) !== undefined || isDate(cell) || readTimeOfDay(cell);
  const isDated = present.some(isFullDate) && present.some((cell) => dissect(cell));
  return present.length > 1 && (isDated || present.every(isValue));
}

/** Whether a row holds nothing but names of several columns, one of them that of a time. */
export function isHeader(cells: readonly string[]): boolean {
  return cells.length > 1 && cells.every(isName) && cells.some(isTimeName);
}

/** Whether a header has no name for the first column, which counts the rows: tables of R are so. */
export function lacksIndex({ cells: header }: CsvRow, rows: readonly CsvRow[]): boolean {
  const [first, ...others] = rows.slice(0, 100).map(({ cells }) => cells);
  if (others.length === 0 || first![0] !== "1" || isRowNumberName(header[0]!)) return false;
  return [first!, ...others].every(
    (cells, i) => cells.length === header.length + 1 && Number(cells[0]) === i + 1,
  );
}

/** Whether a row can be a footnote of a table, as `Source: ...`: a text, and no number beside it. */
export function isFootnote(cells: readonly string[]): boolean {
  const [first = "", ...others] = cells.filter(Boolean);
  const isNumber = (cell: string) => /^\W*\d\P{L}*$/u.test(cell) && !isDate(cell);
  return /^\P{N}*[\p{L}©*]/u.test(first) && !isDate(first) && !others.some(isNumber);
}

/** Whether the numbers of a column count the rows, or are ids of them, and no measurement. */
export function isRowNumber({ name, cells }: { readonly name: string; readonly cells: readonly string[] }) {
  if (cells.length < 3) return false;
  if (isRowNumberName(name) && cells.every((cell, i) => Number(cell) === Number(cells[0]) + i)) return true;
  return (
    isNumberedName(name) && new Set(cells).size === cells.length && cells.every((cell) => /^\d+$/.test(cell))
  );
}
