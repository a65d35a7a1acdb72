// Band of a point: the values that would not be raised there, by all detectors together and by each alone.
import { DECADES } from "../../scoring/score.ts";
import type { Coverage } from "../combine.ts";
import type { EnsembleInput } from "../ensemble-input.ts";
import { detectorKinds } from "../kinds/index.ts";
import type { Member } from "../members.ts";
import type { NormalRanks } from "../ranks/normal-ranks.ts";
import { boundTo } from "../ranks/rarity-bounds.ts";
import type { RecentPeaks } from "../ranks/recent-peaks.ts";
import type { DetectionRules } from "../rules.ts";
import type { Ensemble } from "../types.ts";
import type { OutlierJudge } from "../usual-outliers.ts";
import { type DecisionBand, findBand } from "./decision-band.ts";
import type { KnownSeries } from "./known-series.ts";

/** What judges the values of a point. */
export interface JudgedPoint {
  readonly members: readonly Member[];
  readonly coverage: Coverage;
  /** Absent where no outliers are usual. */
  readonly outliers: OutlierJudge | undefined;
}

interface BandSources {
  readonly ensemble: Pick<Ensemble, "detectors" | "linear">;
  readonly input: Pick<EnsembleInput, "thresholds" | "bandLimit">;
  readonly rules: DetectionRules;
  readonly normal: NormalRanks;
  readonly known: KnownSeries;
  readonly recentPeaks: RecentPeaks;
}

/** @param at start of the interval, ms since the epoch */
export function findPointBand(
  at: number,
  { members, coverage, outliers }: JudgedPoint,
  sources: BandSources,
): DecisionBand {
  const { ensemble, rules, normal, known } = sources;
  const judges = members.flatMap(({ name, expected, surpriseOf }) =>
    surpriseOf ? [{ name, expected, surpriseOf }] : [],
  );
  const { limit, recordLimit } = limitsOf(sources);
  const byJudges = normal.rarityOfValues(at, judges, coverage);
  const { range } = known;
  const rarityOf = (value: number) => {
    const { novelty, isRecord } = known.compare(value, rules, range);
    const rarity = boundTo(outliers?.boundsOf(value), byJudges(value, novelty));
    return isRecord ? (rarity * limit) / recordLimit : rarity;
  };
  const candidates = judges.flatMap((judge) => {
    if (detectorKinds[judge.name].expectsBound) return [];
    const alone = (value: number) => normal.rarityOfValues(at, [judge], coverage)(value);
    const weighs = ensemble.detectors[judge.name]!.weight > 0;
    return [{ expected: judge.expected, rarityOf: alone, weighs }];
  });
  return findBand({ rarityOf, candidates, limit, scale: ensemble.linear.scale });
}

/** Largest rarity that raises nothing at this point: by the threshold in force, and by the rule for bursts. */
function limitsOf({ input, rules, normal, recentPeaks }: BandSources): {
  readonly limit: number;
  readonly recordLimit: number;
} {
  const { thresholds, bandLimit } = input;
  if (bandLimit !== undefined) return { limit: bandLimit, recordLimit: bandLimit };
  const threshold = ((normal.anomalies.isRaised ? thresholds.min : thresholds.max) / 100) * DECADES;
  const inBurst = Math.max(threshold, recentPeaks.highest);
  return { limit: Math.min(inBurst, threshold / rules.repeatedPeakWeight), recordLimit: threshold };
}
