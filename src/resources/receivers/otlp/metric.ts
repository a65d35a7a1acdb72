// Metrics of OpenTelemetry as both encodings of OTLP carry them, one metric of one resource at a time.
// Specification: https://opentelemetry.io/docs/specs/otel/metrics/data-model/

export type MetricKind = "gauge" | "sum" | "histogram" | "exponential" | "summary" | "unknown";

/** Name and value, the value as text. */
export type Attribute = readonly [name: string, value: string];

/** Counts of the buckets of an exponential histogram, from the one with the index `offset` on. */
export interface ExponentialBuckets {
  readonly offset: number;
  readonly counts: readonly number[];
}

export interface DataPoint {
  attributes: Attribute[];
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
  readonly points: readonly DataPoint[];
}

/** A metric, or some points of one, with the attributes of its resource. */
export interface ResourceMetric {
  readonly resource: readonly Attribute[];
  readonly metric: Metric;
}

/** Points of a metric that are decoded at a time: a metric can be as large as a request. */
export const CHUNK_POINTS = 1000;
/** Value of `aggregationTemporality`. */
export const CUMULATIVE = 2;
/** Deepest nesting of the value of an attribute. */
export const MAX_ATTRIBUTE_DEPTH = 8;

/** A point without anything. */
export function emptyPoint(): DataPoint {
  return {
    ...{ attributes: [], startAt: 0, at: 0, flags: 0 },
    ...{ bounds: [], counts: [], scale: 0, zeroCount: 0, quantiles: [] },
  };
}

/** Text of the value of an attribute: texts as they are, others as JSON. */
export function attributeText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
