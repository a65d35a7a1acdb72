// The anomaly state machine: a score above max starts one, a score below min ends it, nothing else moves it.

export interface Thresholds {
  /** An anomaly ends when the score falls below it. 0..100 */
  readonly min: number;
  /** An anomaly starts when the score exceeds it. 0..100 */
  readonly max: number;
}

export interface AnomalyState {
  readonly active: boolean;
  /** End of the last anomaly, ms since the epoch: the grace period counts from here. */
  readonly endedAt?: number;
}

export const calm: AnomalyState = { active: false };

export interface AnomalyRules extends Thresholds {
  readonly gracePeriodMs: number;
}

/** A score at an instant; undefined where there was nothing to score. */
export interface ScoredInstant {
  readonly at: number;
  readonly score: number | undefined;
}

export interface Move {
  readonly state: AnomalyState;
  readonly event?: "start" | "end";
}

/** One step. Without a score the state stays: missing data neither starts nor ends an anomaly. */
export function stepAnomaly(state: AnomalyState, { at, score }: ScoredInstant, rules: AnomalyRules): Move {
  if (score === undefined || Number.isNaN(score)) return { state };
  if (state.active)
    return score < rules.min ? { state: { active: false, endedAt: at }, event: "end" } : { state };
  const inGrace = state.endedAt !== undefined && at < state.endedAt + rules.gracePeriodMs;
  return score > rules.max && !inGrace ? { state: { active: true }, event: "start" } : { state };
}
