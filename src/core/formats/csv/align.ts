// Rows as wide as the header of a CSV file: comments, empty and short rows are left out or refused.
import type { CsvRow } from "../csv-reader.ts";
import type { MakerContext } from "./repeats.ts";
import type { RowCounts } from "./row-counts.ts";
import { isTotal } from "./totals.ts";
import { malformed, quote } from "./words/refusal.ts";

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
  if (cells[0]!.startsWith("#") && !roles.time.read(pad(cells, names.length))) {
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
  if (cells.length < names.length)
    throw malformed(row, "fewCells", cells.length, names.length, flags.missing, quote(cells[0]!));
  throw malformed(row, "manyCells", cells.length, names.length, flags.delimiter);
}

function pad(cells: readonly string[], width: number): readonly string[] {
  return [...cells, ...Array.from({ length: Math.max(0, width - cells.length) }, () => "")];
}
