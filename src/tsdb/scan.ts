// Scans of the blocks in a range: field by field, the blocks of a field in order of time.
import type { Database } from "bun:sqlite";
import type { Range } from "../core/series/grid.ts";
import { type BlockRow, type BlockView, clipBlock, EvenOffsets, viewBlock } from "./block.ts";
import { checksumColumn } from "./file.ts";
import type { HeadView } from "./head/generation.ts";
import { overlay } from "./head/overlay.ts";
import { verifyBlock } from "./integrity/checksum.ts";
import { dropSpecial } from "./special/kept-points.ts";

/** Blocks, and fields, between two calls of the yielder. */
const STEPS_PER_YIELD = 32;

/** A bucket's file as one read sees it. */
export interface FileSnapshot {
  /** In a transaction. */
  readonly db: Database;
  /** Points that are not in blocks yet. */
  readonly head?: HeadView | undefined;
}

/** The points to read: of some fields, in a range. */
export interface Scope extends FileSnapshot {
  readonly fieldIds: readonly number[];
  readonly range: Range;
  /** Keeps NaN, infinities and stale markers, which are left out otherwise. */
  readonly keepsSpecial?: boolean;
  /** Yields to the event loop when it is time to; throws when the read is aborted. */
  readonly yieldNow: () => Promise<void> | undefined;
}

// The block that holds `fromAt` is the last one that starts at or before it, because blocks do not overlap.
const inRange = `FROM blocks WHERE field_id = ?1 AND start_at < ?3 AND start_at >= coalesce(
  (SELECT max(start_at) FROM blocks WHERE field_id = ?1 AND start_at <= ?2), ?2)`;

/** The blocks of a field, cut to the range. End the iteration before the next scan: the statement is shared. */
function* scanBlocks(
  { db, head, range, keepsSpecial = false }: Scope,
  fieldId: number,
  { evenOffsets, checksums }: { readonly evenOffsets: EvenOffsets; readonly checksums: string },
): Generator<BlockView> {
  const { fromAt, toAt } = range;
  const statement = db.query<Omit<BlockRow, "end_at">, [number, number, number]>(
    `SELECT start_at, data, others, ${checksums} ${inRange} ORDER BY start_at`,
  );
  const rows = verify(statement.iterate(fieldId, fromAt, toAt), fieldId);
  const points = head?.pointsOf(fieldId, range);
  const blocks = points ? overlay(rows, points, evenOffsets) : viewAll(rows, evenOffsets);
  for (const block of blocks) {
    const clipped = clipBlock(block, fromAt, toAt);
    const view = keepsSpecial ? clipped : dropSpecial(clipped);
    if (view.values.length > 0) yield view;
  }
}

function* verify<R extends Omit<BlockRow, "end_at">>(rows: Iterable<R>, fieldId: number): Generator<R> {
  for (const row of rows) {
    verifyBlock(row, fieldId);
    yield row;
  }
}

function* viewAll(rows: Iterable<Omit<BlockRow, "end_at">>, evenOffsets: EvenOffsets): Generator<BlockView> {
  for (const row of rows) yield viewBlock(row, evenOffsets);
}

/**
 * Visits the blocks of all fields in the order of `fieldIds`, those of a field in order of time.
 * @param visit ends the scan by returning false
 * @throws TorusError `bucket_damaged`
 */
export async function visitBlocks(
  scope: Scope,
  visit: (block: BlockView, fieldId: number) => unknown,
): Promise<void> {
  const { fieldIds, yieldNow } = scope;
  const shared = { evenOffsets: new EvenOffsets(), checksums: checksumColumn(scope.db) };
  let steps = 0;
  for (const fieldId of fieldIds) {
    if (++steps % STEPS_PER_YIELD === 0) await yieldNow();
    for (const block of scanBlocks(scope, fieldId, shared)) {
      if (visit(block, fieldId) === false) return;
      if (++steps % STEPS_PER_YIELD === 0) await yieldNow();
    }
  }
}

/** Number of blocks that touch the range, by the index alone; a field with points in the head counts as one more. */
export async function countBlocks({ db, head, fieldIds, range, yieldNow }: Scope): Promise<number> {
  const count = db.query<{ n: number }, [number, number, number]>(`SELECT count(*) AS n ${inRange}`);
  let blocks = 0;
  for (const [i, fieldId] of fieldIds.entries()) {
    blocks += count.get(fieldId, range.fromAt, range.toAt)!.n;
    if (head?.hasPoint(fieldId, range)) blocks++;
    if (i % STEPS_PER_YIELD === 0) await yieldNow();
  }
  return blocks;
}
