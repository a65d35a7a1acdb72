// Decoder of OTLP metrics in JSON: keys in lowerCamelCase, 64-bit numbers as texts, enumerations as numbers or names.
// Mapping: https://opentelemetry.io/docs/specs/otlp/#json-protobuf-encoding
import { invalid } from "../../../core/errors.ts";
import {
  isGiven,
  type Json,
  listOf,
  optionalNumber,
  optionalObject,
  toInstant,
  toList,
  toNumber,
  toObject,
  toText,
} from "./json-values.ts";
import {
  type Attribute,
  attributeText,
  CHUNK_POINTS,
  CUMULATIVE,
  type DataPoint,
  type ExponentialBuckets,
  emptyPoint,
  KEPT_ATTRIBUTES,
  MAX_ATTRIBUTE_DEPTH,
  MAX_BINS,
  MAX_POINT_FIELDS,
  MAX_RESOURCE_ATTRIBUTES,
  type Metric,
  type MetricKind,
  type OtlpBudget,
  type ResourceMetric,
  type Scope,
} from "./metric.ts";
import { findDiffering, toScope } from "./scope-tags.ts";

const kinds: Readonly<Record<string, MetricKind>> = {
  gauge: "gauge",
  sum: "sum",
  histogram: "histogram",
  exponentialHistogram: "exponential",
  summary: "summary",
};

/**
 * Takes what a request holds from the budget.
 * @throws TorusError `invalid` naming the place, or the cap
 */
export async function countJson(body: unknown, budget: OtlpBudget): Promise<void> {
  const take = (cap: "groups" | "points", list: readonly unknown[]) => {
    budget.take(cap, list.length);
    return list;
  };
  const root = toObject(body, "body");
  for (const resource of take("groups", toList(root.resourceMetrics, "resourceMetrics"))) {
    const scopes = toList((resource as Json | null)?.scopeMetrics, "scopeMetrics");
    for (const scope of take("groups", scopes)) {
      const own = (scope as Json | null)?.scope as Json | null | undefined;
      take("groups", toList(own?.attributes, "attributes"));
      for (const metric of take("groups", toList((scope as Json | null)?.metrics, "metrics"))) {
        for (const key of Object.keys(kinds))
          take("points", toList(((metric as Json | null)?.[key] as Json | null)?.dataPoints, "dataPoints"));
        if (budget.isDue) await budget.pace();
      }
    }
    if (budget.isDue) await budget.pace();
  }
}

/** The metrics of a request; unknown keys are ignored. @throws TorusError `invalid` naming the place */
export function* readJson(body: unknown): Generator<ResourceMetric> {
  const root = toObject(body, "body");
  for (const { value: resourceMetrics, path } of listOf(root, "resourceMetrics", "")) {
    const holder = optionalObject(resourceMetrics, "resource", path);
    const resource = readAttributes(holder, `${path}.resource`, MAX_RESOURCE_ATTRIBUTES);
    const scopes = listOf(resourceMetrics, "scopeMetrics", `${path}.`).map(({ value, path }) => ({
      scope: readScope(value, path),
      metrics: listOf(value, "metrics", `${path}.`),
    }));
    const differing = findDiffering(
      scopes.map(({ scope, metrics }) => ({
        scope,
        metrics: metrics.map(({ value, path }) => toText(value.name, `${path}.name`)),
      })),
    );
    for (const { scope, metrics } of scopes)
      for (const { value, path } of metrics)
        for (const metric of readMetric(value, path))
          yield { resource, scope, differing: differing.get(metric.name) ?? [], metric };
  }
}

function readScope(scopeMetrics: Json, path: string): Scope {
  const place = `${path}.scope`;
  const scope = optionalObject(scopeMetrics, "scope", path) ?? {};
  const text = (key: string) => toText(scope[key], `${place}.${key}`);
  return toScope(text("name"), text("version"), {
    schemaUrl: toText(scopeMetrics.schemaUrl, `${path}.schemaUrl`),
    attributes: readAttributes(scope, place, KEPT_ATTRIBUTES),
  });
}

/** A metric in chunks of its points; one without points as well. */
function* readMetric(metric: Json, path: string): Generator<Metric> {
  const key = Object.keys(kinds).find((name) => isGiven(metric[name]));
  const name = toText(metric.name, `${path}.name`);
  const kind = key === undefined ? "unknown" : kinds[key]!;
  const data = key === undefined ? {} : toObject(metric[key], `${path}.${key}`);
  const temporality = data.aggregationTemporality;
  const isCumulative = temporality === CUMULATIVE || temporality === "AGGREGATION_TEMPORALITY_CUMULATIVE";
  const isMonotonic = data.isMonotonic === true;
  const [description, unit] = [
    toText(metric.description, `${path}.description`),
    toText(metric.unit, `${path}.unit`),
  ];
  const own = { name, kind, isCumulative, isMonotonic, description, unit };
  const count = toList(data.dataPoints, `${path}.${key}.dataPoints`).length;
  for (let from = 0; from === 0 || from < count; from += CHUNK_POINTS) {
    const places = listOf(data, "dataPoints", `${path}.${key}.`, [from, from + CHUNK_POINTS]);
    yield { ...own, points: places.map((place) => readPoint(place.value, place.path)) };
  }
}

function readPoint(json: Json, path: string): DataPoint {
  const number = (key: string) => optionalNumber(json[key], `${path}.${key}`);
  const numbers = (key: string) => readNumbers(json[key], `${path}.${key}`);
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
    attributes: readAttributes(json, path, KEPT_ATTRIBUTES),
    startAt: toInstant(json.startTimeUnixNano, `${path}.startTimeUnixNano`),
    at: toInstant(json.timeUnixNano, `${path}.timeUnixNano`),
    flags: number("flags") ?? 0,
    bounds: numbers("explicitBounds"),
    counts: numbers("bucketCounts"),
    scale: number("scale") ?? 0,
    zeroCount: number("zeroCount") ?? 0,
    quantiles: listOf(json, "quantileValues", `${path}.`, [0, MAX_BINS + 1]).map(({ value, path }) => ({
      quantile: optionalNumber(value.quantile, `${path}.quantile`) ?? 0,
      value: optionalNumber(value.value, `${path}.value`) ?? 0,
    })),
  };
}

function readBuckets(json: Json, key: string, path: string): ExponentialBuckets | undefined {
  const buckets = optionalObject(json, key, path);
  const place = `${path}.${key}`;
  if (buckets === undefined) return undefined;
  const counts = readNumbers(buckets.bucketCounts, `${place}.bucketCounts`);
  return { offset: optionalNumber(buckets.offset, `${place}.offset`) ?? 0, counts };
}

/** Those of buckets, as far as a point may have them, and one. */
function readNumbers(value: unknown, path: string): number[] {
  const list = toList(value, path).slice(0, MAX_BINS + 1);
  return list.map((each, i) => toNumber(each, `${path}[${i}]`));
}

/** @param most those beyond it are left out */
function readAttributes(holder: Json | undefined, path: string, most: number): Attribute[] {
  if (holder === undefined) return [];
  return listOf(holder, "attributes", `${path}.`, [0, most]).map(({ value, path }) => [
    toText(value.key, `${path}.key`),
    attributeText(readValue(value.value, `${path}.value`, { depth: 0, left: { values: MAX_POINT_FIELDS } })),
  ]);
}

/** What an attribute may still hold. */
interface Nesting {
  readonly depth: number;
  readonly left: { values: number };
}

function readValue(value: unknown, path: string, { depth, left }: Nesting): unknown {
  if (--left.values < 0)
    throw invalid(path, `is one of more than ${MAX_POINT_FIELDS} values of an attribute`);
  if (!isGiven(value)) return "";
  if (depth > MAX_ATTRIBUTE_DEPTH) throw invalid(path, `is nested deeper than ${MAX_ATTRIBUTE_DEPTH} levels`);
  const within = { depth: depth + 1, left };
  const json = toObject(value, path);
  if (isGiven(json.stringValue)) return toText(json.stringValue, `${path}.stringValue`);
  if (isGiven(json.boolValue)) return json.boolValue === true;
  if (isGiven(json.intValue)) return toNumber(json.intValue, `${path}.intValue`);
  if (isGiven(json.doubleValue)) return toNumber(json.doubleValue, `${path}.doubleValue`);
  if (isGiven(json.bytesValue)) return toText(json.bytesValue, `${path}.bytesValue`);
  const inner = (key: "arrayValue" | "kvlistValue") =>
    toList(optionalObject(json, key, path)?.values, `${path}.${key}.values`);
  if (isGiven(json.arrayValue))
    return inner("arrayValue").map((one, i) => readValue(one, `${path}.arrayValue.values[${i}]`, within));
  // Without a value, as of an empty text.
  if (!isGiven(json.kvlistValue)) return "";
  const pairs = inner("kvlistValue").map((one, i) => {
    const place = `${path}.kvlistValue.values[${i}]`;
    const pair = toObject(one, place);
    return [toText(pair.key, `${place}.key`), readValue(pair.value, `${place}.value`, within)] as const;
  });
  return Object.fromEntries(pairs);
}
