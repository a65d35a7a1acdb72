// Scores of one feature per interval, by the network alone or by the ensemble.
import { type ModelSettings, thresholdsOf } from "../../core/model/model.ts";
import { scoreEnsemble } from "../detectors/ensemble.ts";
import { timelineOf } from "../detectors/timeline.ts";
import { capScore, isTolerated } from "../detectors/tolerance.ts";
import type { Memory } from "../detectors/types.ts";
import type { EvaluateInput } from "../kind.ts";
import { effectiveThresholds } from "../scoring/detect.ts";
import { scoreOf, sigmaScore } from "../scoring/score.ts";
import { tailDecades, tailProbability } from "../stats/tail.ts";
import type { Expectation } from "./band.ts";
import { directionOf } from "./calibrate.ts";
import type { FeatureNetwork } from "./parameters.ts";

/** Recent anomalies withheld from the ranks, with the thresholds of a client. */
const WITHHELD_ALARMS = 3;

/** Memory of a feature, bound to the network it was made with. */
interface FeatureMemory extends Memory {
  /** Validation loss of the network, which identifies the training. */
  readonly of: number;
}

interface FeatureScores {
  /** 0..100; NaN where nothing was observed. */
  readonly score: Float64Array;
  /** Unbounded rank of the points, nats. */
  readonly nll: Float64Array;
  /** -log10 of the share of normal points at least as rare, at an interval. */
  readonly rarityAt: (i: number) => number;
  readonly memory?: FeatureMemory;
}

/** One feature over the whole grid, in units of the data. */
export interface ScoredFeature extends Expectation, FeatureScores {
  readonly network: FeatureNetwork;
  readonly column: Float64Array;
}

/** A feature to score. */
export interface FeatureInput extends Expectation {
  readonly network: FeatureNetwork;
  readonly column: Float64Array;
  /** Statistic of the network, nats in standardised units; NaN where nothing was observed. */
  readonly nll: Float64Array;
  readonly from: number;
  readonly input: EvaluateInput;
}

/** Scores by the ensemble if the version has one and the settings select it. */
export function scoreFeature(given: FeatureInput): FeatureScores {
  const { network, column, mean, input } = given;
  const anomalyType = anomalyTypeOf(input.settings, network.name);
  const counts = (i: number) => directionOf(column[i]! - mean[i]!, anomalyType) !== 0;
  const { detector = "ensemble", score_scale: scale } = input.settings;
  const isTogether = network.ensemble && detector === "ensemble" && scale !== "sigma";
  return isTogether ? scoreByEnsemble(given, counts) : scoreByNetwork(given, counts);
}

function scoreByNetwork(given: FeatureInput, counts: (i: number) => boolean): FeatureScores {
  const { network, column, mean, deviation, nll, input } = given;
  const { min } = effectiveThresholds(input.settings);
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
  // From the density of standardised values to that of the data.
  const unit = Math.log(network.standardisation.deviation);
  const rarityAt = (i: number) => tailDecades(network.tail, nll[i]!);
  return { score, nll: nll.map((value) => value + unit), rarityAt };
}

/** Scores by the ensemble, from the memory of the preceding evaluation. */
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
    thresholds: effectiveThresholds(input.settings),
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
