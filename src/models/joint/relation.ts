// Usual relation of several features: Mahalanobis distance of their levels, and the residual of each feature; pure.
import { solve } from "../stats/solve.ts";

/** Share of the mean variance in the covariance: features that move as one would make any difference between them infinite. */
const SHRINKAGE = 0.02;
/** Least mean variance: of features that never change, that of a rounding would make any difference infinite. */
const MIN_VARIANCE = 1e-4;
/** Share of the closest relation from which another is named beside it. */
const RELATED_SHARE = 0.5;
/** Rounds in which levels that are not known are found: each halves what is left in relations of practice. */
const ROUNDS = 8;

/** Mean and inverse covariance of the levels of a training. */
export interface Relation {
  /** By feature. */
  readonly mean: readonly number[];
  /** Row by row, as many rows as features. */
  readonly precision: readonly number[];
}

/** How levels differ from their relation. */
export interface Deviation {
  /** Mahalanobis distance (Mahalanobis 1936). */
  readonly distance: number;
  /** By feature, its level less what the others let expect, in deviations of that difference; 0 where it is not known. */
  readonly residuals: Float64Array;
}

/** @param levels by point, one per feature, all known; at least one point */
export function fitRelation(levels: readonly Float64Array[]): Relation {
  const size = levels[0]!.length;
  const mean = new Float64Array(size);
  for (const level of levels) for (let j = 0; j < size; j++) mean[j]! += level[j]! / levels.length;
  const covariance = Array.from({ length: size }, () => new Float64Array(size));
  for (const level of levels)
    for (let j = 0; j < size; j++)
      for (let k = 0; k <= j; k++)
        covariance[j]![k]! += ((level[j]! - mean[j]!) * (level[k]! - mean[k]!)) / levels.length;
  const variance = Math.max(MIN_VARIANCE, covariance.reduce((sum, row, j) => sum + row[j]!, 0) / size);
  for (const [j, row] of covariance.entries())
    for (let k = 0; k <= j; k++) row[k] = (1 - SHRINKAGE) * row[k]! + (j === k ? SHRINKAGE * variance : 0);
  return { mean: Array.from(mean), precision: invert(covariance) };
}

/** @param levels one per feature; NaN = not known: as the others let expect, so that it adds nothing */
export function deviationOf({ mean, precision }: Relation, levels: Float64Array): Deviation {
  const size = levels.length;
  const known = Array.from(levels, Number.isFinite);
  const differences = levels.map((level, j) => (known[j] ? level - mean[j]! : 0));
  const pull = (j: number) => differences.reduce((sum, own, k) => sum + precision[j * size + k]! * own, 0);
  const inverseVariance = (j: number) => precision[j * size + j]!;
  if (known.includes(false))
    for (let round = 0; round < ROUNDS; round++)
      for (const [j, isKnown] of known.entries())
        if (!isKnown) differences[j]! -= pull(j) / inverseVariance(j);
  const pulls = differences.map((_, j) => (known[j] ? pull(j) : 0));
  const squared = differences.reduce((sum, own, j) => sum + own * pulls[j]!, 0);
  return {
    distance: Math.sqrt(Math.max(0, squared)),
    residuals: pulls.map((own, j) => own / Math.sqrt(inverseVariance(j))),
  };
}

/** The features that say most about one of them, by partial correlation: the first, and those at least half as close. */
export function relatedTo({ mean, precision }: Relation, feature: number): number[] {
  const size = mean.length;
  const correlation = (k: number) =>
    Math.abs(precision[feature * size + k]!) / Math.sqrt(precision[k * size + k]!);
  const others = [...mean.keys()].filter((k) => k !== feature);
  const ordered = others.sort((a, b) => correlation(b) - correlation(a));
  return ordered.filter((k) => correlation(k) >= RELATED_SHARE * correlation(ordered[0]!));
}

/** @param matrix symmetric and positive definite; its lower triangle is read */
function invert(matrix: readonly Float64Array[]): number[] {
  return matrix.flatMap((_, j) => {
    const unit = new Float64Array(matrix.length);
    unit[j] = 1;
    const copy = matrix.map((row) => row.slice());
    return Array.from(solve(copy, unit));
  });
}
