// Batch scores of a feature by its ensemble: ranked among the range and the end of the training, blended with live ones.
import { findEpisodes } from "../../../core/anomaly/episode.ts";
import { mapInSteps } from "../../../runtime/steps.ts";
import { rankBatch, type Stretch } from "../../detectors/batch-ensemble.ts";
import { historyAround, type KnownStretch } from "../../detectors/pass/known-series.ts";
import { timelineOf } from "../../detectors/timeline.ts";
import type { EvaluateInput, Evaluation } from "../../kind.ts";
import { effectiveThresholds } from "../../scoring/detect.ts";
import { scoreOfRarity } from "../../scoring/score.ts";
import type { FeatureNetwork } from "../parameters.ts";

/** Share of the rarity of live detection, which follows what becomes normal. */
const CAUSAL_SHARE = 1 / 3;

/** By interval; NaN where nothing was observed. */
export interface BatchScores {
  /** 0..100 */
  readonly score: Float64Array;
  /** Decades. */
  readonly rarity: Float64Array;
  /** Unbounded rank of the points, nats. */
  readonly nll: Float64Array;
}

export type Part = KnownStretch;

interface EnsembleInput extends Part {
  readonly input: EvaluateInput;
  /** First interval of the column to score. */
  readonly from: number;
  /** Statistic of the network from there on. */
  readonly nll: Float64Array;
  readonly causal: Evaluation;
  /** Statistic of the network over another part of the series. */
  readonly scoreNetwork: (part: Part) => Promise<Float64Array>;
}

/** @throws TorusError `canceled`, `deadline`, `worker_crashed` */
export async function scoreByEnsemble(
  network: FeatureNetwork,
  given: EnsembleInput,
  signal: AbortSignal,
): Promise<BatchScores> {
  const { input, causal, from, startAt, column, scoreNetwork } = given;
  const { intervalMs } = input.grid;
  const toStretch = async (part: Part, nll?: Float64Array): Promise<Stretch> => ({
    timeline: timelineOf(input.settings, { startAt: part.startAt, intervalMs }),
    column: part.column,
    nll: nll ?? (await scoreNetwork(part)),
  });
  const endAt = startAt + column.length * intervalMs;
  const { before, after } = historyAround(network.ensemble!, { startAt, endAt, intervalMs });
  const nll = new Float64Array(column.length).fill(Number.NaN);
  nll.set(given.nll, from);
  const anomalous = new Uint8Array(column.length);
  anomalous.set(flagAnomalies(causal, network.name, effectiveThresholds(input.settings)), from);
  const stretches: Stretch[] = [];
  for (const part of before) stretches.push(await toStretch(part));
  stretches.push(await toStretch({ startAt, column }, nll));
  for (const part of after) stretches.push(await toStretch(part));
  const ranked = await rankBatch(network.ensemble!, { stretches, range: before.length, anomalous }, signal);
  const blend = (values: Float64Array) => (i: number) => {
    const own = values[from + i]!;
    const live = causal.scores[i]!.features[network.name]?.rarity;
    return live === undefined ? own : own + CAUSAL_SHARE * (live - own);
  };
  const rarity = await mapInSteps(causal.scores.length, blend(ranked.rarity), signal);
  const unbounded = await mapInSteps(causal.scores.length, blend(ranked.unbounded), signal);
  return {
    score: rarity.map((decades) => (Number.isNaN(decades) ? Number.NaN : scoreOfRarity(decades))),
    rarity,
    nll: unbounded.map((decades) => decades * Math.LN10),
  };
}

/** @returns 1 at the intervals of the feature's anomalies by live detection */
function flagAnomalies(
  { grid: { startAt, intervalMs }, scores }: Evaluation,
  name: string,
  thresholds: { min: number; max: number },
): Uint8Array {
  const series = Float64Array.from(scores, ({ features }) => features[name]?.score ?? Number.NaN);
  const flags = new Uint8Array(series.length);
  const rules = { ...thresholds, gracePeriodMs: 0, minDuration: 1 };
  for (const episode of findEpisodes({ startAt, intervalMs, scores: series }, rules)) {
    const indexOf = (at: number) => Math.round((at - startAt) / intervalMs);
    flags.fill(1, indexOf(episode.startAt), episode.endAt === null ? flags.length : indexOf(episode.endAt));
  }
  return flags;
}
