// Kind `prometheus`: Prometheus, VictoriaMetrics, Thanos, Mimir, by PromQL and remote write.

import { throwIfAborted } from "../../core/errors.ts";
import type { FieldValue, Point } from "../../core/series/query.ts";
import type { Bucket, BucketKind } from "../kind.ts";
import { createReader } from "../shared/pushdown.ts";
import { exploreServer, probeServer } from "./explore.ts";
import { openSource } from "./read.ts";
import { encodeWrite, toSeries } from "./remote-write.ts";
import { nameMetric } from "./selector.ts";
import {
  destination,
  PREDICTION_PREFIX,
  type PrometheusSettings,
  secrets,
  settings,
  toClientOptions,
} from "./settings.ts";
import { Store } from "./store.ts";

/** Points per request; each of their fields is a sample. */
const POINTS_PER_REQUEST = 5000;

export interface PrometheusOptions {
  /** Largest answer in bytes; absent: that of fetch.ts. */
  readonly maxBytes?: number;
}

/** Builds the kind; the size cap is a parameter. */
export function createPrometheusKind({ maxBytes }: PrometheusOptions = {}): BucketKind<typeof settings> {
  return {
    kind: "prometheus",
    description:
      "Prometheus, and servers compatible with its query API: VictoriaMetrics, Thanos, Mimir. A field is a metric, a tag a label; " +
      "written to by remote write where the server takes it. A saved prediction is the metrics `torus_<feature>`, " +
      "`torus_lower_<feature>`, `torus_upper_<feature>`, `torus_observed_<feature>`, `torus_score` and " +
      "`torus_is_anomaly` (0 or 1), with the labels `model` and those of `match_all`. The query of a feature is PromQL " +
      "that answers one series, as in `sum(rate(http_requests_total[{interval}]))`; it is evaluated at the end of each " +
      "interval, `{interval}` becomes its length, `{from}` and `{to}` seconds since the epoch",
    settings,
    secrets,
    destination,
    queryLanguage: "PromQL",
    open: (_name, own) => openPrometheus(own, { ...toClientOptions(own), maxBytes }),
  };
}

export const prometheus = createPrometheusKind();

function openPrometheus(own: PrometheusSettings, client: ReturnType<typeof toClientOptions>): Bucket {
  const store = new Store(client, own.tenant);
  const source = { store, findEdge: rememberEdge(store) };
  const prefix = own.prediction_prefix ?? PREDICTION_PREFIX;
  return {
    ...createReader((query, signal) => openSource(source, query, signal)),
    write: (points, { measurement, isPrediction = false }, signal) => {
      const written = isPrediction ? points.map((point) => toPrediction(point, prefix)) : points;
      return writePoints(store, { points: written, measurement }, signal);
    },
    probe: (signal) => probeServer(store, signal),
    explore: (options, signal) => exploreServer(store, options, signal),
    close() {},
  };
}

/**
 * Whether a range includes its first instant: in Prometheus 2 it does, in Prometheus 3 and VictoriaMetrics it does not.
 * Detected once, by a query that answers 2 or 1.
 */
function rememberEdge(store: Store): (signal: AbortSignal) => Promise<0 | 1> {
  let known: 0 | 1 | undefined;
  return async (signal) => {
    if (known !== undefined) return known;
    const [series] = await store.query("count_over_time(vector(1)[1m:1m])", 60_000_000, signal);
    known = series?.values[0] === 2 ? 1 : 0;
    return known;
  };
}

/** All series first: an invalid name is found before anything is sent. */
async function writePoints(
  store: Store,
  { points, measurement }: { readonly points: readonly Point[]; readonly measurement: string | undefined },
  signal: AbortSignal,
): Promise<void> {
  throwIfAborted(signal);
  const bodies: Uint8Array<ArrayBuffer>[] = [];
  for (let from = 0; from < points.length; from += POINTS_PER_REQUEST) {
    const series = toSeries(points.slice(from, from + POINTS_PER_REQUEST), measurement);
    if (series.length > 0) bodies.push(encodeWrite(series));
  }
  for (const body of bodies) await store.write(body, signal);
}

const FLAG = "is_anomaly";

/** A label that changes would split the series, so the flag becomes a metric of its own, 0 or 1. */
function toPrediction({ at, fields, tags }: Point, prefix: string): Point {
  const { [FLAG]: flag, ...shared } = tags;
  const all: Record<string, FieldValue> = {
    ...(flag !== undefined && { [FLAG]: flag === "True" ? 1 : 0 }),
    ...fields,
  };
  const renamed = Object.entries(all).map(([name, value]) => [
    `${prefix}${nameMetric(name, undefined)}`,
    value,
  ]);
  return { at, fields: Object.fromEntries(renamed), tags: shared };
}
