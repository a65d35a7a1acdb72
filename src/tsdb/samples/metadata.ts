// Metadata of the metrics of a bucket: written where it has changed, as senders repeat it with every push.
import type { Database } from "bun:sqlite";
import { type MetricMetadata, metadataCaps } from "../../core/series/metric-metadata.ts";
import { FIRST_WITH_METADATA, readVersion, runTransaction } from "../file.ts";

export interface MetadataWriter {
  /** Keeps what is new; beyond the cap no further metrics. */
  put(metrics: readonly MetricMetadata[]): void;
  /** Forgets what was read of the file. */
  invalidate(): void;
}

export function createMetadataWriter(db: Database): MetadataWriter {
  let known: Map<string, string> | undefined;
  const put = db.query("INSERT OR REPLACE INTO metadata (name, type, help, unit) VALUES (?1, ?2, ?3, ?4)");

  function load(): Map<string, string> {
    return new Map(listMetadata(db).map((one) => [one.name, textOf(one)]));
  }

  return {
    put(metrics) {
      known ??= load();
      const added: MetricMetadata[] = [];
      for (const one of metrics) {
        const text = textOf(one);
        const isFull = !known.has(one.name) && known.size >= metadataCaps.metrics;
        if (isFull || known.get(one.name) === text) continue;
        known.set(one.name, text);
        added.push(one);
      }
      if (added.length === 0) return;
      try {
        runTransaction(db, () => {
          for (const { name, type, help, unit } of added) put.run(name, type, help, unit);
        });
      } catch (error) {
        known = undefined;
        throw error;
      }
    },
    invalidate() {
      known = undefined;
    },
  };
}

function textOf({ type, help, unit }: MetricMetadata): string {
  return JSON.stringify([type, help, unit]);
}

/** By name. @param db undefined where the file does not exist yet */
export function listMetadata(db: Database | undefined): MetricMetadata[] {
  if (!db || readVersion(db) < FIRST_WITH_METADATA) return [];
  return db.query<MetricMetadata, []>("SELECT name, type, help, unit FROM metadata ORDER BY name").all();
}
