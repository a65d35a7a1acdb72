// Start scores of an evaluated range: scores of the features whose guards let them start an anomaly.
import { type StartGuards, startScoreOf } from "../../core/anomaly/start-guard.ts";
import type { Grid } from "../../core/series/grid.ts";
import { runInSteps } from "../../runtime/steps.ts";
import type { Evaluation } from "../kind.ts";

/**
 * One per interval, 0..100, see `startScoreOf`; yields to the event loop.
 * @param observed observed values, as long as the evaluation
 * @returns undefined without guards
 * @throws TorusError `canceled`
 */
export async function startScoresOf(
  { scores, predicted }: Pick<Evaluation, "scores" | "predicted">,
  { columns }: Pick<Grid, "columns">,
  { guards, signal }: { readonly guards: StartGuards | undefined; readonly signal: AbortSignal },
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
