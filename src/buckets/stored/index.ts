// Buckets whose points are in a file of the data directory: the storage engine (src/tsdb), one SQLite file per bucket.
import { type Static, Type } from "@sinclair/typebox";
import { ANNOTATIONS, type Annotation } from "../../core/anomaly/annotation.ts";
import type { Point, ReadQuery } from "../../core/series/query.ts";
import type { SampleBatch } from "../../core/series/samples.ts";
import { intervalSchema } from "../../core/time/duration-schema.ts";
import { parseDuration } from "../../core/time/time.ts";
import {
  binFileOf,
  type FileSnapshot,
  fileNameOf,
  isGone,
  listMetadata,
  pathOf,
  readGrid,
  readGroups,
  removeFiles,
  takeSnapshot,
  visitFields,
} from "../../tsdb/index.ts";
import type { Bucket, OpenContext, WriteOptions } from "../kind.ts";
import { exploreFile, probeFile } from "./explore.ts";
import { type FileOptions, GuardedFile } from "./guarded-file.ts";

export { listPutAway, putAway, putBack, removePutAway, sizeOfFile } from "../../tsdb/index.ts";
export { describeDamage, noteGone } from "./guarded-file.ts";

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

export interface StoredOptions extends Pick<FileOptions, "maxPages"> {
  /** Current time, ms since the epoch; retention is measured from it. */
  readonly now?: () => number;
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

/** Whether a bucket has a file that is not empty. */
export function hasFile(name: string, dataDir: string): boolean {
  return !isGone(pathOf(name, dataDir));
}

/** The file is opened by the first write; a read before that finds nothing and creates nothing. */
export function openStored(
  name: string,
  own: StoredSettings,
  { now = Date.now, ...options }: OpenContext & StoredOptions,
): Bucket {
  const file = new GuardedFile(name, options);
  const retentionMs = own.retention === undefined ? Infinity : parseDuration(own.retention, "retention");
  const cutoffAt = () => now() - retentionMs;
  const scope = <Q extends ReadQuery>(query: Q) => ({
    query: withMeasurement(query, own.measurement),
    sinceAt: cutoffAt(),
  });

  const store = createWriter(file, own, cutoffAt);
  return {
    read: (query, signal) => file.read((points) => readGrid(points, scope(query), signal), signal),
    readGrouped: (query, signal) => file.read((points) => readGroups(points, scope(query), signal), signal),
    visitFields: (query, visit, signal) =>
      file.read((points) => visitFields(points, { query, sinceAt: cutoffAt() }, visit, signal), signal),
    write: store,
    writeSamples: store,
    describeMetrics: (metrics, signal) => file.write((open) => open.describeMetrics(metrics), signal),
    listMetadata: (signal) => file.read(async (points) => listMetadata(points?.db), signal),
    async annotate(annotation, signal) {
      const target = { measurement: ANNOTATIONS, cutoffAt: cutoffAt() };
      await file.write((open) => open.write([toPoint(annotation)], target), signal);
    },
    clear: async (signal) => file.clear(signal),
    probe: (signal) => file.readBlocks((points) => probeFile(points?.db, signal), signal),
    explore(options, signal) {
      const explore = (points: FileSnapshot | undefined) => exploreFile(points?.db, options, signal);
      // Values of a tag are not in blocks.
      return options.tag === undefined ? file.readBlocks(explore, signal) : file.read(explore, signal);
    },
    close: () => file.close(),
  };
}

function createWriter(file: GuardedFile, own: StoredSettings, cutoffAt: () => number) {
  return async (
    sent: readonly Point[] | SampleBatch,
    { measurement, maxSeries = Infinity, onExpired, onExcess }: WriteOptions,
    signal: AbortSignal,
  ): Promise<void> => {
    const target = { measurement: measurement || own.measurement || "", cutoffAt: cutoffAt(), maxSeries };
    const { expired, refused } = await file.write((open) => open.write(sent, target), signal);
    if (expired > 0) onExpired?.(expired);
    if (refused > 0) onExcess?.(refused);
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
