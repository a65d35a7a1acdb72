// Score of a point from its ranks: reduced below the peaks of its burst, held or withheld by its value in an anomaly; pure.
import { scoreOfRarity } from "../../scoring/score.ts";
import type { Ranked } from "../ranks/normal-ranks.ts";
import { capScore } from "../tolerance.ts";

interface PointFacts {
  readonly inAnomaly: boolean;
  /** Whether a usual value ends the anomaly. */
  readonly endsWithNext: boolean;
  /** Of its burst: the rarest so far, or beyond all known values. */
  readonly isPeak: boolean;
  /** Whether it is like a labelled false alarm. */
  readonly isTolerated: boolean;
  /** See `OutlierJudge`. */
  readonly isCrowded: boolean;
}

interface ScoreRules {
  /** Threshold at which an anomaly ends, 0..100. */
  readonly min: number;
  /** Weight of the rarity of a point that is no peak. */
  readonly repeatedPeakWeight: number;
}

/** Score, 0..100: whether an anomaly goes on, or begins again, is decided by the value. */
export function scoreOfPoint(
  ranked: Ranked,
  { inAnomaly, endsWithNext, isPeak, isTolerated, isCrowded }: PointFacts,
  { min, repeatedPeakWeight }: ScoreRules,
): number {
  const own = scoreOfRarity(isPeak ? ranked.rarity : repeatedPeakWeight * ranked.rarity);
  // A tolerated point has no effect on an anomaly in progress.
  if (isTolerated && !inAnomaly) return capScore(own, min);
  const valueScore = scoreOfValue(ranked);
  if (valueScore === undefined) return own;
  if (!inAnomaly) return Math.min(own, valueScore);
  return valueScore >= min || isCrowded || !endsWithNext ? Math.max(own, min) : capScore(own, min);
}

/** Score of the value alone, 0..100: in and shortly after an anomaly. */
export function scoreOfValue({ ofValue }: Ranked): number | undefined {
  return ofValue === undefined ? undefined : scoreOfRarity(ofValue);
}

/** Score that decides what is withheld on a side that does not count, 0..100. */
export function scoreWithheld({ rarity, ofValue = rarity }: Ranked, inAnomaly: boolean): number {
  return scoreOfRarity(inAnomaly ? ofValue : Math.min(rarity, ofValue));
}
