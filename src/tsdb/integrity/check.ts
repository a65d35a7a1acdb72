// Check of a bucket file: its pages by SQLite, and the checksum of every block.
import type { Database } from "bun:sqlite";
import { describeError, TorusError } from "../../core/errors.ts";
import type { BlockRow } from "../block.ts";
import { checksumColumn, openReader, readVersion, runGuarded } from "../file.ts";
import { verifyBlock } from "./checksum.ts";

export interface FileCheck {
  readonly blocks: number;
  /** Those of an earlier version that have no checksum yet. */
  readonly unchecked: number;
  /** What is damaged, and where. */
  readonly damage: readonly string[];
}

/** Damages that are named. */
const MAX_NAMED = 100;

/** Reads all blocks of a file. Never throws for damage. */
export function checkFile(path: string): FileCheck {
  try {
    const db = runGuarded(() => openReader(path));
    if (!db || readVersion(db) === 0) return { blocks: 0, unchecked: 0, damage: ["the file is empty"] };
    try {
      return runGuarded(() => checkBlocks(db));
    } finally {
      db.close();
    }
  } catch (error) {
    return { blocks: 0, unchecked: 0, damage: [describeError(error).message] };
  }
}

function checkBlocks(db: Database): FileCheck {
  const pages = db.query<{ quick_check: string }, []>("PRAGMA quick_check(10)").all();
  const damage = pages.map((row) => row.quick_check).filter((text) => text !== "ok");
  let [blocks, unchecked] = [0, 0];
  const rows = db.query<Omit<BlockRow, "end_at"> & { field_id: number }, []>(
    `SELECT field_id, start_at, data, others, ${checksumColumn(db)} FROM blocks ORDER BY field_id, start_at`,
  );
  for (const row of rows.iterate()) {
    blocks++;
    if (row.crc === null) unchecked++;
    try {
      verifyBlock(row, row.field_id);
    } catch (error) {
      if (!(error instanceof TorusError)) throw error;
      if (damage.length < MAX_NAMED) damage.push(error.message);
    }
  }
  return { blocks, unchecked, damage };
}
