// VUS-PR: the volume under the precision-recall surface over buffers around labels (Paparrizos et al., PVLDB 15, 2022).
import {
  findSegments,
  type Ranking,
  rankPoints,
  type Scored,
  type Segment,
  sweepThresholds,
} from "./scored.ts";

/** Longest buffer, in points: the window of the protocol. The paper's own choice is about one period of the series. */
export const MAX_BUFFER = 120;

/**
 * Mean of the range-AUC-PR over buffers of 0..maxBuffer points; undefined where nothing is labelled.
 *
 * As in the paper: labels fade out over half a buffer on each side, the positives are the mean of the plain and the
 * faded labels, and recall is multiplied by the share of segments touched (existence). Two choices of ours: every
 * distinct score is a threshold where the published code samples 250, and the area is summed in steps where it is
 * summed in trapezoids, so that ties earn nothing: with a buffer of 0 a constant score gets the base rate.
 */
export function vusPr(scored: Scored, maxBuffer = MAX_BUFFER): number | undefined {
  const segments = findSegments(scored.labels);
  if (segments.length === 0) return undefined;
  const ranking = rankPoints(scored.scores);
  let volume = 0;
  for (let buffer = 0; buffer <= maxBuffer; buffer++)
    volume += rangeAucPr(ranking, extendLabels(scored.labels, segments, buffer));
  return volume / (maxBuffer + 1);
}

interface SoftLabels {
  /** 1 inside a segment, sqrt(1 - d / buffer) at d points from it, for d up to half a buffer; else 0. */
  readonly weights: Float64Array;
  /** Mean of the plain and the faded labels' sums. */
  readonly positives: number;
}

/** Fades the segments out; where two fade into each other the weights add up to 1 at most. */
export function extendLabels(labels: Uint8Array, segments: readonly Segment[], buffer: number): SoftLabels {
  const weights = Float64Array.from(labels);
  const reach = Math.floor(buffer / 2);
  for (const { from, to } of segments) {
    for (let d = 1; d <= reach; d++) {
      const weight = Math.sqrt(1 - d / buffer);
      for (const i of [from - d, to - 1 + d])
        if (i >= 0 && i < weights.length) weights[i] = Math.min(1, weights[i]! + weight);
    }
  }
  const plain = segments.reduce((sum, { from, to }) => sum + to - from, 0);
  return { weights, positives: (plain + weights.reduce((sum, weight) => sum + weight, 0)) / 2 };
}

/** Range-AUC-PR for one buffer. Segments whose fading ends touch count as one. */
function rangeAucPr(ranking: Ranking, { weights, positives }: SoftLabels): number {
  const runs = findSegments(weights);
  const runOf = new Int32Array(weights.length).fill(-1);
  for (const [k, { from, to }] of runs.entries()) runOf.fill(k, from, to);
  const touched = new Uint8Array(runs.length);
  let touches = 0;
  let flagged = 0;
  let hits = 0;
  let area = 0;
  let recallBefore = 0;
  const take = (i: number) => {
    flagged++;
    hits += weights[i]!;
    const run = runOf[i]!;
    if (run >= 0 && touched[run] === 0) {
      touched[run] = 1;
      touches++;
    }
  };
  sweepThresholds(ranking, take, () => {
    const recall = Math.min(1, hits / positives) * (touches / runs.length);
    area += (recall - recallBefore) * (hits / flagged);
    recallBefore = recall;
  });
  return area;
}
