// Recorded scores of live detection in an evaluation: where live has been, its scores, expected values and bands stand.
import type { Grid, Range } from "../../core/series/grid.ts";
import { type ScoreColumns, toColumns } from "../../core/series/score-run.ts";
import type { Evaluation, FeatureScore, PointScore } from "../../models/kind.ts";
import { listScores } from "../../store/anomalies/scores.ts";
import type { Store } from "../../store/db/open.ts";

interface Shown {
  readonly evaluation: Evaluation;
  /** Stretches of recorded intervals, oldest first, ms since the epoch. */
  readonly recorded: readonly Range[];
}

interface ShowRequest {
  readonly model: string;
  /** Key of the series; absent: of the model. */
  readonly series?: string | undefined;
  readonly evaluation: Evaluation;
  /** As long as the evaluation. */
  readonly observed: Grid;
  /** Keep the evaluated bands: those of a confidence level, which live detection does not record. */
  readonly keepsBands: boolean;
}

/** Replaces scores, expected values and bands by what live detection recorded for the same intervals. */
export async function showRecorded(store: Store, request: ShowRequest): Promise<Shown> {
  const { model, series, evaluation, observed } = request;
  const { startAt, intervalMs, length } = evaluation.grid;
  const toAt = startAt + length * intervalMs;
  const runs = await listScores(store, { model, series, fromAt: startAt, toAt, intervalMs });
  if (runs.length === 0) return { evaluation, recorded: [] };
  const names = Object.keys(evaluation.predicted);
  const columns = new Map(
    names.map((feature) => [feature, toColumns(runs, { feature, startAt, intervalMs, length })]),
  );
  const isRecorded = (i: number) => names.some((name) => !Number.isNaN(columns.get(name)!.expected[i]!));
  const scores = evaluation.scores.map((point, i) =>
    isRecorded(i) ? recordedPoint(point, columns, { observed, i }) : point,
  );
  const overlay = (kind: "expected" | "lower" | "upper", own: Evaluation["predicted"]) =>
    Object.fromEntries(names.map((name) => [name, merge(own[name]!, columns.get(name)![kind])]));
  const { predicted, lower, upper } = evaluation;
  const bands = !request.keepsBands && { lower: overlay("lower", lower), upper: overlay("upper", upper) };
  return {
    evaluation: { ...evaluation, predicted: overlay("expected", predicted), ...bands, scores },
    recorded: findStretches(evaluation.grid, isRecorded),
  };
}

/** A point with the recorded scores of its features; what else was measured stays. */
function recordedPoint(
  point: PointScore,
  columns: ReadonlyMap<string, ScoreColumns>,
  { observed, i }: { readonly observed: Grid; readonly i: number },
): PointScore {
  const features: Record<string, FeatureScore> = {};
  for (const [name, { expected, score }] of columns) {
    const own = point.features[name];
    const recorded = score[i]!;
    if (Number.isNaN(recorded)) {
      if (own) features[name] = own;
      continue;
    }
    const isHigh = (observed.columns[name]?.[i] ?? Number.NaN) > expected[i]!;
    features[name] = { ...(own ?? { type: isHigh ? "high" : "low" }), score: recorded };
  }
  const scores = Object.values(features).map(({ score }) => score);
  return { ...point, features, score: scores.length > 0 ? Math.max(...scores) : undefined };
}

function merge(own: Float64Array, recorded: Float64Array): Float64Array {
  return own.map((value, i) => (Number.isNaN(recorded[i]!) ? value : recorded[i]!));
}

function findStretches({ startAt, intervalMs, length }: Grid, isRecorded: (i: number) => boolean): Range[] {
  const stretches: Range[] = [];
  for (let i = 0; i < length; i++) {
    if (!isRecorded(i)) continue;
    const first = i;
    while (i < length && isRecorded(i)) i++;
    stretches.push({ fromAt: startAt + first * intervalMs, toAt: startAt + i * intervalMs });
  }
  return stretches;
}
