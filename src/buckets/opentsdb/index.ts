// Kind `opentsdb`: OpenTSDB 2.3 and later, and what speaks its HTTP API.
import { throwIfAborted } from "../../core/abort.ts";
import { invalid } from "../../core/errors.ts";
import { resolveMetric } from "../../metrics/index.ts";
import type { Bucket, BucketKind, Point } from "../kind.ts";
import { nameMetric, requireName } from "./name.ts";
import { readGrid } from "./read.ts";
import { type OpentsdbSettings, secrets, settings, toClientOptions } from "./settings.ts";
import { createStore, type DataPoint } from "./store.ts";

const POINTS_PER_REQUEST = 500;

export const opentsdb: BucketKind<typeof settings> = {
  kind: "opentsdb",
  description:
    "OpenTSDB 2.3 and later. A field is a metric, with its measurement in front: `measurement.field`. " +
    "Tested against a stand-in that speaks its documented API",
  settings,
  secrets,
  supportsMetric: (metric) => resolveMetric(metric) !== undefined,
  open: (_name, own) => openOpentsdb(own),
};

function openOpentsdb(own: OpentsdbSettings): Bucket {
  const store = createStore(toClientOptions(own));
  return {
    read: (query, signal) => readGrid(store, query, signal),
    async write(points, { measurement }, signal) {
      throwIfAborted(signal);
      // All of them first: a name that cannot be stored is found before anything is sent.
      const all = points.flatMap((point) => toDataPoints(point, measurement, own.global_tag ?? "loudml"));
      for (let from = 0; from < all.length; from += POINTS_PER_REQUEST)
        await store.put(all.slice(from, from + POINTS_PER_REQUEST), signal);
    },
    probe: async (signal) => ({ version: `OpenTSDB ${await store.readVersion(signal)}` }),
    close() {},
  };
}

/** Times that fit into 32 bits are read as seconds. */
const FIRST_MS = 2 ** 32;

/** A point per field. A point has at least one tag, so all carry the global one. */
function toDataPoints(
  { at, fields, tags }: Point,
  measurement: string | undefined,
  globalTag: string,
): DataPoint[] {
  if (at < FIRST_MS) throw invalid("", "OpenTSDB cannot hold points from before 1970-02-20");
  const given = Object.entries(tags).filter(([, value]) => value !== "");
  for (const name of given.flat()) requireName(name);
  const all = Object.fromEntries([...given, ["loudml", globalTag]]);
  return Object.entries(fields).flatMap(([field, value]) => {
    if (value === null || (typeof value === "number" && !Number.isFinite(value))) return [];
    const metric = nameMetric(field, measurement);
    if (typeof value !== "number")
      throw invalid("", `OpenTSDB stores numbers only, and ${JSON.stringify(field.slice(0, 64))} holds none`);
    return [{ metric, timestamp: Math.floor(at), value, tags: all }];
  });
}
