// Threshold sweep: anomalies that other thresholds would have found, and the best of them; pure.
import { WEEK_MS } from "../time/time.ts";
import { findEpisodes, type ScoreSeries } from "./episode.ts";
import { compareLabels, type Labels, type Quality } from "./label.ts";
import { type AnomalyRules, type Thresholds, withMax } from "./state.ts";

const MIN_TRIED = 30;
const STEP = 5;
/** No score exceeds 100, so 99 is the highest threshold that finds anything. */
const MAX_TRIED = 99;

interface SweepInput {
  readonly series: ScoreSeries;
  /** Effective rules: `max` and `min` are varied, the rest stays. */
  readonly rules: AnomalyRules;
  readonly labels?: Labels;
}

/** Anomalies that one pair of thresholds would have found. */
export interface SweepOutcome extends Thresholds, Quality {
  readonly episodes: number;
  /** Episodes per week of scored intervals. */
  readonly perWeek: number;
  /** Those of them that overlap no label; all if there are no labels. */
  readonly falsePerWeek: number;
}

/** Pairs to try: 30 to 95 in steps of 5, 99, and the effective ones; ascending. */
export function sweptThresholds(used: Thresholds): Thresholds[] {
  const count = Math.floor((MAX_TRIED - MIN_TRIED) / STEP) + 1;
  const round = Array.from({ length: count }, (_, i) => MIN_TRIED + i * STEP);
  const others = [...round, MAX_TRIED].filter((max) => max !== used.max);
  return [used, ...others.map((max) => withMax(used, max))].sort((a, b) => a.max - b.max);
}

/** Evaluates one pair of thresholds in one pass over the scores. */
export function tryThresholds({ series, rules, labels }: SweepInput, { min, max }: Thresholds): SweepOutcome {
  const episodes = findEpisodes(series, { ...rules, min, max });
  const comparison = labels && compareLabels(episodes, labels);
  const count = episodes.length;
  const hits = comparison?.isTrue.filter(Boolean).length ?? 0;
  const weeks = weeksOf(series);
  const rate = (n: number) => (weeks > 0 ? n / weeks : 0);
  return {
    max,
    min,
    episodes: count,
    perWeek: rate(count),
    falsePerWeek: rate(count - hits),
    ...comparison?.quality,
  };
}

/** Scored weeks: intervals without a score could not have raised an anomaly. */
export function weeksOf({ scores, intervalMs }: ScoreSeries): number {
  let scored = 0;
  for (const score of scores) if (!Number.isNaN(score)) scored++;
  return (scored * intervalMs) / WEEK_MS;
}

/** The outcome with the best F1, among equal ones that of the highest threshold; undefined if none is above 0. */
export function bestOutcome(outcomes: readonly SweepOutcome[]): SweepOutcome | undefined {
  const rated = outcomes.filter(({ f1 }) => f1 !== undefined && f1 > 0);
  return rated.reduce<SweepOutcome | undefined>(
    (best, outcome) =>
      !best || outcome.f1! > best.f1! || (outcome.f1 === best.f1 && outcome.max > best.max) ? outcome : best,
    undefined,
  );
}

/**
 * The lowest whole threshold down to which no threshold gives more false alarms than `perWeek`.
 * @param attempt evaluates a pair; called from the highest threshold down, as far as needed
 * @param weeks scored weeks; too few to expect one false alarm give no suggestion
 * @returns undefined if the range is too short or even the highest threshold gives more
 */
export async function suggestThresholds(
  used: Thresholds,
  attempt: (thresholds: Thresholds) => Promise<SweepOutcome>,
  { perWeek, weeks }: { perWeek: number; weeks: number },
): Promise<SweepOutcome | undefined> {
  if (!(weeks * perWeek >= 1)) return undefined;
  let suggestion: SweepOutcome | undefined;
  for (let max = MAX_TRIED; max >= MIN_TRIED; max--) {
    const outcome = await attempt(withMax(used, max));
    if (outcome.falsePerWeek > perWeek) break;
    suggestion = outcome;
  }
  return suggestion;
}
