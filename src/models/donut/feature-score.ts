// Scores and bands of one feature per interval, by the network alone or by the ensemble.
import type { Evidence } from "../../core/anomaly/event.ts";
import { directionsOf } from "../../core/model/feature.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import type { BaselineMemory } from "../baseline/baseline.ts";
import { layOutByClock } from "../detectors/clock-change.ts";
import { scoreInSteps } from "../detectors/ensemble.ts";
import type { Sides } from "../detectors/members.ts";
import { timelineOf } from "../detectors/timeline.ts";
import { capScore, isTolerated } from "../detectors/tolerance.ts";
import type { Memory } from "../detectors/types.ts";
import type { EvaluateInput } from "../kind.ts";
import { effectiveThresholds } from "../scoring/detect.ts";
import { scoreOf, sigmaScore } from "../scoring/score.ts";
import { DEFAULT_LEVEL } from "../stats/normal.ts";
import { tailDecades, tailProbability } from "../stats/tail.ts";
import { isNetworkAbsent } from "./absent-network.ts";
import { type Band, type Expectation, toBand } from "./band.ts";
import { directionOf, sidesOf } from "./calibrate.ts";
import type { FeatureNetwork } from "./parameters.ts";

/** Memory of a feature, bound to the network it was made with. */
interface FeatureMemory extends Memory {
  /** Validation loss of the network, which identifies the training. */
  readonly of: number;
  readonly baseline?: BaselineMemory;
}

/** Memory of the preceding evaluation; absent if it was another network's. */
export function memoryOfFeature(
  { memory }: Pick<EvaluateInput, "memory">,
  { name, loss }: Pick<FeatureNetwork, "name" | "loss">,
): FeatureMemory | undefined {
  const kept = memory?.[name] as FeatureMemory | undefined;
  return kept?.of === loss ? kept : undefined;
}

interface FeatureScores extends Band {
  /** 0..100; NaN where nothing was observed. */
  readonly score: Float64Array;
  /** Unbounded rank of the points, nats. */
  readonly nll: Float64Array;
  /** -log10 of the share of normal points at least as rare, at an interval. */
  readonly rarityAt: (i: number) => number;
  /** As `rarityAt`, of the stretch that ends at the interval; absent unless measured. */
  readonly rangeRarity?: Float64Array;
  readonly evidence?: ReadonlyMap<number, Evidence>;
  readonly memory?: FeatureMemory;
}

/** One feature over the whole grid, in units of the data. */
export interface ScoredFeature extends FeatureScores {
  readonly name: string;
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
  /** Steps to another level, which the column is without. */
  readonly shifts: readonly { readonly at: number }[];
  readonly input: EvaluateInput;
}

/** Scores by the ensemble where one is used, in steps of some milliseconds. */
export function* scoreFeature(given: FeatureInput): Generator<void, FeatureScores> {
  if (!usesEnsemble(given.network, given.input.settings)) return scoreByNetwork(given);
  return yield* scoreByEnsemble(given);
}

/** Whether the version has an ensemble and the settings select it, or there is no network. */
export function usesEnsemble(
  network: FeatureNetwork,
  { detector = "ensemble", score_scale: scale }: ModelSettings,
): boolean {
  const isSelected = (detector !== "vae" && scale !== "sigma") || isNetworkAbsent(network);
  return network.ensemble !== undefined && isSelected;
}

function scoreByNetwork(given: FeatureInput): FeatureScores {
  const { network, column, mean, deviation, nll, input } = given;
  const anomalyType = anomalyTypeOf(input.settings, network.name);
  const { min } = effectiveThresholds(input.settings);
  const scoreOff = (off: number, i: number) =>
    input.settings.score_scale === "sigma"
      ? sigmaScore(off / deviation[i]!)
      : scoreOf(tailProbability(network.tail, nll[i]!));
  const score = Float64Array.from(nll, (value, i) => {
    if (Number.isNaN(value)) return Number.NaN;
    const off = column[i]! - mean[i]!;
    if (directionOf(off, anomalyType) === 0) return 0;
    const found = { type: off < 0 ? "low" : "high", distances: { network: Math.abs(off) } } as const;
    const own = scoreOff(off, i);
    return isTolerated(network.tolerated ?? [], found) ? capScore(own, min) : own;
  });
  // From the density of standardised values to that of the data.
  const unit = Math.log(network.standardisation.deviation);
  const rarityAt = (i: number) => tailDecades(network.tail, nll[i]!);
  const band = toBand(given, input.level ?? DEFAULT_LEVEL);
  return { ...band, score, nll: nll.map((value) => value + unit), rarityAt };
}

/** Scores by the ensemble, from the memory of the preceding evaluation. */
function* scoreByEnsemble(given: FeatureInput): Generator<void, FeatureScores> {
  const { network, column, mean, deviation, nll, from, shifts, input } = given;
  const { settings, level } = input;
  const { timeline, layOut } = layOutByClock(timelineOf(settings, input.grid), from);
  const scores = yield* scoreInSteps(network.ensemble!, {
    timeline,
    column: layOut(column),
    observed: layOut(input.grid.columns[network.name]!),
    network: { expected: mean, deviation, nll, unit: network.standardisation.deviation },
    from,
    sides: sidesIn(settings, network.name),
    thresholds: effectiveThresholds(settings),
    tolerated: network.tolerated,
    shiftsAt: shifts.map(({ at }) => at),
    memory: memoryOfFeature(input, network),
    ranged: input.ranged,
    bandLimit: level === undefined ? undefined : -Math.log10(1 - level),
  });
  const { rarity, expected, memory, ...rest } = scores;
  const rarityAt = (i: number) => rarity[i]! / Math.LN10;
  return { ...rest, predicted: expected, nll: rarity, rarityAt, memory: { ...memory, of: network.loss } };
}

/** Sides on which values of a feature count. */
export function sidesIn(settings: ModelSettings, name: string): Sides {
  return sidesOf(anomalyTypeOf(settings, name));
}

/** Directions that count of a feature. */
export function anomalyTypeOf({ features }: ModelSettings, name: string) {
  return directionsOf(features.find((feature) => feature.name === name));
}
