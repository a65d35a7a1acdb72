// Score history: the run of one scored window, and retention of recorded runs.
import type { ScoreRun } from "../core/series/score-run.ts";
import type { Evaluation } from "../models/kind.ts";
import type { Clock } from "../runtime/clock.ts";
import { startSweeper } from "../runtime/sweeper.ts";
import { removeScores } from "../store/anomalies/scores.ts";
import type { Store } from "../store/db/open.ts";

/** Blocks removed in one transaction. */
const SLICE_BLOCKS = 500;

/** Scores of an evaluated window as they are recorded. @param version name of the version that scored it */
export function toRun({ grid, predicted, lower, upper, scores }: Evaluation, version: string): ScoreRun {
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
  return { version, intervalMs, features, startAt, values };
}

interface RetentionDeps {
  readonly store: Store;
  readonly clock: Clock;
  /** How long scores are kept, ms; 0: none are. */
  readonly historyMs: () => number;
  readonly onError: (error: unknown) => void;
}

/** Removes runs older than the history, now and every hour. @returns a function that stops it */
export function sweepScores({ store, clock, historyMs, onError }: RetentionDeps): () => void {
  const removeSlice = () => {
    const kept = historyMs();
    return removeScores(store, kept === 0 ? Number.MAX_SAFE_INTEGER : clock.now() - kept, SLICE_BLOCKS);
  };
  return startSweeper({ clock, most: SLICE_BLOCKS, removeSlice, onError });
}
