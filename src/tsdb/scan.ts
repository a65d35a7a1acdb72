// Blocks in a range: of one field in order of time, and of all matching fields one after the other.
import type { Database } from "bun:sqlite";
import type { Range } from "../core/series/grid.ts";
import { type BlockRow, type BlockView, clipBlock, viewBlock } from "./block.ts";

/** Blocks, and fields, between two chances for other work to run. */
const PACE_EVERY = 32;

/** The points to read: of some fields, in a range. */
export interface Scope {
  readonly db: Database;
  readonly fieldIds: readonly number[];
  readonly range: Range;
  /** To call, and to await, between steps. */
  readonly pace: () => Promise<void> | undefined;
}

// The block that holds `fromAt` is the last one that starts at or before it, because blocks do not overlap.
const inRange = `FROM blocks WHERE field_id = ?1 AND start_at < ?3 AND start_at >= coalesce(
  (SELECT max(start_at) FROM blocks WHERE field_id = ?1 AND start_at <= ?2), ?2)`;

/** The blocks of a field, cut to the range. Read to the end, or leave the loop, before the next scan. */
function* scanBlocks(db: Database, fieldId: number, { fromAt, toAt }: Range): Generator<BlockView> {
  const rows = db.query<Omit<BlockRow, "end_at">, [number, number, number]>(
    `SELECT start_at, data, others ${inRange} ORDER BY start_at`,
  );
  for (const row of rows.iterate(fieldId, fromAt, toAt)) {
    const view = clipBlock(viewBlock(row), fromAt, toAt);
    if (view.values.length > 0) yield view;
  }
}

/**
 * Visits the blocks of all fields in the order of `fieldIds`, those of a field in order of time.
 * @param visit false as its answer ends the scan
 */
export async function visitBlocks(
  scope: Scope,
  visit: (block: BlockView, fieldId: number) => unknown,
): Promise<void> {
  const { db, fieldIds, range, pace } = scope;
  let steps = 0;
  for (const fieldId of fieldIds) {
    if (++steps % PACE_EVERY === 0) await pace();
    for (const block of scanBlocks(db, fieldId, range)) {
      if (visit(block, fieldId) === false) return;
      if (++steps % PACE_EVERY === 0) await pace();
    }
  }
}

/** How many blocks of the scope touch its range; the index alone answers this. */
export async function countBlocks({ db, fieldIds, range, pace }: Scope): Promise<number> {
  const count = db.query<{ n: number }, [number, number, number]>(`SELECT count(*) AS n ${inRange}`);
  let blocks = 0;
  for (const [i, fieldId] of fieldIds.entries()) {
    blocks += count.get(fieldId, range.fromAt, range.toAt)!.n;
    if (i % PACE_EVERY === 0) await pace();
  }
  return blocks;
}
