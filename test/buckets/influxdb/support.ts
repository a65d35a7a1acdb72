// Helpers of tests on a real InfluxDB: buckets, points, queries.
import { createInfluxKind, type influxdb } from "../../../src/buckets/influxdb/index.ts";
import type { Bucket } from "../../../src/buckets/kind.ts";
import type { FeatureQuery, FieldValue, Point, ReadQuery } from "../../../src/core/series/query.ts";
import type { Influxd } from "../../support/influxd.ts";
import { idle, MINUTE, T0 } from "../support.ts";

let databases = 0;

/** A database no other test uses. */
export function nextDatabase(): string {
  return `d${databases++}`;
}

/** A point at T0 + `atMs`. */
export function makePoint(atMs: number, fields: Record<string, FieldValue>, tags = {}): Point {
  return { at: T0 + atMs, fields, tags };
}

/** Columns `f0`, `f1`, ... over `minutes` from T0; by default the sum of `v`. */
export function makeQuery(features: Partial<FeatureQuery>[], minutes = 3, intervalMs = MINUTE): ReadQuery {
  const full = features.map((feature, i) => ({
    name: `f${i}`,
    metric: "sum",
    field: "v",
    tags: [],
    ...feature,
  }));
  return { range: { fromAt: T0, toAt: T0 + minutes * MINUTE }, intervalMs, features: full };
}

/** The column of one feature. */
export async function readOne(
  bucket: Bucket,
  feature: Partial<FeatureQuery> = {},
  minutes = 3,
): Promise<Float64Array> {
  return (await bucket.read(makeQuery([feature], minutes), idle())).columns.f0!;
}

/** A bucket on the server; measurement `m` where the settings name none. */
export function open(server: Influxd, settings: object, options = {}): Bucket {
  const all = { addr: server.addr, measurement: "m", ...settings } as Parameters<typeof influxdb.open>[1];
  return createInfluxKind(options).open("b", all, { dataDir: "" });
}
