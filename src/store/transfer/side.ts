// One database of a transfer, source or target: rows as both engines hold them, within one transaction.
import type { StateTable } from "./tables.ts";

export type Row = readonly unknown[];

export interface Side {
  /** Begins the transaction that all else runs in. */
  begin(): Promise<void>;
  commit(): Promise<void>;
  /** Undoes everything, and leaves the database to others. */
  close(): Promise<void>;
  count(table: StateTable): Promise<number>;
  /** All rows in the order of the key, in batches that fit into memory; values in the order of the columns. */
  read(table: StateTable): AsyncIterable<readonly Row[]>;
  insert(table: StateTable, rows: readonly Row[]): Promise<void>;
  clear(table: StateTable): Promise<void>;
  /** The last number that a table with a serial key has given to a row; 0: none. */
  readSerial(table: StateTable): Promise<number>;
  /** Rows inserted from now on get higher numbers. */
  writeSerial(table: StateTable, last: number): Promise<void>;
  /** Key and SHA-256 (hex) of the stored weights of each version, in the order of the key. */
  checksums(): AsyncIterable<readonly Row[]>;
  /** Value of a row of `meta`. */
  readMeta(key: string): Promise<string | undefined>;
}

/** Rows of one batch: values of a statement, and bytes in memory. */
const MAX_VALUES = 20_000;
const MAX_BYTES = 8 * 1024 * 1024;
const VALUE_BYTES = 8;

/** Most rows of a batch by the number of its values. */
function rowsPerBatch({ columns }: StateTable): number {
  return Math.floor(MAX_VALUES / columns.length);
}

/** Most rows of a batch of rows like these. */
export function rowsLike(rows: readonly Row[], table: StateTable): number {
  const bytes = rows.reduce((sum, row) => sum + sizeOf(row), 0);
  return Math.max(1, Math.min(rowsPerBatch(table), Math.floor((MAX_BYTES * rows.length) / bytes)));
}

/** Whether a batch is full. */
export class Batch {
  rows: Row[] = [];
  #bytes = 0;

  constructor(private readonly table: StateTable) {}

  /** @returns whether it is to be taken now */
  add(row: Row): boolean {
    this.rows.push(row);
    this.#bytes += sizeOf(row);
    return this.rows.length >= rowsPerBatch(this.table) || this.#bytes >= MAX_BYTES;
  }

  take(): readonly Row[] {
    const { rows } = this;
    this.rows = [];
    this.#bytes = 0;
    return rows;
  }
}

function sizeOf(row: Row): number {
  let bytes = 0;
  for (const value of row)
    bytes += typeof value === "string" || value instanceof Uint8Array ? value.length : VALUE_BYTES;
  return bytes;
}
