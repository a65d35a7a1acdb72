// Columns of a result: each has a name, and reads the cells of a part, such as the answer for one series.

import type { ReadCell, Table, TableColumn } from "../../core/formats/table.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";

/** A table to answer, and what an answer in columns has no place for. */
export interface ColumnAnswer {
  readonly table: Table;
  /** Series on all pages; absent: the answer is no page. */
  readonly total?: number;
  /** What the table leaves out. */
  readonly advice?: string;
}

export interface Column<Part> extends TableColumn {
  readonly read: (part: Part) => ReadCell;
}

/** Start of each row, from seconds since the epoch. */
export const timeColumn: Column<{ readonly timestamps: readonly number[] }> = {
  name: "time",
  type: "time",
  read:
    ({ timestamps }) =>
    (row) =>
      timestamps[row],
};

/** Cells of a list of the part. */
export function listColumn<Part>(
  name: string,
  listOf: (part: Part) => ArrayLike<number | null> | undefined,
): Column<Part> {
  const read = (part: Part): ReadCell => {
    const list = listOf(part);
    return (row) => list?.[row];
  };
  return { name, type: "number", read };
}

/** A column per tag, named like it; `tag_` is put before a name that another column has. */
export function tagColumns(
  tags: readonly string[],
  taken: readonly TableColumn[],
): Column<{ readonly tags: SeriesTags }>[] {
  const names = new Set(taken.map(({ name }) => name));
  return tags.map((tag) => {
    let name = tag;
    while (names.has(name)) name = `tag_${name}`;
    names.add(name);
    return {
      name,
      type: "text",
      read:
        ({ tags }) =>
        () =>
          tags[tag] ?? "",
    };
  });
}

/** Rows of the parts, one after the other; metadata that is undefined is left out. */
export function makeTable<Part extends { readonly timestamps: { readonly length: number } }>(
  columns: readonly Column<Part>[],
  parts: readonly Part[],
  metadata: Readonly<Record<string, string | undefined>>,
): Table {
  const known = Object.entries(metadata).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return {
    columns: columns.map(({ name, type }) => ({ name, type })),
    blocks: parts.map((part) => ({
      length: part.timestamps.length,
      cells: columns.map(({ read }) => read(part)),
    })),
    metadata: Object.fromEntries(known),
  };
}
