// Tail probabilities of a statistic: empirical in the bulk, generalised Pareto beyond a threshold; pure.
import { Type } from "@sinclair/typebox";
import { invalid } from "../../core/errors.ts";
import { positive, positiveShare, type Stored, strict } from "../stored-schema.ts";
import { lowerBound } from "./indices.ts";

/** Quantiles stored of the bulk: a resolution of half a percent. */
const QUANTILES = 200;
/** Share of the sample that the tail is fitted to, and its least number of points. */
const TAIL_SHARE = 0.02;
const MIN_TAIL_POINTS = 10;

/** Distribution of a statistic over normal data; larger values are rarer. */
export const TailSchema = Type.Object(
  {
    /** Ascending quantiles of the sample at (i + 1/2) / length. */
    quantiles: Type.Array(Type.Number(), { minItems: 1, maxItems: 10_000 }),
    /** Share of all points above `threshold`, those included that deviate in a direction that does not count. */
    share: positiveShare,
    /** Start of the fitted tail. */
    threshold: Type.Number(),
    /** Generalised Pareto shape (0 = exponential) and scale of the excess over `threshold`. */
    shape: Type.Number({ minimum: 0, maximum: 10, rule: "must be a number from 0 to 10" }),
    scale: positive,
  },
  strict,
);
export type Tail = Stored<typeof TailSchema>;

/** @throws TorusError `invalid` with a path below that of the tail */
export function checkTail({ quantiles }: Tail, path: string): void {
  if (quantiles.some((quantile, i) => i > 0 && quantile < quantiles[i - 1]!))
    throw invalid(`${path}.quantiles`, "must be ascending");
}

/** Largest shape: with a heavier tail nothing would be rare. */
const MAX_SHAPE = 0.5;

/**
 * @param sample statistics of normal points, in any order; at least one
 * @param total number of points the sample represents, those included that deviate in a direction that does not count
 * @param maxShape largest shape of the tail; 0: it is exponential
 */
export function fitTail(sample: Float64Array, total = sample.length, maxShape = MAX_SHAPE): Tail {
  const sorted = sample.slice().sort();
  const n = sorted.length;
  const count = Math.min(Math.floor(n / 2), Math.max(MIN_TAIL_POINTS, Math.round(n * TAIL_SHARE)));
  const threshold = sorted[n - 1 - count] ?? sorted[0]!;
  const excess = sorted.subarray(n - count).map((value) => value - threshold);
  const quantiles = Array.from(
    { length: QUANTILES },
    (_, i) => sorted[Math.min(n - 1, Math.floor(((i + 0.5) / QUANTILES) * n))]!,
  );
  return {
    quantiles,
    threshold,
    share: Math.max(count, 0.5) / Math.max(1, total),
    ...fitPareto(excess, { maxShape, fallbackScale: interquartileRange(sorted) }),
  };
}

/**
 * Generalised Pareto by probability-weighted moments (Hosking and Wallis 1987). The shape is at least 0: a negative one
 * would make values beyond the sample impossible.
 * @param excess ascending, over the threshold
 */
function fitPareto(
  excess: Float64Array,
  { maxShape, fallbackScale }: { readonly maxShape: number; readonly fallbackScale: number },
): { shape: number; scale: number } {
  const n = excess.length;
  if (n < 2) return { shape: 0, scale: fallbackScale };
  let first = 0;
  let weighted = 0;
  for (let i = 0; i < n; i++) {
    first += excess[i]! / n;
    weighted += (excess[i]! * ((n - 1 - i) / (n - 1))) / n;
  }
  if (!(first > 0)) return { shape: 0, scale: fallbackScale };
  const shape = Math.min(maxShape, Math.max(0, 2 - first / (first - 2 * weighted)));
  // With the clamped shape, the scale follows from the mean excess, scale / (1 - shape).
  return { shape, scale: Math.max(first * (1 - shape), fallbackScale * 1e-3) };
}

/** Interquartile range, or 1 if it is 0: the scale of a tail without excess. */
function interquartileRange(sorted: Float64Array): number {
  const n = sorted.length;
  const range = sorted[Math.floor(n * 0.75)]! - sorted[Math.floor(n * 0.25)]!;
  return range > 0 ? range : 1;
}

/** Probability that the statistic of a normal point is at least this large; in (0, 1]. */
export function tailProbability(tail: Tail, statistic: number): number {
  if (statistic <= tail.threshold) return Math.max(tail.share, bulkProbability(tail, statistic));
  const excess = (statistic - tail.threshold) / tail.scale;
  const beyond = tail.shape < 1e-9 ? Math.exp(-excess) : (1 + tail.shape * excess) ** (-1 / tail.shape);
  return tail.share * beyond;
}

/** -log10 of `tailProbability`, without underflow: unbounded in the statistic. */
export function tailDecades(tail: Tail, statistic: number): number {
  if (statistic <= tail.threshold) return -Math.log10(tailProbability(tail, statistic));
  const excess = (statistic - tail.threshold) / tail.scale;
  const decay = tail.shape < 1e-9 ? excess : Math.log1p(tail.shape * excess) / tail.shape;
  return decay / Math.LN10 - Math.log10(tail.share);
}

/** Evenly spaced quantiles of the distribution: a sample that the tail was fitted to, as far as the tail holds it. */
export function drawTail(tail: Tail, count: number): Float64Array {
  return Float64Array.from({ length: count }, (_, i) => tailQuantile(tail, (i + 0.5) / count));
}

/** The tail of the statistic times a positive factor. */
export function scaleTail(tail: Tail, factor: number): Tail {
  const { quantiles, threshold, scale, ...rest } = tail;
  return {
    ...rest,
    quantiles: quantiles.map((quantile) => quantile * factor),
    threshold: threshold * factor,
    scale: scale * factor,
  };
}

function bulkProbability({ quantiles }: Tail, statistic: number): number {
  return 1 - lowerBound(quantiles, statistic) / quantiles.length;
}

/** Statistic with this tail probability: the inverse of `tailProbability` above the threshold. */
export function tailQuantile(tail: Tail, probability: number): number {
  const ratio = Math.max(Number.MIN_VALUE, probability / tail.share);
  if (ratio >= 1)
    return tail.quantiles[
      Math.min(tail.quantiles.length - 1, Math.floor((1 - probability) * tail.quantiles.length))
    ]!;
  const excess = tail.shape < 1e-9 ? -Math.log(ratio) : (ratio ** -tail.shape - 1) / tail.shape;
  return tail.threshold + tail.scale * excess;
}
