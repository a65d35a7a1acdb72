// Area under the precision-recall curve as average precision: no interpolation, so a constant score gets the base rate.
import { countOnes, rankPoints, type Scored, sweepThresholds } from "./scored.ts";

/** Sum over thresholds of precision times the recall gained; undefined where nothing is labelled. */
export function aucPr({ labels, scores }: Scored): number | undefined {
  const positives = countOnes(labels);
  if (positives === 0) return undefined;
  let area = 0;
  let flagged = 0;
  let hits = 0;
  let hitsBefore = 0;
  const take = (i: number) => {
    flagged++;
    hits += labels[i]!;
  };
  sweepThresholds(rankPoints(scores), take, () => {
    area += (hits - hitsBefore) * (hits / flagged);
    hitsBefore = hits;
  });
  return area / positives;
}
