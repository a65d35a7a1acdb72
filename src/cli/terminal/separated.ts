// Renders tables as CSV (RFC 4180) or TSV.
export type Cell = string | number | boolean | null | undefined;

const LINE_END = "\r\n";

/** Quotes cells with a comma, quote or line break; missing values are empty cells. Ends with a line break. */
export function renderCsv(header: readonly string[], rows: Iterable<readonly Cell[]>): string {
  const render = (cells: readonly Cell[]) =>
    `${cells.map((cell) => quoteCell(textOf(cell))).join(",")}${LINE_END}`;
  return [render(header), ...Array.from(rows, render)].join("");
}

/** TSV has no quoting: tabs and line breaks within cells become blanks. */
export function renderTsv(header: readonly string[], rows: Iterable<readonly Cell[]>): string {
  const render = (cells: readonly Cell[]) =>
    `${cells.map((cell) => textOf(cell).replace(/[\t\r\n]+/g, " ")).join("\t")}\n`;
  return [render(header), ...Array.from(rows, render)].join("");
}

function textOf(cell: Cell): string {
  return cell === null || cell === undefined ? "" : String(cell);
}

function quoteCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
