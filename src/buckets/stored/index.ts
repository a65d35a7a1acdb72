// Buckets whose points are in a file of the data directory: the storage engine (src/tsdb), one SQLite file per bucket.
import { type Static, Type } from "@sinclair/typebox";
import { ANNOTATIONS, type Annotation } from "../../core/anomaly/annotation.ts";
import { TorusError, throwIfAborted } from "../../core/errors.ts";
import type { Point, ReadQuery } from "../../core/series/query.ts";
import { durationSchema } from "../../core/time/duration-schema.ts";
import { parseDuration } from "../../core/time/time.ts";
import {
  createReadPool,
  createWriter,
  openWriter,
  pathOf,
  readGrid,
  readGroups,
  removeFiles,
  runGuarded,
  takeSnapshot,
  visitFields,
  type Writer,
} from "../../tsdb/index.ts";
import type { Bucket, OpenContext } from "../kind.ts";
import { exploreFile, probeFile } from "./explore.ts";

export const storedSettings = Type.Object(
  {
    measurement: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 256,
        description: "Measurement to write to and read from where none is named; absent: read from all",
      }),
    ),
    retention: Type.Optional(
      durationSchema({
        description:
          "Points older than this are not returned, and deleted by later writes. Such points are not stored either: the " +
          "result of a write job has their number as `dropped`, line protocol answers `points beyond retention " +
          "policy`. Absent: points are kept forever",
        examples: ["90d"],
      }),
    ),
  },
  { additionalProperties: false },
);
export type StoredSettings = Static<typeof storedSettings>;

export interface StoredOptions {
  /** Current time, ms since the epoch; retention is measured from it. */
  readonly now?: () => number;
  /** Largest size of a bucket's file in pages of 4 KiB; absent: unlimited. */
  readonly maxPages?: number;
}

/** Removal and snapshot of the file, as bucket kinds have them. */
export const storedFiles = {
  destroy: (name: string, { dataDir }: OpenContext): void => removeFiles(pathOf(name, dataDir)),
  takeSnapshot: (name: string, { dataDir }: OpenContext) => takeSnapshot(name, dataDir),
};

/** The file is opened by the first write; a read before that finds nothing and creates nothing. */
export function openStored(
  name: string,
  own: StoredSettings,
  { dataDir, ...options }: OpenContext & StoredOptions,
): Bucket {
  const path = pathOf(name, dataDir);
  const retentionMs = own.retention === undefined ? Infinity : parseDuration(own.retention, "retention");
  const cutoffAt = () => (options.now ?? Date.now)() - retentionMs;
  const pool = createReadPool(path);
  let writer: Writer | undefined;
  let closed = false;

  function begin(signal: AbortSignal): void {
    throwIfAborted(signal);
    if (closed) throw new TorusError("bucket_unavailable", "the bucket was closed; try again");
  }

  function write<T>(work: (writer: Writer) => T): T {
    return runGuarded(() => {
      writer ??= createWriter(openWriter(path, options.maxPages));
      return work(writer);
    });
  }

  return {
    async read(query, signal) {
      begin(signal);
      const scoped = { query: withMeasurement(query, own.measurement), sinceAt: cutoffAt() };
      return await pool.use((db) => readGrid(db, scoped, signal));
    },
    async readGrouped(query, signal) {
      begin(signal);
      const scoped = { query: withMeasurement(query, own.measurement), sinceAt: cutoffAt() };
      return await pool.use((db) => readGroups(db, scoped, signal));
    },
    async visitFields(query, visit, signal) {
      begin(signal);
      await pool.use((db) => visitFields(db, { query, sinceAt: cutoffAt() }, visit, signal));
    },
    async write(points, { measurement, maxSeries = Infinity, onExpired, onExcess }, signal) {
      begin(signal);
      if (points.length === 0) return;
      const target = { measurement: measurement || own.measurement || "", cutoffAt: cutoffAt(), maxSeries };
      const { expired, refused } = write((writer) => writer.write(points, target));
      if (expired > 0) onExpired?.(expired);
      if (refused > 0) onExcess?.(refused);
    },
    async annotate(annotation, signal) {
      begin(signal);
      const target = { measurement: ANNOTATIONS, cutoffAt: cutoffAt() };
      write((writer) => writer.write([toPoint(annotation)], target));
    },
    async clear(signal) {
      begin(signal);
      write((writer) => writer.clear());
    },
    async probe(signal) {
      begin(signal);
      return pool.use((db) => probeFile(db, signal));
    },
    async explore(options, signal) {
      begin(signal);
      return pool.use((db) => exploreFile(db, options, signal));
    },
    close() {
      closed = true;
      pool.close();
      writer?.close();
      writer = undefined;
    },
  };
}

function withMeasurement<Q extends ReadQuery>(query: Q, measurement: string | undefined): Q {
  if (measurement === undefined) return query;
  return { ...query, features: query.features.map((feature) => ({ measurement, ...feature })) };
}

/** Placed at its start, so that the end replaces it; times in ns, as other stores of annotations have them. */
function toPoint({ startAt, endAt, modifiedAt, type, model, id, text }: Annotation): Point {
  const end = endAt === undefined ? {} : { end_time: endAt * 1e6 };
  const fields = {
    id,
    text,
    deleted: false,
    start_time: startAt * 1e6,
    modified_time_ns: modifiedAt * 1e6,
    ...end,
  };
  return { at: startAt, tags: { type, model }, fields };
}
