// Metrics of OpenTelemetry as both encodings of OTLP carry them, one metric of one resource at a time.
// Specification: https://opentelemetry.io/docs/specs/otel/metrics/data-model/

import { MAX_TAGS } from "../../../core/series/names.ts";
import { type Caps, WorkBudget } from "../../../runtime/work-budget.ts";

const advice = "send smaller batches";
/** What one request may hold; counted before anything of it is decoded. */
export const otlpCaps = {
  groups: { most: 100_000, verb: "has", noun: "resources, scopes, their attributes, and metrics", advice },
  points: { most: 500_000, verb: "has", noun: "points", advice },
  /** Those that are skipped. */
  fields: { most: 1_000_000, verb: "has", noun: "fields that are not of a point", advice },
} as const satisfies Caps<string>;

export type OtlpBudget = WorkBudget<keyof typeof otlpCaps>;

export function createOtlpBudget(signal?: AbortSignal): OtlpBudget {
  return new WorkBudget(otlpCaps, signal && { signal });
}

export type MetricKind = "gauge" | "sum" | "histogram" | "exponential" | "summary" | "unknown";

/** Name and value, the value as text. */
export type Attribute = readonly [name: string, value: string];

/** Counts of the buckets of an exponential histogram, from the one with the index `offset` on. */
export interface ExponentialBuckets {
  readonly offset: number;
  readonly counts: readonly number[];
}

export interface DataPoint {
  attributes: readonly Attribute[];
  /** Start of what a sum or a histogram counts, ms since the epoch; 0: unknown. */
  startAt: number;
  /** Ms since the epoch; 0: missing. */
  at: number;
  flags: number;
  /** Of a gauge or a sum. */
  value?: number;
  count?: number;
  sum?: number;
  min?: number;
  max?: number;
  /** Upper bounds of the buckets of a histogram but the last one. */
  bounds: number[];
  counts: number[];
  scale: number;
  zeroCount: number;
  positive?: ExponentialBuckets;
  negative?: ExponentialBuckets;
  /** Of a summary. */
  quantiles: { readonly quantile: number; readonly value: number }[];
}

export interface Metric {
  readonly name: string;
  readonly kind: MetricKind;
  /** Whether the points count from one start, instead of from the point before. */
  readonly isCumulative: boolean;
  /** Whether a sum only grows. */
  readonly isMonotonic: boolean;
  readonly description: string;
  readonly unit: string;
  readonly points: readonly DataPoint[];
}

/** Tags of an instrumentation scope, in the order in which they tell scopes apart: a later one only where those before it do not suffice. */
export const scopeTags = [
  "otel.scope.name",
  "otel.scope.version",
  "otel.scope.schema_url",
  "otel.scope.attributes",
] as const;
export type ScopeTag = (typeof scopeTags)[number];
/** Instrumentation scope of a metric: the values of its tags; empty: none. */
export type Scope = Readonly<Record<ScopeTag, string>>;

/** A metric, or some points of one, with the attributes of its resource. */
export interface ResourceMetric {
  readonly resource: readonly Attribute[];
  readonly scope: Scope;
  /** Tags in which scopes of the resource differ that have a metric of this name in the request. */
  readonly differing: readonly ScopeTag[];
  readonly metric: Metric;
}

/** Points of a metric that are decoded at a time, and fields after which they are fewer: a metric can be large. */
export const [CHUNK_POINTS, CHUNK_FIELDS] = [1000, 20_000];
/** Fields of a point or of a resource, those of its attributes included; values of an attribute in JSON. */
export const MAX_POINT_FIELDS = 20_000;
/** Buckets of a histogram, and quantiles of a summary; points with more are refused. */
export const MAX_BINS = 1000;
/** Attributes that are kept of a point: one more than a series may have, which refuses it. */
export const KEPT_ATTRIBUTES = MAX_TAGS + 1;
/** Of a resource few become tags; further ones are left out. */
export const MAX_RESOURCE_ATTRIBUTES = 1000;
/** Value of `aggregationTemporality`. */
export const CUMULATIVE = 2;
/** Deepest nesting of the value of an attribute. */
export const MAX_ATTRIBUTE_DEPTH = 8;

const nothing: never[] = [];

/** A point without anything. */
export function emptyPoint(): DataPoint {
  return {
    ...{ attributes: nothing, startAt: 0, at: 0, flags: 0 },
    ...{ bounds: [], counts: [], scale: 0, zeroCount: 0, quantiles: [] },
  };
}

/** A point of a gauge or a sum without anything: these have no buckets, and most points are theirs. */
export function emptyNumber(): DataPoint {
  return {
    attributes: nothing,
    startAt: 0,
    at: 0,
    flags: 0,
    bounds: nothing,
    counts: nothing,
    scale: 0,
    zeroCount: 0,
    quantiles: nothing,
  };
}

/** Text of the value of an attribute: texts as they are, others as JSON. */
export function attributeText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
