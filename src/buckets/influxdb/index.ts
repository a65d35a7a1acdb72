// Kind `influxdb`: InfluxDB 1.x, and 2.x or 3 through their 1.x API, in InfluxQL and line protocol.
import { throwIfAborted } from "../../core/abort.ts";
import { resolveMetric } from "../../metrics/index.ts";
import type { Bucket, BucketKind, Point } from "../kind.ts";
import { createPacer } from "../pace.ts";
import { createAnnotator } from "./annotate.ts";
import { readResults } from "./answer.ts";
import { exploreServer, probeServer } from "./explore.ts";
import { escapeMeasurement, formatLine } from "./line.ts";
import { quoteName } from "./quote.ts";
import { readGrid } from "./read.ts";
import { type InfluxSettings, secrets, settings, toClientOptions } from "./settings.ts";
import { createStore, type Store } from "./store.ts";

/** Points of one request, as the documentation of InfluxDB advises. */
const POINTS_PER_REQUEST = 5000;

export interface InfluxOptions {
  /** Largest answer in bytes; absent: that of fetch.ts. */
  readonly maxBytes?: number;
}

/** Builds the kind; the size cap is a parameter. */
export function createInfluxKind({ maxBytes }: InfluxOptions = {}): BucketKind<typeof settings> {
  return {
    kind: "influxdb",
    description: "InfluxDB 1.x, and 2.x or 3 through their 1.x API",
    settings,
    secrets,
    supportsMetric: (metric) => resolveMetric(metric) !== undefined,
    open: (_name, own) => openInflux(own, { ...toClientOptions(own), maxBytes }),
  };
}

export const influxdb = createInfluxKind();

function openInflux(own: InfluxSettings, client: ReturnType<typeof toClientOptions>): Bucket {
  const source = { measurement: own.measurement, retentionPolicy: own.retention_policy || undefined };
  const createDatabase = own.create_database ?? true;
  const store = createStore({ ...source, client, database: own.database, createDatabase });
  return {
    read: (query, signal) => readGrid(store, { query, source }, signal),
    write: (points, { measurement }, signal) =>
      writePoints(store, { points, measurement: measurement || own.measurement }, signal),
    annotate: createAnnotator(own, client),
    clear: (signal) => clearMeasurement(store, own.measurement, signal),
    probe: (signal) => probeServer(store, own.measurement, signal),
    explore: (options, signal) => exploreServer(store, options, signal),
    close() {},
  };
}

/**
 * Writes in batches, each of them all or nothing as far as InfluxDB goes: a type conflict of one point in a batch is an
 * error, though the server keeps the others. Writing the same points again is harmless, they replace themselves.
 */
async function writePoints(
  store: Store,
  { points, measurement }: { readonly points: readonly Point[]; readonly measurement: string },
  signal: AbortSignal,
): Promise<void> {
  throwIfAborted(signal);
  const escaped = escapeMeasurement(measurement);
  // All lines first: a name that cannot be stored is found before anything is sent.
  const pace = createPacer(signal);
  const lines: string[] = [];
  for (const point of points) {
    const line = formatLine(escaped, point);
    if (line !== undefined) lines.push(line);
    if (lines.length % 512 === 0) await pace();
  }
  for (let from = 0; from < lines.length; from += POINTS_PER_REQUEST) {
    await store.write(lines.slice(from, from + POINTS_PER_REQUEST).join("\n"), signal);
  }
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
