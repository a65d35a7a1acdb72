// Scores of one feature, interval by interval: of the network alone, or of the ensemble.
import { type ModelSettings, thresholdsOf } from "../../core/model/model.ts";
import { scoreEnsemble } from "../detectors/ensemble.ts";
import { timelineOf } from "../detectors/timeline.ts";
import { capScore, isTolerated } from "../detectors/tolerance.ts";
import type { Memory } from "../detectors/types.ts";
import type { EvaluateInput } from "../kind.ts";
import { thresholdsInForce } from "../scoring/detect.ts";
import { scoreOf, sigmaScore } from "../scoring/score.ts";
import { tailDecades, tailProbability } from "../stats/tail.ts";
import type { Expectation } from "./band.ts";
import { directionOf } from "./calibrate.ts";
import type { FeatureNetwork } from "./parameters.ts";

/** Anomalies by a client's own thresholds that are not believed to be normal: the last three. */
const WITHHELD_ALARMS = 3;

/** Memory of a feature, and of which network: another training starts anew. */
interface FeatureMemory extends Memory {
  /** Validation loss of the network: no two trainings share all its digits. */
  readonly of: number;
}

export interface FeatureScores {
  /** 0..100; NaN where nothing was observed. */
  readonly score: Float64Array;
  /** Unbounded, to rank points by; nats. */
  readonly nll: Float64Array;
  /** -log10 of the share of normal points that are so odd, at an interval. */
  readonly rarityAt: (i: number) => number;
  readonly memory?: FeatureMemory;
}

/** One feature over the whole grid, in units of the data. */
export interface ScoredFeature extends Expectation, FeatureScores {
  readonly network: FeatureNetwork;
  readonly column: Float64Array;
}

/** A feature before it is scored. */
export interface FeatureInput extends Expectation {
  readonly network: FeatureNetwork;
  readonly column: Float64Array;
  /** Of the network, nats in standardised units; NaN where nothing was observed. */
  readonly nll: Float64Array;
  readonly from: number;
  readonly input: EvaluateInput;
}

/** Together with the network's companions where the version has them and the settings want them. */
export function scoreFeature(given: FeatureInput): FeatureScores {
  const { network, column, mean, input } = given;
  const anomalyType = anomalyTypeOf(input.settings, network.name);
  const counts = (i: number) => directionOf(column[i]! - mean[i]!, anomalyType) !== 0;
  const { detector = "ensemble", score_scale: scale } = input.settings;
  const isTogether = network.ensemble && detector === "ensemble" && scale !== "sigma";
  return isTogether ? scoreByEnsemble(given, counts) : scoreByNetwork(given, counts);
}

/** By the network alone. */
function scoreByNetwork(given: FeatureInput, counts: (i: number) => boolean): FeatureScores {
  const { network, column, mean, deviation, nll, input } = given;
  const { min } = thresholdsInForce(input.settings);
  const scoreOff = (off: number, i: number) =>
    input.settings.score_scale === "sigma"
      ? sigmaScore(off / deviation[i]!)
      : scoreOf(tailProbability(network.tail, nll[i]!));
  const score = Float64Array.from(nll, (value, i) => {
    if (Number.isNaN(value)) return Number.NaN;
    if (!counts(i)) return 0;
    const off = column[i]! - mean[i]!;
    const found = { type: off < 0 ? "low" : "high", distances: { network: Math.abs(off) } } as const;
    const own = scoreOff(off, i);
    return isTolerated(network.tolerated ?? [], found) ? capScore(own, min) : own;
  });
  // A density has units: that of the data is smaller by the scale.
  const unit = Math.log(network.standardisation.deviation);
  const rarityAt = (i: number) => tailDecades(network.tail, nll[i]!);
  return { score, nll: nll.map((value) => value + unit), rarityAt };
}

/** With the companions, from where the evaluation before this one ended. */
function scoreByEnsemble(
  { network, column, mean, nll, from, input }: FeatureInput,
  counts: (i: number) => boolean,
): FeatureScores {
  const kept = input.memory?.[network.name] as FeatureMemory | undefined;
  const { score, rarity, memory } = scoreEnsemble(network.ensemble!, {
    timeline: timelineOf(input.settings, input.grid),
    column,
    expected: mean,
    nll,
    from,
    counts,
    thresholds: thresholdsInForce(input.settings),
    withheldAlarms: thresholdsOf(input.settings) ? WITHHELD_ALARMS : 0,
    tolerated: network.tolerated,
    memory: kept?.of === network.loss ? kept : undefined,
  });
  const rarityAt = (i: number) => rarity[i]! / Math.LN10;
  return { score, nll: rarity, rarityAt, memory: { ...memory, of: network.loss } };
}

function anomalyTypeOf({ features }: ModelSettings, name: string) {
  return features.find((feature) => feature.name === name)?.anomaly_type ?? "low_high";
}
