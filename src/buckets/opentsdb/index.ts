// Kind `opentsdb`: OpenTSDB 2.3 and later, and servers compatible with its HTTP API.
import { invalid, throwIfAborted } from "../../core/errors.ts";
import type { Point } from "../../core/series/query.ts";
import type { Bucket, BucketKind } from "../kind.ts";
import { createReader } from "../shared/pushdown.ts";
import { exploreServer } from "./explore.ts";
import { isName, nameMetric, requireName } from "./name.ts";
import { openSource } from "./read.ts";
import { destination, type OpentsdbSettings, secrets, settings, toClientOptions } from "./settings.ts";
import { type DataPoint, FIRST_MS, Store } from "./store.ts";

const POINTS_PER_REQUEST = 500;
/** Name of the tag that every point carries. */
const GLOBAL_TAG = "loudml";

export const opentsdb: BucketKind<typeof settings> = {
  kind: "opentsdb",
  description:
    "OpenTSDB 2.3 and later. A field is a metric, with its measurement in front: `measurement.field`. " +
    "Clearing deletes the points that carry the bucket's global tag, where the server allows deletions " +
    "(`tsd.http.query.allow_delete`); exploring lists metrics, and tags where the server keeps its meta table",
  settings,
  secrets,
  destination,
  open: (_name, own) => openOpentsdb(own),
};

function openOpentsdb(own: OpentsdbSettings): Bucket {
  const store = new Store(toClientOptions(own));
  const globalTag = own.global_tag ?? "loudml";
  return {
    ...createReader((_query, signal) => openSource(store, signal)),
    async write(points, { measurement }, signal) {
      throwIfAborted(signal);
      // All of them first: an invalid name is found before anything is sent.
      const all = points.flatMap((point) => toDataPoints(point, measurement, globalTag));
      for (let from = 0; from < all.length; from += POINTS_PER_REQUEST)
        await store.put(all.slice(from, from + POINTS_PER_REQUEST), signal);
    },
    clear: (signal) => clearPoints(store, globalTag, signal),
    explore: (options, signal) => exploreServer(store, options, signal),
    probe: async (signal) => ({ version: `OpenTSDB ${await store.readVersion(signal)}` }),
    close() {},
  };
}

/** Deletes the points with the global tag; other points of the same metrics stay. */
async function clearPoints(store: Store, globalTag: string, signal: AbortSignal): Promise<void> {
  throwIfAborted(signal);
  // This server never writes other names.
  for (const metric of (await store.listMetrics(signal)).filter(isName))
    await store.deletePoints(metric, [GLOBAL_TAG, globalTag], signal);
}

/** A point per field. A point has at least one tag, so all carry the global one. */
function toDataPoints(
  { at, fields, tags }: Point,
  measurement: string | undefined,
  globalTag: string,
): DataPoint[] {
  if (at < FIRST_MS) throw invalid("", "OpenTSDB cannot hold points from before 1970-02-20");
  const given = Object.entries(tags).filter(([, value]) => value !== "");
  for (const name of given.flat()) requireName(name);
  const all = Object.fromEntries([...given, [GLOBAL_TAG, globalTag]]);
  return Object.entries(fields).flatMap(([field, value]) => {
    if (value === null || (typeof value === "number" && !Number.isFinite(value))) return [];
    const metric = nameMetric(field, measurement);
    if (typeof value !== "number")
      throw invalid("", `OpenTSDB stores numbers only, and ${JSON.stringify(field.slice(0, 64))} holds none`);
    return [{ metric, timestamp: Math.floor(at), value, tags: all }];
  });
}
