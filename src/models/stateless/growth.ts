// Smooth growth and decay: a transform under which the series is nearly a line, so that its ends are like its middle.
import { fitLine } from "../stats/line.ts";
import { medianOf } from "../stats/median.ts";

/** Parts of the series whose medians show its course; fewer show none. */
const PARTS = { most: 12, least: 5 };
/** Least concordance of the parts with a course in one direction (Kendall's tau). */
const MIN_CONCORDANCE = 0.9;
/** Distances of the asymptote from the nearest part, as powers of 2 of the range. */
const DISTANCES = Array.from({ length: 26 }, (_, k) => 2 ** (4 - k));
/** Largest remaining curvature: as a share of that without a transform, and of the range. */
const MAX_CURVATURE = { remaining: 0.5, range: 0.02 };

/** Distance of a value from the asymptote, in that of the nearest part, and the largest share of nearer ones. */
const NEAREST = 0.25;
const MAX_NEAR_SHARE = 0.02;

/** Logarithm of the distance from an asymptote. */
export interface Growth {
  /** Of a value; one beyond the asymptote counts as one near it. */
  readonly straighten: (value: number) => number;
  /** The inverse of `straighten`. */
  readonly restore: (straight: number) => number;
  /** Units of the data in a unit of the transform, at a value. */
  readonly unitAt: (value: number) => number;
}

interface Candidate extends Growth {
  /** Distance of the nearest part from the asymptote. */
  readonly least: number;
}

/** Whether the series rises, or falls, nearly throughout. @param period in intervals; 0 = no season */
export function hasDirection(column: Float64Array, period: number): boolean {
  const parts = partsOf(column, period);
  return parts.length >= PARTS.least && Math.abs(concordanceOf(parts)) >= MIN_CONCORDANCE;
}

/**
 * Growth or decay towards or away from an asymptote; undefined for any other course, a line included.
 * @param column with a direction
 * @param period in intervals; 0 = no season
 */
export function findGrowth(column: Float64Array, period: number): Growth | undefined {
  const parts = partsOf(column, period);
  const [low, high] = [Math.min(...parts), Math.max(...parts)];
  const range = high - low;
  const candidates = DISTANCES.flatMap((distance) => [
    makeGrowth(low - distance * range, 1, distance * range),
    makeGrowth(high + distance * range, -1, distance * range),
  ]).map((growth) => ({ growth, curvature: curvatureOf(parts.map(growth.straighten)) }));
  const most = Math.min(MAX_CURVATURE.range, MAX_CURVATURE.remaining * curvatureOf(parts));
  return candidates
    .filter(({ curvature }) => curvature <= most)
    .sort((a, b) => a.curvature - b.curvature)
    .find(({ growth }) => holds(growth, column))?.growth;
}

/** Whether hardly a value is nearer to the asymptote than the parts are, as the lows of a season would be. */
function holds({ unitAt, least }: Candidate, column: Float64Array): boolean {
  const near = column.reduce((count, value) => count + Number(unitAt(value) < NEAREST * least), 0);
  return near <= MAX_NEAR_SHARE * column.length;
}

/** @param sign 1 above the asymptote, -1 below. @param least distance of the nearest part */
function makeGrowth(asymptote: number, sign: number, least: number): Candidate {
  const floor = least / 16;
  const distanceOf = (value: number) => Math.max(floor, sign * (value - asymptote));
  return {
    straighten: (value) => (Number.isNaN(value) ? value : sign * Math.log(distanceOf(value))),
    restore: (straight) => asymptote + sign * Math.exp(sign * straight),
    unitAt: distanceOf,
    least,
  };
}

/** Medians of equal parts, of whole periods each. */
function partsOf(column: Float64Array, period: number): number[] {
  const whole = Math.max(1, period);
  const size = whole * Math.ceil(column.length / PARTS.most / whole);
  const count = Math.floor(column.length / size);
  const skipped = column.length - count * size;
  return Array.from({ length: count }, (_, k) =>
    medianOf(column.subarray(skipped + k * size, skipped + (k + 1) * size)),
  ).filter(Number.isFinite);
}

/** Share of pairs that rise, minus the share of those that fall. */
function concordanceOf(values: readonly number[]): number {
  const signs = values.flatMap((late, i) => values.slice(0, i).map((early) => Math.sign(late - early)));
  return signs.reduce((sum, sign) => sum + sign, 0) / signs.length;
}

/** Mean distance from a line, as a share of the range. */
function curvatureOf(values: readonly number[]): number {
  const line = fitLine(Float64Array.from(values));
  const range = Math.max(...values) - Math.min(...values);
  return values.reduce((sum, value, i) => sum + Math.abs(value - line[i]!), 0) / values.length / range;
}
