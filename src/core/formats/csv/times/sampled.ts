// Columns of the sample of a CSV file, and the chosen time.
import type { WrittenTime } from "../cell-date.ts";

/** A column with the cells of the sample. */
export interface SampledColumn {
  readonly name: string;
  readonly index: number;
  /** Without missing ones. */
  readonly cells: readonly string[];
  /** Line of the first of them. */
  readonly line: number;
}

/** The chosen time. */
export interface TimeColumn {
  /** Name of the column, or of several: `Date+Time`. */
  readonly name: string;
  readonly indexes: readonly number[];
  /** For reports. */
  readonly label: string;
  readonly read: (cells: readonly string[]) => WrittenTime | undefined;
  /** Of times without an offset, where the name says it. */
  readonly timezone?: string | undefined;
}

/** The time that columns hold together: `Date+Time` for several. @param read of their cells */
export function timeOf(
  columns: readonly SampledColumn[],
  label: string,
  read: (...cells: string[]) => WrittenTime | undefined,
): TimeColumn {
  const indexes = columns.map(({ index }) => index);
  const [first, ...others] = indexes as [number, ...number[]];
  return {
    name: namesOf(columns, "+"),
    indexes,
    label,
    // Most files have one: spares a list for each row.
    read: (cells) =>
      others.length > 0 ? read(...indexes.map((index) => cells[index]!)) : read(cells[first]!),
  };
}

export function namesOf(columns: readonly { readonly name: string }[], separator: string): string {
  return columns.map(({ name }) => name).join(separator);
}
