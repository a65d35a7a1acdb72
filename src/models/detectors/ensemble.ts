// Ensemble scoring: detectors ranked among their past and combined; expected value and band come from the same blend.
import type { Evidence } from "../../core/anomaly/event.ts";
import { finish } from "../../core/steps.ts";
import type { EnsembleInput, EnsembleScores } from "./ensemble-input.ts";
import { ScoringPass } from "./pass/scoring-pass.ts";
import type { Ensemble } from "./types.ts";

/** Intervals scored in some milliseconds. */
const INTERVALS_PER_STEP = 50;

/** Scores one interval after the other, each from the past alone. */
export function scoreEnsemble(ensemble: Ensemble, input: EnsembleInput): EnsembleScores {
  return finish(scoreInSteps(ensemble, input));
}

/** As `scoreEnsemble`, in steps of some milliseconds. */
export function* scoreInSteps(ensemble: Ensemble, input: EnsembleInput): Generator<void, EnsembleScores> {
  const run = new ScoringPass(ensemble, input);
  const column = () => new Float64Array(input.column.length).fill(Number.NaN);
  const scores = {
    score: column(),
    rarity: column(),
    rangeRarity: column(),
    expected: column(),
    lower: column(),
    upper: column(),
  };
  const evidence = new Map<number, Evidence>();
  for (let i = input.from; i < input.column.length; i++) {
    if (i % INTERVALS_PER_STEP === 0) yield;
    const { band, scored } = run.step(i);
    if (band) for (const key of ["expected", "lower", "upper"] as const) scores[key][i] = band[key];
    if (!scored) continue;
    scores.score[i] = scored.score;
    scores.rarity[i] = scored.rarity * Math.LN10;
    scores.rangeRarity[i] = scored.rangeRarity;
    if (scored.evidence) evidence.set(i, scored.evidence);
  }
  return { ...scores, evidence, memory: run.end() };
}
