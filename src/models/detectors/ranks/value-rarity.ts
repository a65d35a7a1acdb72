// Rarity of values at one point: a band tries dozens of them, so that what does not depend on the value is looked up before.
import type { DetectionRules } from "../rules.ts";
import type { DetectorName } from "../types.ts";
import type { CausalRank } from "./rank.ts";

/** Largest rarity by one detector alone, decades. */
export const MAX_OVERWHELMING = 6;

/** A detector that judges any value. */
export interface ValueJudge {
  readonly name: DetectorName;
  /** Surprise of a value, decades under the tail of the training. */
  readonly surpriseOf: (value: number) => number;
}

interface KnownJudge extends ValueJudge {
  /** Whether it raises alone. */
  readonly alone: boolean;
  readonly rank: CausalRank;
  /** Share in the combination. */
  readonly weight: number;
  /** See `LateTops`. */
  readonly late: number;
}

interface Combination {
  readonly detection: DetectionRules;
  /** Rarity of a mean of rarities, decades. */
  readonly calibrate: (mean: number) => number;
  /** Most decades that the points can show. */
  readonly most: number;
}

/** Rarity of a value, decades. @param novelty see `noveltyOf` */
export type RarityOfValue = (value: number, novelty?: number) => number;

/** @param judges in the order of `detectorNames`, so that sums are those of `combineRarities` */
export function rarityOfValue(
  judges: readonly KnownJudge[],
  { detection, calibrate, most }: Combination,
): RarityOfValue {
  const total = judges.reduce((sum, { weight }) => sum + weight, 0);
  return (value, novelty = 0) => {
    let sum = 0;
    let lone = 0;
    for (const { surpriseOf, rank, weight, alone, late } of judges) {
      const surprise = surpriseOf(value);
      const rarity = rank.rarityOf(surprise);
      sum += weight * rarity;
      // Below as many decades it is not bounded, and what is not beyond the late top is no rarer than that.
      if (!alone || (surprise <= late && rarity < detection.overwhelmingDecades)) continue;
      const own = rank.rarityBeyond(surprise, late) - detection.overwhelmingDecades;
      if (own > lone) lone = Math.min(own, MAX_OVERWHELMING);
    }
    const combined = calibrate(total > 0 ? sum / total : 0);
    return Math.min(Math.max(combined, lone, novelty), most);
  };
}
