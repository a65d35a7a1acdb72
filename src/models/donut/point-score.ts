// Point score: the scores of one interval over all features of a model.
import type { FeatureScore, PointScore } from "../kind.ts";
import type { ScoredFeature } from "./feature-score.ts";

/** Scores one interval. @param i interval of the grid */
export function scorePoint(features: readonly ScoredFeature[], i: number): PointScore {
  const scored = features.filter((feature) => !Number.isNaN(feature.score[i]!));
  return {
    score: scored.length > 0 ? Math.max(...scored.map((feature) => feature.score[i]!)) : undefined,
    features: Object.fromEntries(scored.map((feature) => [feature.name, featureScoreAt(feature, i)])),
    mse: mseAt(features, i),
    nll: nllAt(features, i),
  };
}

function featureScoreAt({ column, mean, score, rarityAt }: ScoredFeature, i: number): FeatureScore {
  const rarity = rarityAt(i);
  return {
    type: column[i]! < mean[i]! ? "low" : "high",
    score: score[i]!,
    ...(Number.isFinite(rarity) && { rarity }),
  };
}

/** Mean over the features of the squared error in standard deviations of the training data. */
function mseAt(features: readonly ScoredFeature[], i: number): number | null {
  const errors = features
    .map(({ network, column, mean }) => ((column[i]! - mean[i]!) / network.standardisation.deviation) ** 2)
    .filter(Number.isFinite);
  return errors.length > 0 ? errors.reduce((sum, error) => sum + error, 0) / errors.length : null;
}

/** Joint over the features: negative log densities add up. */
function nllAt(features: readonly ScoredFeature[], i: number): number | null {
  const values = features.map((feature) => feature.nll[i]!).filter(Number.isFinite);
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) : null;
}
