// Rows as wide as the header of a CSV file: comments, empty and short rows are left out or refused.
import type { CsvRow } from "../csv-reader.ts";
import type { MakerContext } from "./repeats.ts";
import { isName } from "./row-content.ts";
import type { RowCounts } from "./row-counts.ts";
import { malformed, quote } from "./words/refusal.ts";
import { isTotal } from "./words/totals.ts";

/**
 * The cells of a row, as many as there are columns; undefined for one that is left out, which is counted.
 * @throws TorusError `invalid` naming the line
 */
export function alignCells(
  row: CsvRow,
  context: MakerContext,
  counts: RowCounts,
): readonly string[] | undefined {
  const { names, options } = context;
  const { cells } = row;
  const reason = whyLeftOut(cells, context);
  if (reason) {
    counts[reason]++;
    return undefined;
  }
  if (cells.length === names.length) return cells;
  const lacking = names.slice(cells.length);
  // Separators at the end of lines that the header does not have, or the other way round.
  if (cells.slice(names.length).concat(lacking).join("") === "") return [...cells, ...lacking];
  if (cells.length > names.length) throw tooWide(row, context);
  const word = isName(cells[0]!) ? ([options.flags.missing, quote(cells[0]!)] as const) : undefined;
  throw malformed(row, "fewCells", cells.length, names.length, word);
}

/** What a row is other than one of a point, as the counts have it. */
function whyLeftOut(
  cells: readonly string[],
  { names, isMissing, roles }: MakerContext,
): "comments" | "empty" | "untimed" | "totals" | undefined {
  const isNarrow = cells.length < names.length;
  if (cells[0]!.startsWith("#") && (isNarrow || !roles.time.read(cells))) return "comments";
  if (cells.length === names.length) return undefined;
  if (cells.every(isMissing)) return "empty";
  if (isNarrow && isMissing(cells[0]!) && cells[0] !== "") return "untimed";
  return isTotal(cells) ? "totals" : undefined;
}

/** The error of a row with more cells than columns: a text, or a number, that holds the separator stands without quotes. */
function tooWide(row: CsvRow, { names, roles, delimiter, options, isMissing }: MakerContext) {
  const { cells } = row;
  const values = cells.filter((cell, i) => !roles.time.indexes.includes(i) && !isMissing(cell));
  const split = delimiter === "," ? findSplitNumbers(values) : [];
  return malformed(row, "manyCells", cells.length, names.length, {
    number: split.length >= cells.length - names.length ? split[0] : undefined,
    hasText: values.some(isName),
    delimiter: options.flags.delimiter,
  });
}

/** Pairs of cells that can be a number with a comma. */
function findSplitNumbers(cells: readonly string[]): string[] {
  return (
    cells
      .join("\n")
      .match(/^[+-]?\d+\n\d+(\.\d+)?$/gm)
      ?.map((pair) => pair.replace("\n", ",")) ?? []
  );
}
