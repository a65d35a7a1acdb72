// Decoder of OTLP metrics in JSON: keys in lowerCamelCase, 64-bit numbers as texts, enumerations as numbers or names.
// Mapping: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
import { invalid } from "../../../core/errors.ts";
import {
  type Attribute,
  attributeText,
  CHUNK_POINTS,
  CUMULATIVE,
  type DataPoint,
  type ExponentialBuckets,
  emptyPoint,
  MAX_ATTRIBUTE_DEPTH,
  type Metric,
  type MetricKind,
  type ResourceMetric,
} from "./metric.ts";

type Json = Readonly<Record<string, unknown>>;

const kinds: Readonly<Record<string, MetricKind>> = {
  gauge: "gauge",
  sum: "sum",
  histogram: "histogram",
  exponentialHistogram: "exponential",
  summary: "summary",
};
const NS_PER_MS = 1e6;
const NS_DIGITS = 6;
const MAX_DIGITS = 20;

/** The metrics of a request; unknown keys are ignored. @throws TorusError `invalid` naming the place */
export function* readJson(body: unknown): Generator<ResourceMetric> {
  const root = toObject(body, "body");
  for (const { value: resourceMetrics, path } of listOf(root, "resourceMetrics", "")) {
    const resource = readAttributes(optionalObject(resourceMetrics, "resource", path), `${path}.resource`);
    for (const scope of listOf(resourceMetrics, "scopeMetrics", `${path}.`))
      for (const metric of listOf(scope.value, "metrics", `${scope.path}.`))
        for (const part of readMetric(metric.value, metric.path)) yield { resource, metric: part };
  }
}

/** A metric in chunks of its points; one without points as well. */
function* readMetric(metric: Json, path: string): Generator<Metric> {
  const key = Object.keys(kinds).find((name) => metric[name] !== undefined && metric[name] !== null);
  const name = toText(metric.name, `${path}.name`);
  const kind = key === undefined ? "unknown" : kinds[key]!;
  const data = key === undefined ? {} : toObject(metric[key], `${path}.${key}`);
  const temporality = data.aggregationTemporality;
  const isCumulative = temporality === CUMULATIVE || temporality === "AGGREGATION_TEMPORALITY_CUMULATIVE";
  const places = listOf(data, "dataPoints", `${path}.${key}.`);
  for (let from = 0; from === 0 || from < places.length; from += CHUNK_POINTS) {
    const points = places.slice(from, from + CHUNK_POINTS).map(({ value, path }) => readPoint(value, path));
    yield { name, kind, isCumulative, points };
  }
}

function readPoint(json: Json, path: string): DataPoint {
  const number = (key: string) => optionalNumber(json[key], `${path}.${key}`);
  const numbers = (key: string) =>
    toList(json[key], `${path}.${key}`).map((value, i) => toNumber(value, `${path}.${key}[${i}]`));
  const own = {
    value: number("asDouble") ?? number("asInt"),
    ...{ count: number("count"), sum: number("sum"), min: number("min"), max: number("max") },
    positive: readBuckets(json, "positive", path),
    negative: readBuckets(json, "negative", path),
  };
  const given = Object.fromEntries(Object.entries(own).filter(([, value]) => value !== undefined));
  return {
    ...emptyPoint(),
    ...given,
    attributes: readAttributes(json, path),
    startAt: toInstant(json.startTimeUnixNano, `${path}.startTimeUnixNano`),
    at: toInstant(json.timeUnixNano, `${path}.timeUnixNano`),
    flags: number("flags") ?? 0,
    bounds: numbers("explicitBounds"),
    counts: numbers("bucketCounts"),
    scale: number("scale") ?? 0,
    zeroCount: number("zeroCount") ?? 0,
    quantiles: listOf(json, "quantileValues", `${path}.`).map(({ value, path }) => ({
      quantile: optionalNumber(value.quantile, `${path}.quantile`) ?? 0,
      value: optionalNumber(value.value, `${path}.value`) ?? 0,
    })),
  };
}

function readBuckets(json: Json, key: string, path: string): ExponentialBuckets | undefined {
  const buckets = optionalObject(json, key, path);
  const place = `${path}.${key}`;
  if (buckets === undefined) return undefined;
  const counts = toList(buckets.bucketCounts, `${place}.bucketCounts`).map((value, i) =>
    toNumber(value, `${place}.bucketCounts[${i}]`),
  );
  return { offset: optionalNumber(buckets.offset, `${place}.offset`) ?? 0, counts };
}

function readAttributes(holder: Json | undefined, path: string): Attribute[] {
  if (holder === undefined) return [];
  return listOf(holder, "attributes", `${path}.`).map(({ value, path }) => [
    toText(value.key, `${path}.key`),
    attributeText(readValue(value.value, `${path}.value`, 0)),
  ]);
}

function readValue(value: unknown, path: string, depth: number): unknown {
  if (value === undefined || value === null) return "";
  if (depth > MAX_ATTRIBUTE_DEPTH) throw invalid(path, `is nested deeper than ${MAX_ATTRIBUTE_DEPTH} levels`);
  const json = toObject(value, path);
  if (json.stringValue !== undefined) return toText(json.stringValue, `${path}.stringValue`);
  if (json.boolValue !== undefined) return json.boolValue === true;
  if (json.intValue !== undefined) return toNumber(json.intValue, `${path}.intValue`);
  if (json.doubleValue !== undefined) return toNumber(json.doubleValue, `${path}.doubleValue`);
  if (json.bytesValue !== undefined) return toText(json.bytesValue, `${path}.bytesValue`);
  const inner = (key: "arrayValue" | "kvlistValue") =>
    toList(optionalObject(json, key, path)?.values, `${path}.${key}.values`);
  if (json.arrayValue !== undefined)
    return inner("arrayValue").map((one, i) => readValue(one, `${path}.arrayValue.values[${i}]`, depth + 1));
  const pairs = inner("kvlistValue").map((one, i) => {
    const place = `${path}.kvlistValue.values[${i}]`;
    const pair = toObject(one, place);
    return [toText(pair.key, `${place}.key`), readValue(pair.value, `${place}.value`, depth + 1)] as const;
  });
  return Object.fromEntries(pairs);
}

interface Place {
  readonly value: Json;
  readonly path: string;
}

function listOf(holder: Json, key: string, prefix: string): Place[] {
  return toList(holder[key], `${prefix}${key}`).map((value, i) => {
    const path = `${prefix}${key}[${i}]`;
    return { value: toObject(value, path), path };
  });
}

function toList(value: unknown, path: string): readonly unknown[] {
  if (value === undefined || value === null) return [];
  if (Array.isArray(value)) return value;
  throw invalid(path, "must be a list");
}

function optionalObject(holder: Json, key: string, path: string): Json | undefined {
  const value = holder[key];
  return value === undefined || value === null ? undefined : toObject(value, `${path}.${key}`);
}

function toObject(value: unknown, path: string): Json {
  if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Json;
  throw invalid(path, "must be an object");
}

function toText(value: unknown, path: string): string {
  if (value === undefined) return "";
  if (typeof value === "string") return value;
  throw invalid(path, "must be a text");
}

function optionalNumber(value: unknown, path: string): number | undefined {
  return value === undefined || value === null ? undefined : toNumber(value, path);
}

function toNumber(value: unknown, path: string): number {
  if (typeof value === "number") return value;
  if (typeof value === "string" && /^(NaN|-?Infinity|-?\d+(\.\d+)?([eE][-+]?\d+)?)$/.test(value))
    return Number(value);
  throw invalid(path, "must be a number");
}

/** Nanoseconds since the epoch, exact as a text, as milliseconds, rounded down; 0 where they are missing. */
function toInstant(value: unknown, path: string): number {
  if (value === undefined || value === null) return 0;
  if (typeof value === "number" && value >= 0) return Math.floor(value / NS_PER_MS);
  if (typeof value === "string" && value.length <= MAX_DIGITS && /^\d+$/.test(value))
    return Number(value.slice(0, -NS_DIGITS));
  throw invalid(path, "must be a time in nanoseconds since the epoch");
}
