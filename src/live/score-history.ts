// Score history: the run of one scored window, and retention of recorded runs.
import { isWithinBand } from "../core/anomaly/reports/within-band.ts";
import type { ModelSettings } from "../core/model/model.ts";
import { type Deviation, findDeviations, type RarePoint } from "../core/related/deviation.ts";
import type { ScoredRun } from "../core/series/score-run.ts";
import type { Evaluation, PointScore } from "../models/kind.ts";
import { rarityOfScore } from "../models/scoring/score.ts";
import type { Clock } from "../runtime/clock.ts";
import { startSweeper } from "../runtime/sweeper.ts";
import { removeDeviations } from "../store/anomalies/deviations.ts";
import { removeScores } from "../store/anomalies/scores.ts";
import type { Store } from "../store/db/open.ts";

/** Blocks, and deviations, removed in one transaction. */
const SLICE_BLOCKS = 500;

/** What scored a window. */
interface Scorer {
  /** Name of the version. */
  readonly version: string;
  readonly settings: Pick<ModelSettings, "score_scale">;
}

/** Scores of an evaluated window as they are recorded, with its deviations. */
export function toRun(evaluation: Evaluation, { version, settings }: Scorer): ScoredRun {
  const { grid, predicted, lower, upper, scores } = evaluation;
  const features = Object.keys(predicted);
  const values = new Float32Array(scores.length * features.length * 4);
  let at = 0;
  for (const [i, { features: own }] of scores.entries())
    for (const name of features) {
      values[at++] = predicted[name]![i]!;
      values[at++] = lower[name]![i]!;
      values[at++] = upper[name]![i]!;
      values[at++] = own[name]?.score ?? Number.NaN;
    }
  const { startAt, intervalMs } = grid;
  return { version, intervalMs, features, startAt, values, deviations: deviationsOf(evaluation, settings) };
}

function deviationsOf(evaluation: Evaluation, settings: Scorer["settings"]): Deviation[] {
  const { grid, scores } = evaluation;
  const points = scores.flatMap((score, i) => rarest(evaluation, score, { i, settings }) ?? []);
  return findDeviations(points, grid.intervalMs);
}

interface Interval {
  /** Of the grid. */
  readonly i: number;
  readonly settings: Scorer["settings"];
}

/** The rarest feature of an interval; undefined where nothing was observed. */
function rarest(evaluation: Evaluation, { features }: PointScore, { i, settings }: Interval) {
  const { startAt, intervalMs } = evaluation.grid;
  let found: RarePoint | undefined;
  for (const [feature, { score, type, rarity }] of Object.entries(features)) {
    const scored = rarityOfScore(score, settings.score_scale);
    // Within the band the score counts: after an anomaly the values before it still make a usual one rare.
    const own = rarity === undefined || isUsual(evaluation, feature, i) ? scored : rarity;
    if (!found || own > found.rarity) found = { at: startAt + i * intervalMs, rarity: own, feature, type };
  }
  return found;
}

function isUsual({ grid, lower, upper }: Evaluation, feature: string, i: number): boolean {
  const observed = grid.columns[feature]?.[i] ?? null;
  return isWithinBand({ observed, lower: lower[feature]![i]!, upper: upper[feature]![i]! });
}

interface RetentionDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** How long scores are kept, ms; 0: none are. */
  readonly historyMs: () => number;
  readonly onError: (error: unknown) => void;
}

/** Removes runs and deviations older than the history, now and every hour. @returns a function that stops it */
export function sweepScores({ store, clock, historyMs, onError }: RetentionDeps): () => void {
  const removeSlice = async () => {
    const kept = historyMs();
    const beforeAt = kept === 0 ? Number.MAX_SAFE_INTEGER : clock.now() - kept;
    const blocks = await removeScores(store, beforeAt, SLICE_BLOCKS);
    return Math.max(blocks, await removeDeviations(store, beforeAt, SLICE_BLOCKS));
  };
  return startSweeper({ clock, most: SLICE_BLOCKS, removeSlice, onError });
}
