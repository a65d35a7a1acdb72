// Tables of a file of Flux, each with a header and columns of its own, as one table with the columns of all.
import type { CsvRow } from "../csv-reader.ts";
import { malformed } from "./words/refusal.ts";

interface FluxTables {
  readonly names: readonly string[];
  /** Columns that tell series apart, where they hold text. */
  readonly groupKey: ReadonlySet<string>;
  /** A row in the order of the names; undefined for a header or an annotation. Rows are taken in their order. */
  readonly place: (row: CsvRow) => CsvRow | undefined;
}

/** Whether cells are the names of a table of Flux. */
function areNames(cells: readonly string[]): boolean {
  return cells[1] === "result" && cells[2] === "table";
}

/**
 * @param body rows below the header, which further tables may follow in
 * @param annotation `#group` of the first table; without it, all columns but the value tell series apart
 * @returns undefined for a file of another program
 */
export function joinTables(
  header: readonly string[],
  body: readonly CsvRow[],
  annotation: readonly string[] | undefined,
): FluxTables | undefined {
  if (!annotation && !areNames(header)) return undefined;
  const [names, groupKey] = [new Set<string>(), new Set<string>()];
  let flags = annotation;
  for (const cells of [header, ...body.map((row) => row.cells)]) {
    if (cells[0] === "#group") flags = cells;
    if (cells === header || areNames(cells))
      cells.forEach((name, i) => {
        names.add(name);
        if (flags ? flags[i] === "true" : name !== "_value") groupKey.add(name);
      });
  }
  let columns = header;
  const place = (row: CsvRow) => {
    const { cells } = row;
    if (/^#(group|datatype|default)$/.test(cells[0]!)) return undefined;
    if (areNames(cells)) {
      const other = cells.find((name) => !names.has(name));
      if (other) throw malformed(row, "newColumn", other);
      columns = cells;
      return undefined;
    }
    if (cells.length !== columns.length) throw malformed(row, "fewCells", cells.length, columns.length);
    const byName = new Map(columns.map((name, i) => [name, cells[i]!]));
    return { ...row, cells: [...names].map((name) => byName.get(name) ?? "") };
  };
  return { names: [...names], groupKey, place };
}
