// Anomaly state machine with hysteresis: scores above max start an anomaly, a score below min ends it.
import { addRecent, isEnough, type RecentRule } from "./recent.ts";
import type { StartGuards } from "./start-guard.ts";

export interface Thresholds {
  /** An anomaly ends when the score falls below it. 0..100 */
  readonly min: number;
  /** An anomaly starts when the score exceeds it. 0..100 */
  readonly max: number;
}

/** JSON, stored to survive restarts. */
export interface AnomalyState {
  readonly active: boolean;
  /** Start of the interval that ended the last anomaly, ms since the epoch; the grace period begins here. */
  readonly endedAt?: number;
  /** Outside of an anomaly: number of consecutive intervals above max so far. */
  readonly above?: number;
  /** With `notifyAfter`, outside of an anomaly: the last intervals, see `addRecent`; absent where none is above max. */
  readonly recent?: string;
}

export const normalState: AnomalyState = { active: false };

export interface AnomalyRules extends Thresholds {
  readonly gracePeriodMs: number;
  /** Consecutive intervals above max that start an anomaly; 1 or more. */
  readonly minDuration: number;
  /** In place of `minDuration`: how many of the last intervals start an anomaly. */
  readonly notifyAfter?: RecentRule;
  /** Guards that hold back starts; absent where no feature has any. */
  readonly guards?: StartGuards;
  /** `max` as a rarity, decades, for severities; default: that of `severityOf`. */
  readonly maxRarity?: number;
}

/** A score at an instant; undefined if there was nothing to score. */
interface ScoredInstant {
  readonly at: number;
  readonly score: number | undefined;
  /** Compared with max in place of the score, see `startScoreOf`; default: the score. */
  readonly startScore?: number | undefined;
}

interface AnomalyStep {
  readonly state: AnomalyState;
  readonly event?: "start" | "end";
}

/** Advances the state by one interval. Without a score it stays: missing data neither starts nor ends an anomaly. */
export function stepAnomaly(
  state: AnomalyState,
  { at, score, startScore = score }: ScoredInstant,
  rules: AnomalyRules,
): AnomalyStep {
  if (score === undefined || startScore === undefined || Number.isNaN(score)) return { state };
  if (state.active)
    return score < rules.min ? { state: { active: false, endedAt: at }, event: "end" } : { state };
  const isAbove = startScore > rules.max;
  const { progress, isReached } = count(state, isAbove, rules);
  if (isAbove && isReached && !isInGrace(state, at, rules))
    return { state: { active: true }, event: "start" };
  const { above: _, recent: __, ...rest } = state;
  return { state: { ...rest, ...progress } };
}

/** Intervals above max, counted as the rules say; what other rules have counted is dropped. */
function count(
  state: AnomalyState,
  isAbove: boolean,
  { notifyAfter, minDuration }: AnomalyRules,
): { readonly progress: Pick<AnomalyState, "above" | "recent">; readonly isReached: boolean } {
  if (notifyAfter) {
    const recent = addRecent(state.recent ?? "", isAbove, notifyAfter);
    return { progress: recent ? { recent } : {}, isReached: isEnough(recent, notifyAfter) };
  }
  const above = isAbove ? (state.above ?? 0) + 1 : 0;
  return { progress: above > 0 ? { above } : {}, isReached: above >= minDuration };
}

/** An end in the future was recorded before the clock went back: it must not block detection. */
function isInGrace({ endedAt }: AnomalyState, at: number, { gracePeriodMs }: AnomalyRules): boolean {
  return endedAt !== undefined && at >= endedAt && at < endedAt + gracePeriodMs;
}

/** Replaces `max`; `min` keeps its share of it, rounded to a tenth, never above it. */
export function withMax({ min, max }: Thresholds, wanted: number): Thresholds {
  const share = max > 0 ? (min / max) * wanted : 0;
  return { max: wanted, min: Math.min(Math.round(share * 10) / 10 || share, wanted) };
}

/**
 * Completes thresholds (0..100) from `base`: an absent `min` keeps its share of the given `max`, an absent `max` is at
 * least the given `min`.
 */
export function completeThresholds(
  { min, max }: { readonly min?: number | undefined; readonly max?: number | undefined },
  base: Thresholds,
): Thresholds {
  if (max !== undefined) return { max, min: min ?? withMax(base, max).min };
  return min === undefined ? base : { max: Math.max(base.max, min), min };
}
