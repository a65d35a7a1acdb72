// Kind `mongodb`: one collection of a MongoDB, by its own driver.
import { resolveMetric } from "../../metrics/index.ts";
import type { Bucket, BucketKind, Finding } from "../kind.ts";
import { type Connection, createConnection } from "./connection.ts";
import { fromTime, readTimeField, type TimeField } from "./document.ts";
import { readGrid } from "./read.ts";
import { type MongoSettings, secrets, settings } from "./settings.ts";
import { writePoints } from "./write.ts";

export const mongodb: BucketKind<typeof settings> = {
  kind: "mongodb",
  description:
    "MongoDB 5 and later: one collection, whose documents hold the fields, the tags and the time; a measurement means " +
    "nothing. Tested, driver included, against a stand-in that speaks its wire protocol",
  settings,
  secrets,
  supportsMetric: (metric) => resolveMetric(metric) !== undefined,
  open: (_name, own) => openMongo(own),
};

function openMongo(own: MongoSettings): Bucket {
  const connection = createConnection(own);
  const time = readTimeField(own);
  return {
    read: (query, signal) => readGrid({ connection, time }, query, signal),
    write: (points, _options, signal) => writePoints(connection, { points, time }, signal),
    probe: (signal) => probeServer(connection, time, signal),
    close: () => connection.close(),
  };
}

/** Connects, and asks for the version and the newest document. */
function probeServer(
  connection: Connection,
  { name, unit }: TimeField,
  signal: AbortSignal,
): Promise<Finding> {
  return connection.run(async (collection, client) => {
    const { version } = await client.db("admin").command({ buildInfo: 1 });
    const [newest] = await collection
      .find({ [name]: { $exists: true } }, { projection: { _id: 0, [name]: 1 } })
      .sort({ [name]: -1 })
      .limit(1)
      .toArray();
    const newestAt = newest ? (fromTime(newest[name], unit) ?? null) : null;
    return { ...(typeof version === "string" && { version: `MongoDB ${version}` }), newestAt };
  }, signal);
}
