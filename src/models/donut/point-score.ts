// Point score: the scores of one interval over all features of a model.
import type { FeatureScore, PointScore } from "../kind.ts";
import { scoreOfRarity } from "../scoring/score.ts";
import type { ScoredFeature } from "./feature-score.ts";

/** Scores one interval. @param i interval of the grid */
export function scorePoint(features: readonly ScoredFeature[], i: number): PointScore {
  const scored = features.filter((feature) => !Number.isNaN(feature.score[i]!));
  const range = scored.flatMap(({ rangeRarity }) => (rangeRarity ? [rangeRarity[i]!] : []));
  return {
    score: scored.length > 0 ? Math.max(...scored.map((feature) => feature.score[i]!)) : undefined,
    features: Object.fromEntries(scored.map((feature) => [feature.name, featureScoreAt(feature, i)])),
    mse: mseAt(features, i),
    nll: nllAt(features, i),
    ...(range.length > 0 && { rangeScore: scoreOfRarity(Math.max(...range)) }),
  };
}

function featureScoreAt(
  { column, predicted, score, rarityAt, evidence }: ScoredFeature,
  i: number,
): FeatureScore {
  const rarity = rarityAt(i);
  const found = evidence?.get(i);
  return {
    type: column[i]! < predicted[i]! ? "low" : "high",
    score: score[i]!,
    ...(Number.isFinite(rarity) && { rarity }),
    ...(found && { evidence: found }),
  };
}

/** Mean over the features of the squared error in standard deviations of the training data. */
function mseAt(features: readonly ScoredFeature[], i: number): number | null {
  const errors = features
    .map(
      ({ network, column, predicted }) =>
        ((column[i]! - predicted[i]!) / network.standardisation.deviation) ** 2,
    )
    .filter(Number.isFinite);
  return errors.length > 0 ? errors.reduce((sum, error) => sum + error, 0) / errors.length : null;
}

/** Joint over the features: negative log densities add up. */
function nllAt(features: readonly ScoredFeature[], i: number): number | null {
  const values = features.map((feature) => feature.nll[i]!).filter(Number.isFinite);
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) : null;
}
