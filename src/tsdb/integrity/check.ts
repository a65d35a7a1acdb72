// Check of a bucket file: its pages by SQLite, and the checksum of every block.
import type { Database } from "bun:sqlite";
import { describeError, TorusError } from "../../core/errors.ts";
import type { BlockRow } from "../block.ts";
import { checksumColumn, openReader, readJournalState, readVersion, runGuarded } from "../file.ts";
import { listJournals, readJournal } from "../head/journal.ts";
import { verifyBlock } from "./checksum.ts";

export interface FileCheck {
  readonly blocks: number;
  /** Those of an earlier version that have no checksum yet. */
  readonly unchecked: number;
  /** Points of journals, which are not in blocks yet. */
  readonly pending: number;
  /** What is damaged, and where. */
  readonly damage: readonly string[];
}

/** Damages that are named. */
const MAX_NAMED = 100;

const NOTHING = { blocks: 0, unchecked: 0, pending: 0 };

/** Reads all blocks of a file, and its journals. Never throws for damage. */
export function checkFile(path: string): FileCheck {
  try {
    const db = runGuarded(() => openReader(path));
    if (!db || readVersion(db) === 0) return { ...NOTHING, damage: ["the file is empty"] };
    try {
      const checked = runGuarded(() => checkBlocks(db));
      const journals = checkJournals(path, db);
      return { ...checked, pending: journals.points, damage: [...checked.damage, ...journals.damage] };
    } finally {
      db.close();
    }
  } catch (error) {
    return { ...NOTHING, damage: [describeError(error).message] };
  }
}

function checkJournals(path: string, db: Database): { points: number; damage: string[] } {
  const state = readJournalState(db);
  let points = 0;
  const damage: string[] = [];
  for (const { path: journal, number } of listJournals(path)) {
    if (!state || number < state.replay_from) continue;
    try {
      for (const { length } of readJournal(journal, state.file_id)) points += length;
    } catch (error) {
      damage.push(describeError(error).message);
    }
  }
  return { points, damage };
}

function checkBlocks(db: Database): Omit<FileCheck, "pending"> {
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
