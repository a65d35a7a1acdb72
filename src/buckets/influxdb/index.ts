// Kind `influxdb`: InfluxDB 1.x, and 2.x or 3 through their 1.x API, in InfluxQL and line protocol.
import { throwIfAborted } from "../../core/errors.ts";
import type { ReadQuery } from "../../core/series/query.ts";
import type { Bucket, BucketKind } from "../kind.ts";
import { createReader } from "../shared/pushdown.ts";
import { readQueries } from "../shared/query.ts";
import { createAnnotator } from "./annotate.ts";
import { readResults } from "./answer.ts";
import { exploreServer, probeServer } from "./explore.ts";
import { checkQuery, createLanguage } from "./query.ts";
import { quoteName } from "./quote.ts";
import { openSource } from "./read.ts";
import { destination, type InfluxSettings, secrets, settings, toClientOptions } from "./settings.ts";
import { Store } from "./store.ts";
import { writePoints } from "./write.ts";

interface InfluxOptions {
  /** Largest answer in bytes; absent: that of fetch.ts. */
  readonly maxBytes?: number;
}

/** Builds the kind; the size cap is a parameter. */
export function createInfluxKind({ maxBytes }: InfluxOptions = {}): BucketKind<typeof settings> {
  return {
    kind: "influxdb",
    description:
      "InfluxDB 1.x, and 2.x or 3 through their 1.x API. The query of a feature is one SELECT of one value, a row per " +
      "interval, from `{from}` to `{to}` (exclusive) in intervals of `{interval}`, as in `select mean(v) from m " +
      "where time >= {from} and time < {to} group by time({interval})`, without semicolons and the word INTO",
    settings,
    secrets,
    destination,
    queryLanguage: "InfluxQL",
    checkQuery,
    open: (_name, own) => openInflux(own, { ...toClientOptions(own), maxBytes }),
  };
}

export const influxdb = createInfluxKind();

function openInflux(own: InfluxSettings, client: ReturnType<typeof toClientOptions>): Bucket {
  const source = { measurement: own.measurement, retentionPolicy: own.retention_policy || undefined };
  const createDatabase = own.create_database ?? true;
  const store = new Store({ ...source, client, database: own.database, createDatabase });
  const reader = createReader((query, signal) => openSource(store, { query, source }, signal));
  return {
    read: (query, signal) => {
      const readOthers = (others: ReadQuery) => reader.read(others, signal);
      return readQueries(query, { language: createLanguage(store, signal), readOthers }, signal);
    },
    readGrouped: reader.readGrouped,
    write: (points, { measurement }, signal) =>
      writePoints(store, { points, measurement: measurement || own.measurement }, signal),
    annotate: createAnnotator(own, client),
    clear: (signal) => clearMeasurement(store, own.measurement, signal),
    probe: (signal) => probeServer(store, source, signal),
    explore: (options, signal) =>
      exploreServer(store, { ...options, retentionPolicy: source.retentionPolicy }, signal),
    close() {},
  };
}

/**
 * Deletes the points of the bucket's measurement, in every retention policy: InfluxQL knows no narrower way. Other
 * measurements stay, and so does the database, which other buckets may share. `delete` and not `drop measurement`,
 * because it needs the right to write only; the types of the fields stay known to InfluxDB until the shard expires.
 */
async function clearMeasurement(store: Store, measurement: string, signal: AbortSignal): Promise<void> {
  throwIfAborted(signal);
  readResults(store.client, await store.query(`delete from ${quoteName(measurement)}`, signal));
}
