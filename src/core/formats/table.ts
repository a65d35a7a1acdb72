// Tables: columns of a result that lies elsewhere, in blocks; cells are read while a table is written, never copied.

/** `time`: seconds since the epoch; `text`: the same in all rows of a block, such as a tag. */
export type ColumnType = "time" | "number" | "boolean" | "text";

export type Cell = number | boolean | string | null | undefined;

/** Reads the cell of a row, counted from the start of its block. */
export type ReadCell = (row: number) => Cell;

export interface TableColumn {
  readonly name: string;
  readonly type: ColumnType;
}

/** Consecutive rows, such as those of one series. */
interface TableBlock {
  readonly length: number;
  /** One per column, in the order of the columns. */
  readonly cells: readonly ReadCell[];
}

export interface Table {
  readonly columns: readonly TableColumn[];
  readonly blocks: readonly TableBlock[];
  /** Where the table comes from, by name. */
  readonly metadata: Readonly<Record<string, string>>;
}

/** Consecutive rows of a block. */
export interface TableSlice {
  readonly block: TableBlock;
  /** Inclusive. */
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

interface PartSize {
  /** Most rows of a part. */
  readonly rows: number;
  /** Most cells of a part, where one row has fewer. */
  readonly cells: number;
}

/** Cuts a table into parts of bounded size; a part may hold rows of several blocks. */
export function* cutTable({ columns, blocks }: Table, { rows, cells }: PartSize): Generator<TableSlice[]> {
  const most = Math.max(1, Math.min(rows, Math.floor(cells / columns.length)));
  let part: TableSlice[] = [];
  let left = most;
  for (const block of blocks)
    for (let from = 0; from < block.length; ) {
      const to = Math.min(block.length, from + left);
      part.push({ block, from, to });
      left -= to - from;
      from = to;
      if (left > 0) continue;
      yield part;
      part = [];
      left = most;
    }
  if (part.length > 0) yield part;
}

/** Milliseconds since the epoch of a `time` cell. */
export function instantOf(cell: Cell): number {
  return Math.round(Number(cell) * 1000);
}
