// Episodes of a completed range: the anomalies that live detection would have started and ended; pure.
import { type AnomalyRules, type AnomalyState, normalState, stepAnomaly } from "./state.ts";

/** Scores of consecutive intervals; NaN if there was nothing to score. */
export interface ScoreSeries {
  /** Start of the first interval, ms since the epoch. */
  readonly startAt: number;
  readonly intervalMs: number;
  /** 0..100 */
  readonly scores: Float64Array;
  /** See `startScoreOf`; as long as `scores`, absent without guards. */
  readonly startScores?: Float64Array;
}

/** Instants are starts of intervals, ms since the epoch. */
export interface ScoredEpisode {
  /** The interval that started it. */
  readonly startAt: number;
  /** The interval that ended it; null if the range ends first. */
  readonly endAt: number | null;
  /** Highest score from its start to its end. */
  readonly peakScore: number;
}

/** Runs the state machine over the range, starting in the normal state. @returns episodes by time, not overlapping */
export function findEpisodes(
  { startAt, intervalMs, scores, startScores }: ScoreSeries,
  rules: AnomalyRules,
): ScoredEpisode[] {
  const episodes: ScoredEpisode[] = [];
  let state: AnomalyState = normalState;
  let open: { startAt: number; peakScore: number } | undefined;
  for (let i = 0; i < scores.length; i++) {
    const score = scores[i]!;
    const at = startAt + i * intervalMs;
    const step = stepAnomaly(state, { at, score, startScore: startScores?.[i] }, rules);
    state = step.state;
    if (step.event === "start") open = { startAt: at, peakScore: score };
    else if (step.event === "end") {
      episodes.push({ ...open!, endAt: at });
      open = undefined;
    } else if (open && score > open.peakScore) open.peakScore = score;
  }
  if (open) episodes.push({ ...open, endAt: null });
  return episodes;
}
