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
  const { names, isMissing, roles, flags } = context;
  const { cells } = row;
  if (cells.length === names.length && cells[0]![0] !== "#") return cells;
  if (cells[0]!.startsWith("#") && (cells.length < names.length || !roles.time.read(cells))) {
    counts.comments++;
    return undefined;
  }
  if (cells.length === names.length) return cells;
  if (cells.every(isMissing)) {
    counts.empty++;
    return undefined;
  }
  if (cells.length < names.length && isMissing(cells[0]!) && cells[0] !== "") {
    counts.untimed++;
    return undefined;
  }
  if (isTotal(cells)) {
    counts.totals++;
    return undefined;
  }
  // Separators at the end of lines that the header does not have, or the other way round.
  if (cells.slice(names.length).every((cell) => cell === "") && cells.length > names.length) return cells;
  const lacking = names.slice(cells.length);
  if (lacking.length > 0 && lacking.every((name) => name === "")) return pad(cells, names.length);
  if (cells.length > names.length) throw tooWide(row, context);
  const word = isName(cells[0]!) ? ([flags.missing, quote(cells[0]!)] as const) : undefined;
  throw malformed(row, "fewCells", cells.length, names.length, word);
}

/** The error of a row with more cells than columns: a text, or a number, that holds the separator stands without quotes. */
function tooWide(row: CsvRow, { names, roles, delimiter, flags, isMissing }: MakerContext) {
  const { cells } = row;
  const values = cells.filter((cell, i) => !roles.time.indexes.includes(i) && !isMissing(cell));
  const split = delimiter === "," ? findSplitNumbers(values) : [];
  return malformed(row, "manyCells", cells.length, names.length, {
    number: split.length >= cells.length - names.length ? split[0] : undefined,
    hasText: values.some(isName),
    delimiter: flags.delimiter,
  });
}

/** Pairs of cells that can be a number with a comma. */
function findSplitNumbers(cells: readonly string[]): string[] {
  const found: string[] = [];
  for (let i = 0; i < cells.length - 1; i++)
    if (/^[+-]?\d+$/.test(cells[i]!) && /^\d+(\.\d+)?$/.test(cells[i + 1]!))
      found.push(`${cells[i]},${cells[++i]}`);
  return found;
}

function pad(cells: readonly string[], width: number): readonly string[] {
  return [...cells, ...Array.from({ length: Math.max(0, width - cells.length) }, () => "")];
}
