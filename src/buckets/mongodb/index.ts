// Kind `mongodb`: one collection of a MongoDB, by its own driver.
import type { Bucket, BucketKind } from "../kind.ts";
import { createReader } from "../shared/pushdown.ts";
import { Connection } from "./connection.ts";
import { readTimeField, type TimeField } from "./document.ts";
import { exploreCollection, probeServer } from "./explore.ts";
import { openSource } from "./read.ts";
import { destination, type MongoSettings, readHosts, secrets, settings } from "./settings.ts";
import { writePoints } from "./write.ts";

export const mongodb: BucketKind<typeof settings> = {
  kind: "mongodb",
  description:
    "MongoDB 5 and later: one collection, whose documents hold the fields, the tags and the time; measurements are " +
    "ignored. All documents are one series for `rate` and `derivative`, unless `series_by` names the fields that " +
    "distinguish them. Exploring samples the newest documents",
  settings,
  secrets,
  destination,
  check: (own) => void readHosts(own),
  open: (_name, own) => openMongo(own),
};

function openMongo(own: MongoSettings): Bucket {
  const connection = new Connection(own);
  const time = readTimeField(own);
  const place = { connection, time, seriesBy: own.series_by ?? [] };
  return {
    ...createReader((_query, signal) => openSource({ ...place, signal })),
    write: (points, _options, signal) => writePoints(connection, { points, time }, signal),
    clear: (signal) => clearPoints(connection, time, signal),
    probe: (signal) => probeServer(connection, time, signal),
    explore: (options, signal) => exploreCollection({ connection, time }, options, signal),
    close: () => connection.close(),
  };
}

/** Deletes the documents that have a time; the collection and its indices stay. */
async function clearPoints(connection: Connection, { name }: TimeField, signal: AbortSignal): Promise<void> {
  await connection.run((collection) => collection.deleteMany({ [name]: { $exists: true } }), signal);
}
