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

/** `Date+Time` for several. */
export function nameOf(columns: readonly { readonly name: string }[]): string {
  return columns.map(({ name }) => name).join("+");
}
