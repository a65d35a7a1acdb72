// Scans of the blocks in a range: field by field, the blocks of a field in order of time.
import type { Database } from "bun:sqlite";
import type { Range } from "../core/series/grid.ts";
import { type BlockRow, type BlockView, clipBlock, EvenOffsets, viewBlock } from "./block.ts";
import { checksumColumn } from "./file.ts";
import type { HeadView } from "./head/generation.ts";
import { Overlay } from "./head/overlay.ts";
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

/** Fields per statement: to start one takes several times as long as to find the blocks of a field. */
const FIELDS_PER_STATEMENT = 256;

// The block that holds `fromAt` is the last one that starts at or before it, because blocks do not overlap. The cross join
// keeps the order of the fields, the index that of their blocks; ORDER BY would copy all of them first.
const inRange = `FROM json_each(?1) f CROSS JOIN blocks b WHERE b.field_id = f.value AND b.start_at < ?3
  AND b.start_at >= coalesce((SELECT max(start_at) FROM blocks WHERE field_id = f.value AND start_at <= ?2), ?2)`;

type FoundRow = Omit<BlockRow, "end_at"> & { readonly field_id: number };

/** The stored blocks of some fields, in their order. Close it before the next scan: the statement is shared. */
class FoundRows {
  readonly #rows: Iterator<FoundRow>;
  #next: IteratorResult<FoundRow>;

  constructor({ db, range }: Scope, fieldIds: readonly number[], checksums: string) {
    const statement = db.query<FoundRow, [string, number, number]>(
      `SELECT field_id, start_at, data, others, ${checksums} ${inRange}`,
    );
    this.#rows = statement.iterate(JSON.stringify(fieldIds), range.fromAt, range.toAt);
    this.#next = this.#rows.next();
  }

  /** The next one of a field; undefined where it has no more. @throws TorusError `bucket_damaged` */
  take(fieldId: number): FoundRow | undefined {
    const { done, value } = this.#next;
    if (done || value.field_id !== fieldId) return undefined;
    verifyBlock(value, fieldId);
    this.#next = this.#rows.next();
    return value;
  }

  close(): void {
    this.#rows.return?.();
  }
}

/** Returns false to end the scan. */
type Visit = (block: BlockView, fieldId: number) => unknown;

/**
 * Visits the blocks of all fields in the order of `fieldIds`, those of a field in order of time.
 * @throws TorusError `bucket_damaged`
 */
export async function visitBlocks(scope: Scope, visit: Visit): Promise<void> {
  const { db, fieldIds } = scope;
  const [checksums, evenOffsets] = [checksumColumn(db), new EvenOffsets()];
  for (let from = 0; from < fieldIds.length; from += FIELDS_PER_STATEMENT) {
    const some = fieldIds.slice(from, from + FIELDS_PER_STATEMENT);
    const rows = new FoundRows(scope, some, checksums);
    try {
      if (!(await visitFound({ ...scope, fieldIds: some }, { rows, evenOffsets }, visit))) return;
    } finally {
      rows.close();
    }
  }
}

/** Visits the blocks, cut to the range, and the points of the head among them. @returns whether the scan goes on */
async function visitFound(
  { head, range, fieldIds, keepsSpecial = false, yieldNow }: Scope,
  { rows, evenOffsets }: { readonly rows: FoundRows; readonly evenOffsets: EvenOffsets },
  visit: Visit,
): Promise<boolean> {
  let steps = 0;
  for (const fieldId of fieldIds) {
    const points = head?.pointsOf(fieldId, range);
    const overlay = points && new Overlay(points, evenOffsets);
    for (let row = rows.take(fieldId), isLast = false; !isLast; row = rows.take(fieldId)) {
      isLast = row === undefined;
      const blocks = overlay ? overlay.take(row) : row ? [viewBlock(row, evenOffsets)] : [];
      for (const block of blocks) {
        const clipped = clipBlock(block, range.fromAt, range.toAt);
        const view = keepsSpecial ? clipped : dropSpecial(clipped);
        if (view.values.length > 0 && visit(view, fieldId) === false) return false;
      }
      if (++steps % STEPS_PER_YIELD === 0) await yieldNow();
    }
  }
  return true;
}

/** Number of blocks that touch the range, by the index alone; a field with points in the head counts as one more. */
export async function countBlocks({ db, head, fieldIds, range, yieldNow }: Scope): Promise<number> {
  const count = db.query<{ n: number }, [string, number, number]>(`SELECT count(*) AS n ${inRange}`);
  let blocks = 0;
  for (let from = 0; from < fieldIds.length; from += FIELDS_PER_STATEMENT) {
    const some = fieldIds.slice(from, from + FIELDS_PER_STATEMENT);
    blocks += count.get(JSON.stringify(some), range.fromAt, range.toAt)!.n;
    for (const fieldId of some) if (head?.hasPoint(fieldId, range)) blocks++;
    await yieldNow();
  }
  return blocks;
}
