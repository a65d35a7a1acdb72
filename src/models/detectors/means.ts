// Mean rarities of the points of a training by all its detectors, and how far the detectors agree; pure.
import { tailDecades } from "../stats/tail.ts";
import { meanRarity } from "./combine.ts";
import type { DetectorSample } from "./kinds/kind.ts";
import type { Sides } from "./members.ts";
import { CausalRank } from "./ranks/rank.ts";
import { type DetectionRules, detectionRules } from "./rules.ts";
import { isRecurringWeekTime, localTimeOf, type Means } from "./seasons/recurring.ts";
import type { Timeline } from "./timeline.ts";
import { type Ensemble, namesOf, type PerDetector } from "./types.ts";

/** Least number of points whose means tell the agreement. */
const MIN_AGREEMENT_POINTS = 200;
/** Weight of the detectors that judge a point from which its mean may count. */
const MIN_WEIGHT = 0.6;

/** A training range whose points are judged. */
interface Judged {
  readonly timeline: Timeline;
  /** NaN = missing. */
  readonly column: Float64Array;
  readonly sides: Sides;
  /** Default: `detectionRules`. */
  readonly rules?: DetectionRules | undefined;
}

/** Whether the deviation of a point from the detector's expectation counts. */
export function countsAt(
  { expected }: DetectorSample,
  { column, sides }: Pick<Judged, "column" | "sides">,
  i: number,
): boolean {
  return column[i]! < expected[i]! ? sides.below : sides.above;
}

/**
 * Mean rarities of the points that most detectors judge, in order of time, decades, and of those that all do: the longest
 * windows begin late, so of short ranges the former ones.
 */
export function meansOf(
  detectors: Ensemble["detectors"],
  samples: PerDetector<DetectorSample>,
  input: Judged,
): { readonly judged: Means; readonly most: Means } {
  const names = namesOf({ detectors }).filter((name) => detectors[name]!.weight > 0);
  const { rules = detectionRules } = input;
  const ranks = new Map(names.map((name) => [name, new CausalRank(detectors[name]!.ranks, rules)]));
  const [ofAll, ofMost]: [[i: number, mean: number][], [i: number, mean: number][]] = [[], []];
  for (let i = 0; i < input.column.length; i++) {
    const rarities: PerDetector<number> = {};
    let weight = 0;
    for (const name of names) {
      const sample = samples[name]!;
      if (!Number.isFinite(sample.statistic[i]!)) continue;
      const counts = countsAt(sample, input, i);
      const surprise = counts ? tailDecades(detectors[name]!.tail, sample.statistic[i]!) : 0;
      rarities[name] = ranks.get(name)!.rarityOf(surprise);
      weight += detectors[name]!.weight;
    }
    if (weight < MIN_WEIGHT) continue;
    const mean = meanRarity(detectors, rarities);
    ofMost.push([i, mean]);
    if (names.every((name) => rarities[name] !== undefined)) ofAll.push([i, mean]);
  }
  const toMeans = (list: typeof ofAll): Means => ({
    means: Float64Array.from(list, ([, mean]) => mean),
    at: Int32Array.from(list, ([i]) => i),
    timeline: input.timeline,
  });
  const most = toMeans(ofMost);
  return { judged: ofAll.length < MIN_AGREEMENT_POINTS ? most : toMeans(ofAll), most };
}

/** Those at some times of the week. @param weekTimes ms since its start */
export function meansAt({ means, at, timeline }: Means, weekTimes: readonly number[]): Float64Array {
  return means.filter((_, i) => isRecurringWeekTime(weekTimes, localTimeOf(timeline, at[i]!)));
}

/**
 * Agreement of the detectors by mean rarities of normal points: at full agreement one mean in a hundred exceeds two
 * decades; at less agreement the same quantile is lower.
 */
export function agreementOf(combined: Float64Array, rules: DetectionRules): number {
  if (combined.length < MIN_AGREEMENT_POINTS) return rules.priorAgreement;
  const sorted = combined.slice().sort();
  const rarity = sorted[Math.floor(sorted.length * 0.99)]!;
  return Math.max(rules.minAgreement, Math.min(1, (rarity / 2 + rules.priorAgreement) / 2));
}
