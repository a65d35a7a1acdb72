// Summary of the detectors for `state`: weights by detector, and the period of the series; pure.
import type { Grid } from "../../core/series/grid.ts";
import { detectPeriod } from "../stats/period.ts";
import { type Ensemble, namesOf } from "./types.ts";

/** Intervals, from the end of the range, in which the period is detected. */
const MAX_INTERVALS = 5000;

interface DetectorSummary extends Record<string, number | string> {
  /** As in `network 0.62, linear 0.31, seasonal 0.07`; by feature where there are several. */
  readonly detectors: string;
  /** Period in intervals, 0 = none; by feature where they differ. */
  readonly period: number | string;
}

interface FeatureEnsemble {
  readonly name: string;
  readonly ensemble?: Ensemble | undefined;
}

/** @param grid the training range */
export function summariseDetectors(features: readonly FeatureEnsemble[], grid: Grid): DetectorSummary {
  const labels = features.map(({ name, ensemble }) => label(name, labelOf(ensemble), features.length));
  const periods = features.map(({ name }) => {
    const column = grid.columns[name]!.slice(-MAX_INTERVALS);
    return detectPeriod(column, { intervalMs: grid.intervalMs }).period;
  });
  const isSame = periods.every((period) => period === periods[0]);
  const named = features.map(({ name }, i) => `${name}: ${periods[i]}`);
  return { detectors: labels.join("; "), period: isSame ? (periods[0] ?? 0) : named.join("; ") };
}

function label(name: string, text: string, count: number): string {
  return count === 1 ? text : `${name}: ${text}`;
}

/** Label of the weights; those below 0.01 are left out. */
function labelOf(ensemble: Ensemble | undefined): string {
  if (!ensemble) return "network 1";
  const shares = namesOf(ensemble).map((name) => ({ name, weight: ensemble.detectors[name]!.weight }));
  return shares
    .filter(({ weight }) => weight >= 0.01)
    .sort((a, b) => b.weight - a.weight)
    .map(({ name, weight }) => `${name} ${Number(weight.toFixed(2))}`)
    .join(", ");
}
