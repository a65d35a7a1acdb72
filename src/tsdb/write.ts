// Writes: points are grouped per field of a series, then merged into its blocks, in one transaction.
import type { Database } from "bun:sqlite";
import type { MetricMetadata } from "../core/series/metric-metadata.ts";
import type { Point } from "../core/series/query.ts";
import {
  type BlockRow,
  decodeBlock,
  encodeBlock,
  type FieldPoints,
  mergePoints,
  slicePoints,
  splitIntoBlocks,
} from "./block.ts";
import { createCatalog } from "./catalog.ts";
import { runTransaction } from "./file.ts";
import { createPointGroups } from "./group-points.ts";
import { verifyBlock } from "./integrity/checksum.ts";
import { createMetadataWriter } from "./samples/metadata.ts";
import type { Target, Unstored } from "./target.ts";

/** Minimum time between two searches for expired blocks; reads never return expired points. */
const PURGE_EVERY_MS = 60_000;

export interface Writer {
  /**
   * Stores the points: all, or none when it throws. A point of the same series, field and time is replaced.
   * @returns numbers of points that had expired, and of values whose series are beyond the limit
   */
  write(points: readonly Point[], target: Target): Unstored;
  /** Keeps what senders say of their metrics, up to a cap. */
  describeMetrics(metrics: readonly MetricMetadata[]): void;
  /** Deletes everything and releases the disk space. */
  clear(): void;
  close(): void;
}

/** Creates a writer, which owns `db` and closes it. */
export function createWriter(db: Database): Writer {
  const catalog = createCatalog(db);
  const mergeIntoBlocks = prepareMerge(db);
  const purge = preparePurge(db);
  const metadata = createMetadataWriter(db);
  let purgedAt = -Infinity;

  function store(points: readonly Point[], target: Target): Unstored {
    const { cutoffAt } = target;
    catalog.refresh();
    const groups = createPointGroups(catalog, target);
    let expired = 0;
    for (const point of points) {
      if (point.at >= cutoffAt) groups.add(point);
      else expired++;
    }
    for (const [fieldId, added] of groups.fields()) mergeIntoBlocks(fieldId, added);
    purgeIfDue(cutoffAt);
    return { expired, refused: groups.refused };
  }

  function purgeIfDue(cutoffAt: number): void {
    if (cutoffAt - purgedAt < PURGE_EVERY_MS || cutoffAt === -Infinity) return;
    if (purge(cutoffAt)) catalog.invalidate();
    purgedAt = cutoffAt;
  }

  return {
    write(points, target) {
      try {
        return runTransaction(db, () => store(points, target));
      } catch (error) {
        // Ids added to the cache have been rolled back.
        catalog.invalidate();
        throw error;
      }
    },
    describeMetrics: metadata.put,
    clear() {
      catalog.invalidate();
      metadata.invalidate();
      runTransaction(db, () => {
        for (const table of ["blocks", "fields", "tags", "series", "metadata"])
          db.run(`DELETE FROM ${table}`);
      });
      db.run("VACUUM");
    },
    close: () => db.close(),
  };
}

/** Prepares the merge of new points of a field into its existing blocks. */
function prepareMerge(db: Database): (fieldId: number, added: FieldPoints) => void {
  const columns = "start_at, end_at, data, others, crc FROM blocks WHERE field_id = ?1";
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
    `INSERT INTO blocks (field_id, start_at, end_at, data, others, crc) VALUES (?1, ?2, ?3, ?4, ?5, ?6)
     ON CONFLICT DO UPDATE SET
       end_at = excluded.end_at, data = excluded.data, others = excluded.others, crc = excluded.crc`,
  );

  return (fieldId, added) => {
    for (let from = 0; from < added.times.length; ) {
      const firstAt = added.times[from]!;
      // Points before all blocks join the oldest one; else a backfill backwards would create a block per point.
      const block = findBefore.get(fieldId, firstAt) ?? findAfter.get(fieldId, firstAt);
      // A merge would give the damage a checksum of its own.
      if (block) verifyBlock(block, fieldId);
      const nextAt = (block && findNextStart.get(fieldId, block.start_at)?.at) ?? Infinity;
      let to = from;
      while (to < added.times.length && added.times[to]! < nextAt) to++;
      const part = slicePoints(added, from, to);
      const merged = block ? mergePoints(decodeBlock(block), part) : part;
      if (block && merged.times[0] !== block.start_at) remove.run(fieldId, block.start_at);
      for (const points of splitIntoBlocks(merged, nextAt === Infinity)) {
        const { start_at, end_at, data, others, crc } = encodeBlock(points);
        put.run(fieldId, start_at, end_at, data, others, crc);
      }
      from = to;
    }
  };
}

/** Prepares the purge of expired blocks, and of fields and series without blocks. @returns whether it deleted any */
function preparePurge(db: Database): (cutoffAt: number) => boolean {
  // Per field by the index: blocks are in order, and few of them have expired.
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
