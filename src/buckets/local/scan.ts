// Blocks of one field in a range, in order of time.
import type { Database } from "bun:sqlite";
import type { Range } from "../../core/grid.ts";
import { type BlockRow, type BlockView, clipBlock, viewBlock } from "./block.ts";

// The block that holds `fromAt` is the last one that starts at or before it, because blocks do not overlap.
const inRange = `FROM blocks WHERE field_id = ?1 AND start_at < ?3 AND start_at >= coalesce(
  (SELECT max(start_at) FROM blocks WHERE field_id = ?1 AND start_at <= ?2), ?2)`;

/** The blocks of a field, cut to the range. Read to the end, or close the connection, before the next scan. */
export function* scanBlocks(db: Database, fieldId: number, { fromAt, toAt }: Range): Generator<BlockView> {
  const rows = db.query<Pick<BlockRow, "start_at" | "data">, [number, number, number]>(
    `SELECT start_at, data ${inRange} ORDER BY start_at`,
  );
  for (const row of rows.iterate(fieldId, fromAt, toAt)) {
    const view = clipBlock(viewBlock(row), fromAt, toAt);
    if (view.values.length > 0) yield view;
  }
}

/** How many blocks of a field touch the range; the index alone answers this. */
export function countBlocks(db: Database, fieldId: number, { fromAt, toAt }: Range): number {
  const count = db.query<{ n: number }, [number, number, number]>(`SELECT count(*) AS n ${inRange}`);
  return count.get(fieldId, fromAt, toAt)!.n;
}
