// Buckets whose points are in a file of the data directory: the storage engine (src/tsdb), one SQLite file per bucket.
import { type Static, Type } from "@sinclair/typebox";
import { ANNOTATIONS, type Annotation } from "../../core/anomaly/annotation.ts";
import { TorusError, throwIfAborted } from "../../core/errors.ts";
import type { Point, ReadQuery } from "../../core/series/query.ts";
import type { SampleBatch } from "../../core/series/samples.ts";
import { intervalSchema } from "../../core/time/duration-schema.ts";
import { parseDuration } from "../../core/time/time.ts";
import {
  binFileOf,
  type FileSnapshot,
  fileNameOf,
  forgetDamage,
  isGone,
  listMetadata,
  noteDamage,
  openBucketFile,
  pathOf,
  readGrid,
  readGroups,
  removeFiles,
  takeSnapshot,
  visitFields,
} from "../../tsdb/index.ts";
import type { Bucket, OpenContext, WriteOptions } from "../kind.ts";
import { exploreFile, probeFile } from "./explore.ts";

export { listPutAway, putAway, putBack, removePutAway, sizeOfFile } from "../../tsdb/index.ts";

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
      intervalSchema({
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
  takeSnapshot: (name: string, { dataDir }: OpenContext) => takeSnapshot(fileNameOf(name), dataDir),
};

/** Snapshot of the file of a deleted bucket, by the id of its entry of the bin. */
export function takeBinSnapshot(id: string, { dataDir }: OpenContext) {
  return takeSnapshot(binFileOf(id), dataDir);
}

const GONE = "the file of its points is gone or empty";

/** As answers and readiness say it. */
export function describeDamage({
  bucket,
  reason,
}: {
  readonly bucket: string;
  readonly reason: string;
}): string {
  return `bucket ${bucket}: ${reason}; restore the file from a backup (torus check names all damage), or start empty with torus clear-bucket ${bucket}`;
}

/** Whether a bucket has a file that is not empty. */
export function hasFile(name: string, dataDir: string): boolean {
  return !isGone(pathOf(name, dataDir));
}

/** Notes a bucket that has had points, and whose file is gone. */
export function noteGone(name: string, dataDir: string): void {
  noteDamage(pathOf(name, dataDir), { bucket: name, reason: GONE, isGone: true });
}

/** The file is opened by the first write; a read before that finds nothing and creates nothing. */
export function openStored(
  name: string,
  own: StoredSettings,
  { dataDir, history, headPoints, ...options }: OpenContext & StoredOptions,
): Bucket {
  const path = pathOf(name, dataDir);
  const retentionMs = own.retention === undefined ? Infinity : parseDuration(own.retention, "retention");
  const cutoffAt = () => (options.now ?? Date.now)() - retentionMs;
  const file = openBucketFile(path, { maxPages: options.maxPages, headPoints });
  let closed = false;
  let hasPoints = history?.hasPoints ?? false;

  function begin(signal: AbortSignal): void {
    throwIfAborted(signal);
    if (closed) throw new TorusError("bucket_unavailable", "the bucket was closed; try again");
  }

  /** A new file in place of one that is gone would hide that its points are lost. */
  function requireFile(): void {
    if (hasPoints && isGone(path)) throw new TorusError("bucket_damaged", GONE);
  }

  function refuse(error: unknown): never {
    if (!(error instanceof TorusError) || error.code !== "bucket_damaged") throw error;
    const damage = { bucket: name, reason: error.message, isGone: error.message === GONE };
    noteDamage(path, damage);
    throw new TorusError("bucket_damaged", describeDamage(damage));
  }

  async function read<T>(work: (file: FileSnapshot | undefined) => Promise<T>): Promise<T> {
    try {
      requireFile();
      return await file.read(work);
    } catch (error) {
      return refuse(error);
    }
  }

  /** As `read`, where all points are in blocks. */
  async function readBlocks<T>(work: (file: FileSnapshot | undefined) => Promise<T>): Promise<T> {
    try {
      requireFile();
      await file.settle();
      return await file.read(work);
    } catch (error) {
      return refuse(error);
    }
  }

  /** A write of no points creates no file. */
  async function keepHistory(): Promise<void> {
    if (history === undefined || isGone(path)) return;
    await history.keep();
    hasPoints = true;
  }

  async function write<T>(work: () => T | Promise<T>): Promise<T> {
    try {
      requireFile();
      const result = await work();
      if (!hasPoints) await keepHistory();
      return result;
    } catch (error) {
      return refuse(error);
    }
  }

  async function store(
    sent: readonly Point[] | SampleBatch,
    { measurement, maxSeries = Infinity, onExpired, onExcess }: WriteOptions,
    signal: AbortSignal,
  ): Promise<void> {
    begin(signal);
    const target = { measurement: measurement || own.measurement || "", cutoffAt: cutoffAt(), maxSeries };
    const { expired, refused } = await write(() => file.write(sent, target));
    if (expired > 0) onExpired?.(expired);
    if (refused > 0) onExcess?.(refused);
  }

  /** Starts empty. A file that is gone or damaged is replaced. */
  function clear(): void {
    try {
      requireFile();
      file.clear();
      forgetDamage(path);
    } catch (error) {
      if (!(error instanceof TorusError) || error.code !== "bucket_damaged") throw error;
      file.reset();
    }
  }

  return {
    async read(query, signal) {
      begin(signal);
      const scoped = { query: withMeasurement(query, own.measurement), sinceAt: cutoffAt() };
      return await read((file) => readGrid(file, scoped, signal));
    },
    async readGrouped(query, signal) {
      begin(signal);
      const scoped = { query: withMeasurement(query, own.measurement), sinceAt: cutoffAt() };
      return await read((file) => readGroups(file, scoped, signal));
    },
    async visitFields(query, visit, signal) {
      begin(signal);
      await read((file) => visitFields(file, { query, sinceAt: cutoffAt() }, visit, signal));
    },
    write: store,
    writeSamples: store,
    async describeMetrics(metrics, signal) {
      begin(signal);
      await write(() => file.describeMetrics(metrics));
    },
    async listMetadata(signal) {
      begin(signal);
      return read(async (file) => listMetadata(file?.db));
    },
    async annotate(annotation, signal) {
      begin(signal);
      const target = { measurement: ANNOTATIONS, cutoffAt: cutoffAt() };
      await write(() => file.write([toPoint(annotation)], target));
    },
    async clear(signal) {
      begin(signal);
      clear();
    },
    async probe(signal) {
      begin(signal);
      return readBlocks((file) => probeFile(file?.db, signal));
    },
    async explore(options, signal) {
      begin(signal);
      // Values of a tag are not in blocks.
      const readFile = options.tag === undefined ? readBlocks : read;
      return readFile((file) => exploreFile(file?.db, options, signal));
    },
    close() {
      closed = true;
      file.close();
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
