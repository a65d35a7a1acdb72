// Writing to a local bucket: points are gathered per field of a series, then merged into its blocks.
import type { Database } from "bun:sqlite";
import type { Point } from "../core/series/query.ts";
import {
  type BlockRow,
  decodeBlock,
  encodeBlock,
  type FieldPoints,
  mergeRuns,
  sliceRun,
  splitRun,
} from "./block.ts";
import { createCatalog } from "./catalog.ts";
import { runTransaction } from "./file.ts";
import { createGatherer } from "./group-points.ts";

/** Expired blocks are looked for at most this often; reads do not return expired points in any case. */
const PURGE_EVERY_MS = 60_000;

export interface Target {
  readonly measurement: string;
  /** Points before this instant (ms) have expired. */
  readonly cutoffAt: number;
}

export interface Writer {
  /**
   * Stores the points: all, or none when it throws. The same series, field and time again replaces.
   * @returns how many had expired, and are not stored
   */
  write(points: readonly Point[], target: Target): number;
  /** Removes everything and gives the space back. */
  clear(): void;
  close(): void;
}

/** A writer on an open file; it closes the file when it is closed. */
export function createWriter(db: Database): Writer {
  const catalog = createCatalog(db);
  const mergeIntoBlocks = prepareMerge(db);
  const purge = preparePurge(db);
  let purgedAt = -Infinity;

  function store(points: readonly Point[], { measurement, cutoffAt }: Target): number {
    catalog.refresh();
    const gatherer = createGatherer(catalog, measurement);
    let expired = 0;
    for (const point of points) {
      if (point.at >= cutoffAt) gatherer.add(point);
      else expired++;
    }
    for (const [fieldId, run] of gatherer.runs()) mergeIntoBlocks(fieldId, run);
    purgeSometimes(cutoffAt);
    return expired;
  }

  function purgeSometimes(cutoffAt: number): void {
    if (cutoffAt - purgedAt < PURGE_EVERY_MS || cutoffAt === -Infinity) return;
    if (purge(cutoffAt)) catalog.forget();
    purgedAt = cutoffAt;
  }

  return {
    write(points, target) {
      try {
        return runTransaction(db, () => store(points, target));
      } catch (error) {
        // What was added to the catalog has been rolled back.
        catalog.forget();
        throw error;
      }
    },
    clear() {
      catalog.forget();
      runTransaction(db, () => {
        for (const table of ["blocks", "fields", "tags", "series"]) db.run(`DELETE FROM ${table}`);
      });
      db.run("VACUUM");
    },
    close: () => db.close(),
  };
}

/** The function that merges new points of a field into the blocks it already has. */
function prepareMerge(db: Database): (fieldId: number, run: FieldPoints) => void {
  const columns = "start_at, end_at, data, others FROM blocks WHERE field_id = ?1";
  const findBefore = db.query<BlockRow, [number, number]>(
    `SELECT ${columns} AND start_at <= ?2 ORDER BY start_at DESC LIMIT 1`,
  );
  const findAfter = db.query<BlockRow, [number, number]>(
    `SELECT ${columns} AND start_at > ?2 ORDER BY start_at LIMIT 1`,
  );
  const findNextStart = db.query<{ at: number | null }, [number, number]>(
    "SELECT min(start_at) AS at FROM blocks WHERE field_id = ?1 AND start_at > ?2",
  );
  const remove = db.query("DELETE FROM blocks WHERE field_id = ?1 AND start_at = ?2");
  const put = db.query(
    `INSERT INTO blocks (field_id, start_at, end_at, data, others) VALUES (?1, ?2, ?3, ?4, ?5)
     ON CONFLICT DO UPDATE SET end_at = excluded.end_at, data = excluded.data, others = excluded.others`,
  );

  return (fieldId, run) => {
    for (let from = 0; from < run.times.length; ) {
      const firstAt = run.times[from]!;
      // Points older than every block go into the oldest one, else a backfill would make a block per point.
      const block = findBefore.get(fieldId, firstAt) ?? findAfter.get(fieldId, firstAt);
      const nextAt = (block && findNextStart.get(fieldId, block.start_at)?.at) ?? Infinity;
      let to = from;
      while (to < run.times.length && run.times[to]! < nextAt) to++;
      const part = sliceRun(run, from, to);
      const merged = block ? mergeRuns(decodeBlock(block), part) : part;
      if (block && merged.times[0] !== block.start_at) remove.run(fieldId, block.start_at);
      for (const piece of splitRun(merged, nextAt === Infinity)) {
        const { start_at, end_at, data, others } = encodeBlock(piece);
        put.run(fieldId, start_at, end_at, data, others);
      }
      from = to;
    }
  };
}

/** The function that removes blocks whose points have all expired, and fields and series left without any. */
function preparePurge(db: Database): (cutoffAt: number) => boolean {
  // Through the index per field: blocks are in order and few of them are old.
  const removeBlocks = db.query(
    `DELETE FROM blocks WHERE rowid IN (
       SELECT b.rowid FROM fields f JOIN blocks b ON b.field_id = f.id AND b.start_at < ?1 WHERE b.end_at < ?1)`,
  );
  const removeFields = db.query(
    "DELETE FROM fields WHERE NOT EXISTS (SELECT 1 FROM blocks b WHERE b.field_id = fields.id)",
  );
  const removeSeries = db.query(
    "DELETE FROM series WHERE NOT EXISTS (SELECT 1 FROM fields f WHERE f.series_id = series.id)",
  );
  const removeTags = db.query("DELETE FROM tags WHERE series_id NOT IN (SELECT id FROM series)");
  return (cutoffAt) => {
    if (removeBlocks.run(cutoffAt).changes === 0) return false;
    removeFields.run();
    removeSeries.run();
    removeTags.run();
    return true;
  };
}
