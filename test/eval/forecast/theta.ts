// Theta: the season is removed, the mean of a line and of a smoothed level is continued, and the season put back.
import { leadsOf, type PeerInput } from "./peer.ts";

const alphas = [0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9];
/** One-sided 95 % of the standard normal distribution. */
const SIGNIFICANT = 1.645;
const MIN_CYCLES = 2;

export function forecastTheta({ values, season, horizon }: PeerInput): number[] {
  const isSeasonal = season > 1 && values.length >= MIN_CYCLES * season && hasSeason(values, season);
  const shape = isSeasonal ? shapeOf(values, season) : undefined;
  const plain = shape ? values.map((value, i) => shape.remove(value, i)) : [...values];
  const { intercept, slope } = fitLine(plain);
  const level = smoothBest(plain.map((value, i) => 2 * value - (intercept + slope * i)));
  return leadsOf(horizon).map((lead) => {
    const place = values.length - 1 + lead;
    const continued = (intercept + slope * place + level) / 2;
    return shape ? shape.put(continued, place) : continued;
  });
}

/** Whether the autocorrelation at a season, without the line, is above chance. */
export function hasSeason(values: readonly number[], season: number): boolean {
  const { intercept, slope } = fitLine(values);
  const rest = values.map((value, i) => value - intercept - slope * i);
  const energy = rest.reduce((sum, x) => sum + x * x, 0);
  if (energy === 0) return false;
  const correlationAt = (lag: number) =>
    rest.slice(lag).reduce((sum, x, i) => sum + x * rest[i]!, 0) / energy;
  const shorter = leadsOf(season - 1).reduce((sum, lag) => sum + correlationAt(lag) ** 2, 0);
  return correlationAt(season) > SIGNIFICANT * Math.sqrt((1 + 2 * shorter) / values.length);
}

interface Shape {
  readonly remove: (value: number, i: number) => number;
  readonly put: (value: number, i: number) => number;
}

/** Medians by place of what the values are of their moving average; of the differences where a value is not above 0. */
function shapeOf(values: readonly number[], season: number): Shape {
  const isRatio = values.every((value) => value > 0);
  const places: number[][] = Array.from({ length: season }, () => []);
  for (const [i, average] of movingAverages(values, season))
    places[i % season]!.push(isRatio ? values[i]! / average : values[i]! - average);
  const medians = places.map((seen) => medianOf(seen) ?? (isRatio ? 1 : 0));
  const mean = medians.reduce((sum, x) => sum + x, 0) / season;
  const at = (i: number) => (isRatio ? medians[i % season]! / mean : medians[i % season]! - mean);
  return isRatio
    ? { remove: (value, i) => value / at(i), put: (value, i) => value * at(i) }
    : { remove: (value, i) => value - at(i), put: (value, i) => value + at(i) };
}

/** Means over one season around each point, both ends of an even season by half. */
function movingAverages(values: readonly number[], season: number): [i: number, average: number][] {
  const half = Math.floor(season / 2);
  const ends = season % 2 === 0 ? 0.5 : 1;
  const sums = [0];
  for (const value of values) sums.push(sums.at(-1)! + value);
  return values.flatMap((_, i): [number, number][] => {
    if (i < half || i + half >= values.length) return [];
    const inner = sums[i + half]! - sums[i - half + 1]!;
    return [[i, (inner + ends * (values[i - half]! + values[i + half]!)) / season]];
  });
}

export function fitLine(values: readonly number[]): { intercept: number; slope: number } {
  const middle = (values.length - 1) / 2;
  const mean = values.reduce((sum, x) => sum + x, 0) / values.length;
  let [products, squares] = [0, 0];
  for (const [i, value] of values.entries()) {
    products += (i - middle) * (value - mean);
    squares += (i - middle) ** 2;
  }
  const slope = squares === 0 ? 0 : products / squares;
  return { slope, intercept: mean - slope * middle };
}

/** The newest level by the smoothing that foretold the values best. */
function smoothBest(values: readonly number[]): number {
  let best = { error: Number.POSITIVE_INFINITY, level: values.at(-1)! };
  for (const alpha of alphas) {
    let [level, error] = [values[0]!, 0];
    for (const value of values) {
      error += (value - level) ** 2;
      level += alpha * (value - level);
    }
    if (error < best.error) best = { error, level };
  }
  return best.level;
}

function medianOf(values: readonly number[]): number | undefined {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1]! + sorted[middle]!) / 2 || sorted[0];
}
