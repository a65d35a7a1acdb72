// API view of a backtest: episodes, a threshold sweep, and the comparison of both with the labels.
import type { BacktestView } from "../../api/backtest.ts";
import { findEpisodes, type ScoredEpisode, type ScoreSeries } from "../../core/anomaly/episode.ts";
import { type Comparison, compareLabels, type Labels, medianDelay } from "../../core/anomaly/label.ts";
import { higherSeverity, type Severity, severityOf } from "../../core/anomaly/severity.ts";
import type { AnomalyRules } from "../../core/anomaly/state.ts";
import { bestOutcome, type SweepOutcome } from "../../core/anomaly/threshold-sweep.ts";
import type { TrainingMarks } from "../../core/anomaly/training-marks.ts";
import { type Grid, type Range, timestampsOf, toNullable } from "../../core/series/grid.ts";
import type { Evaluation, TrainedModel } from "../../models/kind.ts";
import { contributingFeatures } from "../../models/scoring/detect.ts";
import { reportsAt } from "../../models/scoring/report.ts";

/** Of more episodes, the strongest are shown. */
const MAX_EPISODES = 1000;

/** Data and rules of a finished backtest. */
export interface Backtest {
  readonly parts: { readonly trained: Range; readonly evaluated: Range };
  readonly summary: TrainedModel["summary"];
  /** Of the evaluated part, like `observed` and `series`. */
  readonly evaluation: Evaluation;
  readonly observed: Grid;
  readonly series: ScoreSeries;
  readonly rules: AnomalyRules;
  /** Marks that the training used. */
  readonly marks: TrainingMarks;
  readonly labels?: Labels;
  /** Source of the labels: the request, or the feedback on recorded anomalies. */
  readonly labelSource: "given" | "feedback";
}

/** Outcomes of the same scores with other thresholds. */
export interface Sweep {
  readonly outcomes: readonly SweepOutcome[];
  readonly suggestion: SweepOutcome | undefined;
  /** Target of the suggestion: false alarms per week. */
  readonly perWeek: number;
}

/** API view; instants in seconds since the epoch, `to` and `end` exclusive. */
export function viewBacktest(
  backtest: Backtest,
  sweep: Sweep,
  { includeScores }: { includeScores: boolean },
): BacktestView {
  const { parts, summary, series, rules, labels } = backtest;
  const episodes = findEpisodes(series, rules);
  const comparison = labels && compareLabels(episodes, labels);
  return {
    trained: { ...viewRange(parts.trained), ...summary, ...viewMarks(backtest.marks) },
    evaluated: { ...viewRange(parts.evaluated), points: series.scores.length, scored: countScored(series) },
    thresholds: { max: rules.max, min: rules.min },
    ...viewEpisodes(backtest, episodes, comparison),
    alerts_per_week: sweep.outcomes.map(viewOutcome),
    ...(labels && comparison && { labels: viewLabels(backtest, labels, comparison) }),
    ...viewRecommendations(sweep),
    ...(includeScores && { scores: viewScores(backtest) }),
  };
}

function viewRange({ fromAt, toAt }: Range): { from: number; to: number } {
  return { from: fromAt / 1000, to: toAt / 1000 };
}

function countScored({ scores }: ScoreSeries): number {
  return scores.reduce((count, score) => count + (Number.isNaN(score) ? 0 : 1), 0);
}

/** Episodes in order of time; of too many, the strongest and the number omitted. */
function viewEpisodes(
  backtest: Backtest,
  episodes: readonly ScoredEpisode[],
  comparison: Comparison | undefined,
): Pick<BacktestView, "episodes" | "episodes_omitted"> {
  const omitted = episodes.length - MAX_EPISODES;
  const byPeak = episodes.map((_, i) => i).sort((a, b) => episodes[b]!.peakScore - episodes[a]!.peakScore);
  const shown = byPeak.slice(0, MAX_EPISODES).sort((a, b) => a - b);
  const views = shown.map((i) => {
    const label = comparison?.isTrue[i];
    return { ...viewEpisode(backtest, episodes[i]!), ...(label !== undefined && { label }) };
  });
  return { episodes: views, ...(omitted > 0 && { episodes_omitted: omitted }) };
}

/** An episode with the contributing features at its start. */
function viewEpisode(backtest: Backtest, episode: ScoredEpisode): BacktestView["episodes"][number] {
  const { series, evaluation, observed, rules } = backtest;
  const { startAt, endAt, peakScore } = episode;
  const reports = reportsAt(evaluation, observed, intervalOf(series, startAt));
  return {
    start: startAt / 1000,
    end: endAt === null ? null : endAt / 1000,
    peak_score: peakScore,
    severity: severityOfEpisode(backtest, episode),
    features: contributingFeatures(reports, rules.min),
  };
}

function intervalOf({ startAt, intervalMs }: ScoreSeries, at: number): number {
  return (at - startAt) / intervalMs;
}

/** The highest of its intervals, as live detection would have raised it. */
function severityOfEpisode(
  { series, evaluation, observed, rules }: Backtest,
  { startAt, endAt }: ScoredEpisode,
): Severity {
  let severity: Severity = "info";
  const to = endAt === null ? series.scores.length : intervalOf(series, endAt);
  for (let i = intervalOf(series, startAt); i < to && severity !== "critical"; i++) {
    const contributing = contributingFeatures(reportsAt(evaluation, observed, i), rules.min);
    severity = higherSeverity(severity, severityOf(contributing, rules.maxRarity));
  }
  return severity;
}

function viewOutcome({
  max,
  min,
  episodes,
  perWeek,
  precision,
  recall,
  f1,
}: SweepOutcome): BacktestView["alerts_per_week"][number] {
  return {
    max_threshold: max,
    min_threshold: min,
    episodes,
    per_week: perWeek,
    ...(precision !== undefined && { precision }),
    ...(recall !== undefined && { recall }),
    ...(f1 !== undefined && { f1 }),
  };
}

/** Absent if there are no marks in the trained part. */
function viewMarks({ excluded, tolerated }: TrainingMarks): Pick<BacktestView["trained"], "feedback"> {
  if (excluded.length + tolerated.length === 0) return {};
  return { feedback: { excluded: excluded.length, tolerated: tolerated.length } };
}

function viewLabels(
  { labelSource }: Backtest,
  labels: Labels,
  comparison: Comparison,
): NonNullable<BacktestView["labels"]> {
  const { finders, quality, isTrue, raised } = comparison;
  const unjudged = isTrue.filter((verdict) => verdict === undefined).length;
  const missed = labels.list.filter((_, i) => finders[i] === undefined);
  const delay = medianDelay(comparison, labels);
  return {
    source: labelSource,
    count: labels.list.length,
    found: labels.list.length - missed.length,
    missed: missed.map(viewRange),
    ...quality,
    ...(delay !== undefined && { delay_seconds_median: delay / 1000 }),
    ...(labels.normal && {
      false_alarms: { count: labels.normal.list.length, raised: raised ?? 0 },
      unjudged,
    }),
  };
}

/** Recommended thresholds: the best by the labels, and those that meet the target of false alarms. */
function viewRecommendations({
  outcomes,
  suggestion,
  perWeek,
}: Sweep): Pick<BacktestView, "best" | "suggestion"> {
  const best = bestOutcome(outcomes);
  return {
    ...(best?.f1 !== undefined && {
      best: { max_threshold: best.max, min_threshold: best.min, f1: best.f1 },
    }),
    ...(suggestion && {
      suggestion: {
        max_threshold: suggestion.max,
        min_threshold: suggestion.min,
        false_alarms_per_week: suggestion.falsePerWeek,
        expected_false_alarms: perWeek,
      },
    }),
  };
}

function viewScores({ observed, series }: Backtest): { timestamps: number[]; score: (number | null)[] } {
  return { timestamps: timestampsOf(observed), score: toNullable(series.scores) };
}
