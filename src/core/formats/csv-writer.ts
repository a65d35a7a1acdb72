// CSV of a table by RFC 4180, in pieces: a header line, times as RFC 3339 in UTC, an empty field for null.
import { type Cell, type ColumnType, cutTable, instantOf, type Table, type TableSlice } from "./table.ts";

/** Some milliseconds of work. */
const PIECE = { rows: 8192, cells: 40_000 } as const;

/** Numbers are written as in JSON: reading them yields the same bits. */
export function* csvPieces(table: Table): Generator<string> {
  yield `${table.columns.map(({ name }) => quoteField(name)).join(",")}\r\n`;
  const types = table.columns.map(({ type }) => type);
  for (const part of cutTable(table, PIECE)) yield part.map((slice) => writeSlice(slice, types)).join("");
}

function writeSlice({ block, from, to }: TableSlice, types: readonly ColumnType[]): string {
  let text = "";
  for (let row = from; row < to; row++) {
    for (const [i, type] of types.entries())
      text += (i === 0 ? "" : ",") + writeCell(block.cells[i]!(row), type);
    text += "\r\n";
  }
  return text;
}

function writeCell(cell: Cell, type: ColumnType): string {
  if (cell === null || cell === undefined) return "";
  if (type === "time") return new Date(instantOf(cell)).toISOString();
  if (type === "number") return Number.isFinite(cell) ? String(cell) : "";
  return quoteField(String(cell));
}

/** Quoted where a comma, a quote, a line break or an outer blank would be read otherwise (RFC 4180, section 2). */
export function quoteField(text: string): string {
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
