// How well a version describes a range: error, band and anomalies by its own scores; pure.
import type { AnomalyRules } from "../../core/anomaly/state.ts";
import { replay } from "./replay.ts";

type Column = readonly (number | null)[];

/** Columns of one version over a range, one value per interval. */
export interface VersionSeries {
  /** Start of the first interval, seconds since the epoch. */
  readonly from: number;
  /** Seconds. */
  readonly step: number;
  /** Observed values by feature. */
  readonly observed: Readonly<Record<string, Column>>;
  readonly expected: Readonly<
    Record<string, { readonly mean: Column; readonly lower: Column; readonly upper: Column }>
  >;
  readonly score: Column;
}

export interface VersionQuality {
  /** By feature. */
  readonly features: readonly FeatureQuality[];
  /** Anomalies by the rules. */
  readonly anomalies: number;
}

export interface FeatureQuality {
  readonly name: string;
  /** Mean distance of the observed from the expected values; NaN without any. */
  readonly error: number;
  /** Median width of the band, which is very wide where a version has seen little. */
  readonly width: number;
  /** Share of the observed values outside of the band. */
  readonly outside: number;
}

export function qualityOf(series: VersionSeries, rules: AnomalyRules): VersionQuality {
  const { from, step, observed, expected, score } = series;
  const values = Float64Array.from(score, (value) => value ?? Number.NaN);
  const names = Object.keys(expected).filter((name) => observed[name]);
  return {
    features: names.map((name) => ({ name, ...measure(observed[name]!, expected[name]!) })),
    anomalies: replay({ from, step, values }, rules).length,
  };
}

function measure(observed: Column, { mean, lower, upper }: VersionSeries["expected"][string]) {
  let [count, error, outside] = [0, 0, 0];
  const widths: number[] = [];
  for (const [i, value] of observed.entries()) {
    const [middle, low, high] = [mean[i], lower[i], upper[i]];
    if (value === null || typeof middle !== "number") continue;
    count++;
    error += Math.abs(value - middle);
    if (typeof low !== "number" || typeof high !== "number") continue;
    widths.push(high - low);
    if (value < low || value > high) outside++;
  }
  const width = widths.sort((a, b) => a - b)[widths.length >> 1] ?? Number.NaN;
  return { error: error / count, width, outside: outside / count };
}

/** Share of a value below which a difference says nothing. */
const ALIKE = 0.02;

/** Which of two values is less by more than 2 %; undefined: neither, or one is not known. */
export function betterOf([first = Number.NaN, second = Number.NaN]: readonly (number | undefined)[]) {
  const gap = first - second;
  if (!(Math.abs(gap) > ALIKE * Math.max(Math.abs(first), Math.abs(second)))) return undefined;
  return gap < 0 ? 0 : 1;
}

/** Share of a series that lies in the range of a training. */
export function shareWithin(
  { from, to }: { readonly from: number; readonly to: number },
  { from: start, step, score }: VersionSeries,
): number {
  const length = step * score.length;
  return Math.max(0, Math.min(to, start + length) - Math.max(from, start)) / length;
}

/** Means of groups of values, at most `count` of them; null where a group has none. */
export function thin(column: Column, count: number): Column {
  const size = Math.max(1, Math.ceil(column.length / count));
  return Array.from({ length: Math.ceil(column.length / size) }, (_, i) => {
    const known = column.slice(i * size, (i + 1) * size).filter((value) => value !== null);
    return known.length === 0 ? null : known.reduce((sum, value) => sum + value, 0) / known.length;
  });
}
