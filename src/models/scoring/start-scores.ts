// Start scores of an evaluated range: scores of the features whose guards let them start an anomaly; 0 in known events.
import { type StartGuards, startScoreOf } from "../../core/anomaly/start-guard.ts";
import type { Grid, Range } from "../../core/series/grid.ts";
import { runInSteps } from "../../runtime/steps.ts";
import type { Evaluation } from "../kind.ts";
import { markIntervals } from "../stats/marks.ts";

interface StartOptions {
  readonly guards: StartGuards | undefined;
  /** Known events, in which no anomaly starts. */
  readonly known?: readonly Range[];
  readonly signal: AbortSignal;
}

/**
 * One per interval, 0..100, see `startScoreOf`; yields to the event loop.
 * @param observed observed values, as long as the evaluation
 * @returns undefined without guards and known events
 * @throws TorusError `canceled`
 */
export async function startScoresOf(
  evaluation: Pick<Evaluation, "scores" | "predicted">,
  observed: Grid,
  { known = [], ...options }: StartOptions,
): Promise<Float64Array | undefined> {
  const guarded = await guardedScoresOf(evaluation, observed, options);
  if (known.length === 0) return guarded;
  const marks = markIntervals(observed, known);
  const startScores = guarded ?? Float64Array.from(evaluation.scores, ({ score }) => score ?? 0);
  return startScores.map((score, i) => (marks[i] ? 0 : score));
}

async function guardedScoresOf(
  { scores, predicted }: Pick<Evaluation, "scores" | "predicted">,
  { columns }: Pick<Grid, "columns">,
  { guards, signal }: Pick<StartOptions, "guards" | "signal">,
): Promise<Float64Array | undefined> {
  if (!guards) return undefined;
  const startScores = new Float64Array(scores.length);
  await runInSteps(scores.length, { signal }, (from, to) => {
    for (let i = from; i < to; i++) {
      const features = Object.entries(scores[i]!.features).map(([name, { score }]) => {
        const values = { observed: columns[name]?.[i] ?? null, predicted: predicted[name]![i]! };
        return [name, { score, ...values }] as const;
      });
      startScores[i] = startScoreOf(Object.fromEntries(features), guards)!;
    }
  });
  return startScores;
}
