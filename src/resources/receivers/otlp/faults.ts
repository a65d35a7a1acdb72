// Faults of OpenTelemetry data points, each with the reason and the words of its refusal.
// Rules: https://opentelemetry.io/docs/specs/otel/metrics/data-model/#metric-points
import { DAY_MS } from "../../../core/time/time.ts";
import type { RefusalReason } from "../tally.ts";
import { type DataPoint, type ExponentialBuckets, MAX_BINS, type MetricKind } from "./metric.ts";

interface PointFault {
  readonly reason: RefusalReason;
  /** Goes on from the name of the metric. */
  readonly text: string;
}

/** Scales that SDKs choose. */
const [MIN_SCALE, MAX_SCALE] = [-10, 20];
/** The exponent beyond the greatest double. */
const MAX_EXPONENT = 1024;

/** Times before are those of a present in microseconds, milliseconds or seconds; ms since the epoch. */
const OTHER_UNIT_UNTIL = 31 * DAY_MS;

/**
 * The first rule that a point breaks.
 * @param isEnd whether it has no value by its flag
 */
export function faultOf(kind: MetricKind, point: DataPoint, isEnd: boolean): PointFault | undefined {
  if (point.at === 0) return { reason: "time", text: "has a point without a time" };
  if (point.at > 0 && point.at < OTHER_UNIT_UNTIL)
    return { reason: "time", text: "has a point of January 1970: timeUnixNano is in nanoseconds" };
  if (isEnd) return undefined;
  if (kind === "gauge" || kind === "sum")
    return point.value === undefined ? malformed("has a point without a value") : undefined;
  if (isTooRich(point))
    return {
      reason: "kind",
      text: `has more than ${MAX_BINS} buckets or quantiles: choose a coarser scale`,
    };
  const text = kind === "summary" ? faultOfSummary(point) : faultOfBuckets(point);
  return text === undefined ? undefined : malformed(text);
}

function malformed(text: string): PointFault {
  return { reason: "malformed", text };
}

function isTooRich({ bounds, counts, positive, negative, quantiles }: DataPoint): boolean {
  const buckets = Math.max(counts.length, (positive?.counts.length ?? 0) + (negative?.counts.length ?? 0));
  return Math.max(bounds.length, buckets, quantiles.length) > MAX_BINS;
}

function faultOfSummary({ quantiles }: DataPoint): string | undefined {
  const isWrong = quantiles.some(({ quantile }) => !(quantile >= 0 && quantile <= 1));
  return isWrong ? "has a quantile outside of 0 to 1" : undefined;
}

function faultOfBuckets({
  bounds,
  counts,
  scale,
  positive,
  negative,
  ...point
}: DataPoint): string | undefined {
  const all = [
    ...counts,
    ...(positive?.counts ?? []),
    ...(negative?.counts ?? []),
    point.zeroCount,
    point.count ?? 0,
  ];
  if (!all.every((count) => Number.isInteger(count) && count >= 0))
    return "has a count that is no whole number of at least 0";
  if (!bounds.every((bound, i) => (i === 0 ? !Number.isNaN(bound) : bound > bounds[i - 1]!)))
    return "has bounds that do not rise";
  if (counts.length > 0 && counts.length !== bounds.length + 1)
    return `has ${counts.length} buckets and ${bounds.length} bounds: one bucket more than bounds is needed`;
  const sides = [positive, negative].filter((side) => side !== undefined);
  const isScaled = sides.every((side) => side.counts.length === 0 || isInRange(side, scale));
  return isScaled ? undefined : "has a scale or an offset beyond the range of numbers";
}

function isInRange({ offset }: ExponentialBuckets, scale: number): boolean {
  return scale >= MIN_SCALE && scale <= MAX_SCALE && offset * 2 ** -scale < MAX_EXPONENT;
}
