// Point score: the scores of one interval over all features of a model.
import type { FeatureScore, PointScore } from "../kind.ts";
import { scoreOfRarity } from "../scoring/score.ts";
import type { ScoredFeature } from "./feature-score.ts";
import type { JointScore, JointScores } from "./joint/score.ts";

/** Scores one interval. @param i interval of the grid @param joint of several features; absent without a joint detector */
export function scorePoint(
  features: readonly ScoredFeature[],
  i: number,
  joint?: Pick<JointScores, "points">,
): PointScore {
  const together = joint?.points[i];
  const scored = features.filter((feature) => !Number.isNaN(feature.score[i]!));
  const views = scored.map((feature) => {
    const own = featureScoreAt(feature, i);
    const joined = together?.features[feature.name];
    return [
      feature.name,
      joined && joined.score > own.score ? { ...joined, joint: joined.score } : own,
    ] as const;
  });
  const range = scored.flatMap(({ rangeRarity }) => (rangeRarity ? [rangeRarity[i]!] : []));
  return {
    score: scored.length > 0 ? Math.max(...views.map(([, { score }]) => score)) : undefined,
    features: Object.fromEntries(views),
    mse: mseAt(features, i),
    nll: nllAt(features, i, together),
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

/** Over the features, and of them together: negative log densities add up. */
function nllAt(features: readonly ScoredFeature[], i: number, joint: JointScore | undefined): number | null {
  const together = joint ? [joint.rarity * Math.LN10] : [];
  const values = [...features.map((feature) => feature.nll[i]!), ...together].filter(Number.isFinite);
  return values.length > 0 ? values.reduce((sum, value) => sum + value, 0) : null;
}
