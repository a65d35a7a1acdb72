// Times at which a series raises something after its training, by all detectors but the network.
import { findEpisodes, type ScoredEpisode } from "../../../src/core/anomaly/episode.ts";
import type { Thresholds } from "../../../src/core/anomaly/state.ts";
import { scoreEnsemble } from "../../../src/models/detectors/ensemble.ts";
import { fitEnsemble } from "../../../src/models/detectors/fit.ts";
import type { Sides } from "../../../src/models/detectors/members.ts";
import { markOutliers } from "../../../src/models/detectors/outliers.ts";
import { leaveOut } from "../../../src/models/stats/marks.ts";

const HISTORY = 119;
/** Of jobs and steps, which stand out. */
const LOW = { min: 25, max: 35 };

export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** A Sunday. */
const startAt = Date.UTC(2026, 0, 4);

interface Trained {
  /** Training and what comes after it. */
  readonly column: Float64Array;
  /** Days of the training. */
  readonly trainedDays: number;
  readonly intervalMs: number;
  readonly thresholds?: Thresholds;
  /** Both by default. */
  readonly sides?: Sides;
}

/** Days and hours whose score exceeds the threshold, as `28T02`. */
export function raisedOf(trained: Trained): string[] {
  return pointsRaised(trained).map(({ hour }) => hour);
}

/** Points whose score exceeds the threshold, with what is odd about them in words. */
export function pointsRaised(
  trained: Trained,
): { readonly hour: string; readonly explanation: string | undefined }[] {
  const { score, evidence, startAt: liveAt } = scoresOf(trained);
  const { intervalMs, thresholds = LOW } = trained;
  return [...score.keys()]
    .filter((i) => score[i]! > thresholds.max)
    .map((i) => ({
      hour: new Date(liveAt + i * intervalMs).toISOString().slice(8, 13),
      explanation: evidence.get(i)?.explanation,
    }));
}

/** Anomalies after the training. */
export function episodesOf(trained: Trained): readonly ScoredEpisode[] {
  const { score: scores, startAt: liveAt } = scoresOf(trained);
  const { intervalMs, thresholds = LOW } = trained;
  const rules = { ...thresholds, gracePeriodMs: 0, minDuration: 1 };
  return findEpisodes({ startAt: liveAt, intervalMs, scores }, rules);
}

const bothSides: Sides = { below: true, above: true };

function scoresOf({ column, trainedDays, intervalMs, thresholds = LOW, sides = bothSides }: Trained) {
  const timeline = { startAt, intervalMs };
  const trained = (trainedDays * DAY) / intervalMs;
  const unseen = (values: Float64Array) => new Float64Array(values.length).fill(Number.NaN);
  const whole = column.slice(0, trained);
  const gross = markOutliers(whole, timeline);
  const training = leaveOut(whole, gross);
  const outliers = leaveOut(
    whole,
    gross.map((mark) => 1 - mark),
  );
  const silent = { nll: unseen(training), expected: unseen(training) };
  const ensemble = fitEnsemble({ timeline, column: training, outliers, ...silent, span: 120, sides });
  const live = column.slice(trained - HISTORY);
  const network = { expected: unseen(live), deviation: unseen(live), nll: unseen(live), unit: 1 };
  const liveAt = startAt + (trained - HISTORY) * intervalMs;
  const scored = scoreEnsemble(ensemble, {
    ...{ column: live, network, from: HISTORY, sides, thresholds },
    timeline: { startAt: liveAt, intervalMs },
  });
  return { ...scored, startAt: liveAt };
}
