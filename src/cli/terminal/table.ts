// Text tables: columns aligned by display width, control characters removed.
import { type Cell, renderCsv, renderTsv } from "./separated.ts";

export interface Column<T> {
  readonly title: string;
  /** Right-aligned, for numbers. */
  readonly align?: "right";
  readonly value: (row: T) => string;
  /** Name in CSV; absent: the title. */
  readonly key?: string;
  /** Cell in CSV; absent: the text of `value`, with `-` as an empty cell. */
  readonly raw?: (row: T) => Cell;
}

interface TableStyle {
  /** Whether the titles may be emphasised. */
  readonly colour: boolean;
}

/** Renders a table with titles, without trailing blanks. */
export function renderTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  { colour }: TableStyle,
): string {
  const cells = rows.map((row) => columns.map(({ value }) => clean(value(row))));
  const widths = columns.map(({ title }, i) =>
    cells.reduce((width, row) => Math.max(width, Bun.stringWidth(row[i]!)), Bun.stringWidth(title)),
  );
  const renderLine = (texts: readonly string[]) =>
    texts
      .map((text, i) => pad(text, widths[i]!, columns[i]!.align))
      .join("  ")
      .trimEnd();
  const titles = renderLine(columns.map(({ title }) => title));
  return [colour ? `\x1b[1m${titles}\x1b[0m` : titles, ...cells.map(renderLine)].join("\n");
}

/** The CSV column name of a title: `START (UTC)` becomes `start`. */
export function keyOf(title: string): string {
  return title
    .replace(/ \(.*\)$/, "")
    .toLowerCase()
    .replace(/\W+/g, "_");
}

/** Renders the same rows as CSV or TSV. */
export function renderSeparated<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  format: "csv" | "tsv",
): string {
  const header = columns.map(({ key, title }) => key ?? keyOf(title));
  const cells = rows.map((row) =>
    columns.map(({ raw, value }) => (raw ? raw(row) : value(row).replace(/^-$/, ""))),
  );
  return format === "csv" ? renderCsv(header, cells) : renderTsv(header, cells);
}

function pad(text: string, width: number, align: Column<unknown>["align"]): string {
  const blanks = " ".repeat(Math.max(0, width - Bun.stringWidth(text)));
  return align === "right" ? blanks + text : text + blanks;
}

/** Makes untrusted text safe for a terminal: no cursor movement, no colours, no bidirectional overrides. */
export function clean(text: string): string {
  return text.replace(/\s+/g, " ").replace(/[\p{Cc}\u202a-\u202e\u2066-\u2069]/gu, "\ufffd");
}
