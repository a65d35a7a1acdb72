// Best F1 over all thresholds, point by point or after the point adjustment of the Donut paper.
import { countOnes, findSegments, rankPoints, type Scored, sweepThresholds } from "./scored.ts";

/** Highest F1 any threshold reaches; undefined where nothing is labelled. */
export function bestF1({ labels, scores }: Scored): number | undefined {
  const positives = countOnes(labels);
  if (positives === 0) return undefined;
  let best = 0;
  let flagged = 0;
  let hits = 0;
  const take = (i: number) => {
    flagged++;
    hits += labels[i]!;
  };
  sweepThresholds(rankPoints(scores), take, () => {
    best = Math.max(best, (2 * hits) / (flagged + positives));
  });
  return best;
}

/**
 * Point adjustment (Xu et al. 2018, section 4.1): a segment is found as a whole when one of its points is, so each of
 * its points gets its highest score.
 * @param within only hits up to this many points after the segment's start count (PA-T7: 7); later ones are too late
 */
export function adjustPoints({ labels, scores }: Scored, within = Number.POSITIVE_INFINITY): Scored {
  const adjusted = scores.slice();
  for (const { from, to } of findSegments(labels)) {
    const counted = scores.subarray(from, Math.min(to, from + within + 1));
    adjusted.fill(
      counted.reduce((top, score) => Math.max(top, score)),
      from,
      to,
    );
  }
  return { labels, scores: adjusted };
}
