// Writer of a bucket's file: finds the fields of points, merges points into blocks, removes what has expired.
import type { Database } from "bun:sqlite";
import type { MetricMetadata } from "../../core/series/metric-metadata.ts";
import {
  type BlockRow,
  decodeBlock,
  encodeBlock,
  type FieldPoints,
  mergePoints,
  slicePoints,
  splitIntoBlocks,
} from "../block.ts";
import { Catalog } from "../catalog.ts";
import { runTransaction } from "../file.ts";
import { verifyBlock } from "../integrity/checksum.ts";
import { createMetadataWriter, type MetadataWriter } from "../samples/metadata.ts";
import { type Collected, collectPoints, collectSamples, isSamples, type Sent } from "./collect.ts";
import type { Target } from "./target.ts";

/** Minimum time between two searches for expired blocks; reads never return expired points. */
const PURGE_EVERY_MS = 60_000;

/** Writer of a file; owns `db` and closes it. */
export class Writer {
  readonly #catalog: Catalog;
  readonly #mergeIntoBlocks: ReturnType<typeof prepareMerge>;
  readonly #purge: Purge;
  readonly #metadata: MetadataWriter;
  #purgedAt = -Infinity;

  constructor(readonly db: Database) {
    this.#catalog = new Catalog(db);
    this.#mergeIntoBlocks = prepareMerge(db);
    this.#purge = preparePurge(db);
    this.#metadata = createMetadataWriter(db);
  }

  /**
   * Finds or adds the fields of points, all or none.
   * @param kept fields with points that are not in blocks, which an expiry must not remove
   */
  collect(sent: Sent, target: Target, kept: () => readonly number[]): Collected {
    const { cutoffAt } = target;
    return this.#runOrForget(() => {
      this.#catalog.refresh();
      const collected = isSamples(sent)
        ? collectSamples(sent, this.#catalog, target)
        : collectPoints(sent, this.#catalog, target);
      if (cutoffAt - this.#purgedAt >= PURGE_EVERY_MS && cutoffAt !== -Infinity) {
        if (this.#purge.blocks(cutoffAt)) this.#removeEmpty(kept());
        this.#purgedAt = cutoffAt;
      }
      return collected;
    });
  }

  /** Moves points into blocks, all or none, and what else belongs to them. A point of the same field and time is replaced. */
  store(fields: Iterable<readonly [fieldId: number, points: FieldPoints]>, also?: () => void): void {
    runTransaction(this.db, () => {
      for (const [fieldId, points] of fields) this.#mergeIntoBlocks(fieldId, points);
      also?.();
    });
  }

  /** Removes expired blocks, and the fields and series that are left without points, by these or by a flush. */
  removeExpired(cutoffAt: number, kept: readonly number[]): void {
    this.#runOrForget(() => {
      this.#purge.blocks(cutoffAt);
      this.#removeEmpty(kept);
    });
  }

  /** Keeps what senders say of their metrics, up to a cap. */
  describeMetrics(metrics: readonly MetricMetadata[]): void {
    this.#metadata.put(metrics);
  }

  /** Deletes everything. @param replayFrom first journal of what is written later */
  clear(replayFrom: number): void {
    this.#catalog.invalidate();
    this.#metadata.invalidate();
    runTransaction(this.db, () => {
      for (const table of ["blocks", "fields", "tags", "series", "metadata"])
        this.db.run(`DELETE FROM ${table}`);
      this.db.run("UPDATE head SET replay_from = ?1", [replayFrom]);
    });
  }

  /** Releases the disk space of what was deleted. */
  shrink(): void {
    this.db.run("VACUUM");
  }

  close(): void {
    this.db.close();
  }

  #removeEmpty(kept: readonly number[]): void {
    this.#purge.fields(kept);
    this.#catalog.invalidate();
  }

  /** Ids added to the cache may have been rolled back. */
  #runOrForget<T>(work: () => T): T {
    try {
      return runTransaction(this.db, work);
    } catch (error) {
      this.#catalog.invalidate();
      throw error;
    }
  }
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

interface Purge {
  /** Removes expired blocks. @returns whether there were any */
  blocks(cutoffAt: number): boolean;
  /** Removes fields without points, and series without fields. @param kept fields with points that are not in blocks */
  fields(kept: readonly number[]): void;
}

function preparePurge(db: Database): Purge {
  // Per field by the index: blocks are in order, and few of them have expired.
  const removeBlocks = db.query(
    `DELETE FROM blocks WHERE rowid IN (
       SELECT b.rowid FROM fields f JOIN blocks b ON b.field_id = f.id AND b.start_at < ?1 WHERE b.end_at < ?1)`,
  );
  const removeFields = db.query(
    `DELETE FROM fields WHERE NOT EXISTS (SELECT 1 FROM blocks b WHERE b.field_id = fields.id)
       AND id NOT IN (SELECT value FROM json_each(?1))`,
  );
  const removeSeries = db.query(
    "DELETE FROM series WHERE NOT EXISTS (SELECT 1 FROM fields f WHERE f.series_id = series.id)",
  );
  const removeTags = db.query("DELETE FROM tags WHERE series_id NOT IN (SELECT id FROM series)");
  return {
    blocks: (cutoffAt) => removeBlocks.run(cutoffAt).changes > 0,
    fields(kept) {
      removeFields.run(JSON.stringify(kept));
      removeSeries.run();
      removeTags.run();
    },
  };
}
