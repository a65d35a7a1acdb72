// Rarity of values at one point: a band tries dozens of them, so that what does not depend on the value is looked up before.

import type { DetectorKind } from "../kinds/kind.ts";
import type { DetectionRules } from "../rules.ts";
import type { DetectorName } from "../types.ts";
import type { CausalRank } from "./rank.ts";

/** Largest rarity by one detector alone, decades. */
const MAX_OVERWHELMING = 6;

/** A detector that raises alone. */
interface Lone {
  readonly alone: DetectorKind["alone"];
  readonly rank: CausalRank;
  /** See `LateTops`. */
  readonly late: number;
}

/** Rarity of a surprise by one detector alone, decades; 0 or less where it does not count. */
export function loneRarity(
  { alone, rank, late }: Lone,
  surprise: number,
  { overwhelmingDecades }: DetectionRules,
): number {
  if (!alone) return 0;
  const own =
    alone === "by rank"
      ? rank.rarityBeyond(surprise, late) - overwhelmingDecades
      : surprise > late
        ? surprise - alone.tailMargin
        : 0;
  return Math.min(own, MAX_OVERWHELMING);
}

/** A detector that judges any value. */
export interface ValueJudge {
  readonly name: DetectorName;
  /** Surprise of a value, decades under the tail of the training. */
  readonly surpriseOf: (value: number) => number;
}

interface KnownJudge extends ValueJudge, Lone {
  /** Share in the combination. */
  readonly weight: number;
}

interface Combination {
  readonly detection: DetectionRules;
  /** Decades that a value counts less. */
  readonly aftermath: number;
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
  { detection, aftermath, calibrate, most }: Combination,
): RarityOfValue {
  const total = judges.reduce((sum, { weight }) => sum + weight, 0);
  return (value, novelty = 0) => {
    let sum = 0;
    let lone = 0;
    for (const judge of judges) {
      const surprise = judge.surpriseOf(value);
      if (surprise === 0 && judge.weight === 0) continue;
      const rarity = judge.rank.rarityOf(surprise);
      sum += judge.weight * rarity;
      // Below as many decades it is not bounded, and what is not beyond the late top is no rarer than that.
      if (!judge.alone || (surprise <= judge.late && rarity < detection.overwhelmingDecades)) continue;
      lone = Math.max(lone, loneRarity(judge, surprise, detection));
    }
    const combined = calibrate(total > 0 ? sum / total : 0);
    return Math.max(0, Math.min(Math.max(combined, lone, novelty), most) - aftermath);
  };
}
