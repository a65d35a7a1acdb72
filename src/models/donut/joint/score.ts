// Scores by the joint detector: a point that is unusual of the features together is that of the features that make it so.
import type { ModelSettings } from "../../../core/model/model.ts";
import type { Grid } from "../../../core/series/grid.ts";
import { comparisonScore } from "../../detectors/pass/evidence.ts";
import type { Joint } from "../../joint/joint.ts";
import { type JointMemory, JointPass, type JointPoint } from "../../joint/joint-pass.ts";
import { relatedTo } from "../../joint/relation.ts";
import type { EvaluateInput, FeatureScore } from "../../kind.ts";
import { effectiveThresholds } from "../../scoring/detect.ts";
import { scoreOfRarity } from "../../scoring/score.ts";
import { directionOf } from "../calibrate.ts";
import { anomalyTypeOf, type ScoredFeature } from "../feature-score.ts";
import type { FeatureNetwork } from "../parameters.ts";
import { toStandardised } from "./fit.ts";

/** Key in the memory of a model, which no feature has: names are not empty. */
export const JOINT_KEY = "";
/** Share of the largest residual from which a feature is named. */
const NAMED_SHARE = 0.7;
/** Most features that an explanation names beside its own. */
const MAX_RELATED = 2;
/** Name among the detectors, in the evidence. */
export const JOINT = "joint";

/** Memory of joint detection, bound to the first network of the version it was made with. */
type BoundMemory = JointMemory & Pick<FeatureNetwork, "loss">;

/** What the features are together at one interval. */
export interface JointScore {
  /** Decades. */
  readonly rarity: number;
  /** Of the features that make it unusual, where it sustains an anomaly. */
  readonly features: Readonly<Record<string, FeatureScore>>;
}

export interface JointScores {
  /** By interval of the grid; empty before the first to score, and where most features have no value. */
  readonly points: readonly (JointScore | undefined)[];
  readonly memory: BoundMemory;
}

/** A feature with its column without the baseline. */
export type JointFeature = ScoredFeature & { readonly flat: Float64Array };

/** Memory of the preceding evaluation; absent if it was another version's. */
export function jointMemoryOf(
  { memory }: Pick<EvaluateInput, "memory">,
  { loss }: Pick<FeatureNetwork, "loss">,
): JointMemory | undefined {
  const kept = memory?.[JOINT_KEY] as BoundMemory | undefined;
  return kept?.loss === loss ? kept : undefined;
}

/** Judges the intervals from `from` on. */
export function scoreJoint(
  joint: Joint,
  features: readonly JointFeature[],
  { input, from }: { input: EvaluateInput; from: number },
): JointScores {
  const { grid, settings } = input;
  const thresholds = effectiveThresholds(settings);
  const [{ network }] = features as readonly [JointFeature];
  const pass = new JointPass(
    joint,
    { intervalMs: grid.intervalMs, thresholds },
    jointMemoryOf(input, network),
  );
  const valuesAt = (i: number) =>
    features.map((feature) => toStandardised(feature.flat[i]!, feature.network.standardisation));
  const points: (JointScore | undefined)[] = Array.from({ length: from }, () => undefined);
  for (let i = 0; i < from; i++) pass.follow(startOf(grid, i), valuesAt(i));
  for (let i = from; i < grid.length; i++) {
    const values = valuesAt(i);
    const point = pass.judge(startOf(grid, i), values);
    const score = point && toScore(point, { joint, features, settings, min: thresholds.min });
    const scores = [...features.map((own) => own.score[i]!), ...scoresOf(score)].filter(Number.isFinite);
    pass.add(Math.max(0, ...scores));
    points.push(score);
  }
  return { points, memory: { ...pass.toMemory(), loss: network.loss } };
}

interface ScoreContext {
  readonly joint: Joint;
  readonly features: readonly JointFeature[];
  readonly settings: ModelSettings;
  readonly min: number;
}

/** The features are those that are least as the others let expect, in directions that count. */
function toScore(
  { rarity, points, residuals }: JointPoint,
  { joint, features, settings, min }: ScoreContext,
): JointScore {
  const score = scoreOfRarity(rarity);
  if (score < min) return { rarity, features: {} };
  const sizes = residuals.map((own, j) =>
    directionOf(own, anomalyTypeOf(settings, features[j]!.name)) === 0 ? 0 : Math.abs(own),
  );
  const least = NAMED_SHARE * Math.max(...sizes);
  const comparison = comparisonScore(rarity, points);
  const named = features.flatMap(({ name }, j): [string, FeatureScore][] => {
    if (sizes[j] === 0 || sizes[j]! < least) return [];
    const names = relatedTo(joint, j)
      .slice(0, MAX_RELATED)
      .map((k) => features[k]!.name);
    const evidence = {
      contributions: { [JOINT]: 1 },
      explanation: explainJoint(names),
      beside: names,
      comparison_score: comparison,
    };
    return [[name, { type: residuals[j]! < 0 ? "low" : "high", score, rarity, evidence }]];
  });
  return { rarity, features: Object.fromEntries(named) };
}

/** What is odd of a feature, in words. @param beside names of those that it is unusual beside */
export function explainJoint(beside: readonly string[]): string {
  return `unusual for the ${beside.length === 1 ? "value" : "values"} of ${beside.join(" and ")}`;
}

function scoresOf(joint: JointScore | undefined): number[] {
  return Object.values(joint?.features ?? {}).map(({ score }) => score);
}

function startOf({ startAt, intervalMs }: Pick<Grid, "startAt" | "intervalMs">, i: number): number {
  return startAt + i * intervalMs;
}
