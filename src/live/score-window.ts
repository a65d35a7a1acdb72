// Evaluates one window: reads its intervals and the history before them, lets the model score them, doubts the answer.
import type { PredictionView } from "../api/prediction.ts";
import type { Bucket } from "../buckets/kind.ts";
import { TorusError } from "../core/errors.ts";
import { bucketOf, type ModelSettings } from "../core/model/model.ts";
import { countIntervals, type Grid, type Range, sliceGrid } from "../core/series/grid.ts";
import { readFeatures } from "../jobs/handlers/features.ts";
import { viewPrediction } from "../jobs/handlers/result.ts";
import type { Compute, Drift, Evaluation, KindMemory, ModelKind } from "../models/kind.ts";
import { detect, rulesOf } from "../models/scoring/detect.ts";
import { reportsAt } from "../models/scoring/report.ts";
import { findExtent } from "../models/stats/extent.ts";
import type { LoadedVersion } from "../store/versions.ts";
import type { ScoredPoint } from "./episode-tracker.ts";
import type { LiveState, Rejected } from "./state.ts";

/** Share of a Gaussian between `lower` and `upper`, in reports and in saved output. */
const LEVEL = 0.68;

export interface ScoreDeps {
  /** @throws TorusError `not_found` */
  readonly openBucket: (name: string) => Promise<Bucket>;
  readonly kinds: Readonly<Record<ModelSettings["type"], ModelKind>>;
  readonly compute: Compute;
}

export interface EvaluateInput {
  /** To predict with: what shapes the version as it was trained, everything else as it is now. */
  readonly settings: ModelSettings;
  readonly version: LoadedVersion;
  readonly range: Range;
  readonly intervalMs: number;
  readonly state: LiveState;
  /** What is saved says whether it is an anomaly. */
  readonly detect: boolean;
}

export interface ScoredWindow {
  readonly points: readonly ScoredPoint[];
  readonly rejected: Rejected;
  readonly memory?: KindMemory;
  readonly drift?: Drift;
  /** End of the newest interval that was observed, ms since the epoch; absent where none was. */
  readonly newestAt?: number;
  /** As a job would show it, to be saved. */
  readonly view: PredictionView;
}

/**
 * Scores the intervals of a range.
 * @throws TorusError where the data source or the model did not give a complete answer: nothing was found out then
 */
export async function scoreWindow(
  deps: ScoreDeps,
  input: EvaluateInput,
  signal: AbortSignal,
): Promise<ScoredWindow> {
  const { settings, version, range, intervalMs, state } = input;
  const kind = deps.kinds[settings.type];
  const history = kind.historyOf(version);
  const whole = { fromAt: range.fromAt - history * intervalMs, toAt: range.toAt };
  const bucket = bucketOf(settings) ?? "";
  const read = { features: settings.features, bucket, range: whole, intervalMs };
  const grid = await readFeatures(deps.openBucket, read, signal);
  expectWhole(grid, input, whole);
  const evaluation = await kind.evaluate(
    version,
    { settings, grid, level: LEVEL, rejected: state.rejected, memory: state.memory },
    { compute: deps.compute, signal, onProgress: () => {} },
  );
  expectScores(evaluation, countIntervals(range, intervalMs));
  const observed = sliceGrid(grid, history, grid.length);
  const extent = findExtent(grid, settings.features);
  const rules = { rules: rulesOf(settings), before: state.anomaly };
  const shown = viewPrediction(evaluation, observed);
  return {
    points: evaluation.scores.map((_, i) => toPoint(evaluation, observed, i)),
    rejected: evaluation.rejected,
    ...(evaluation.memory && { memory: evaluation.memory }),
    ...(evaluation.drift && { drift: evaluation.drift }),
    ...(extent && { newestAt: grid.startAt + extent.to * intervalMs }),
    view: input.detect ? { ...shown, stats: detect(evaluation.scores, observed, rules).stats } : shown,
  };
}

/** An answer that is not what was asked for would be read as missing data. */
function expectWhole(grid: Grid, { settings, intervalMs }: EvaluateInput, range: Range): void {
  const length = countIntervals(range, intervalMs);
  const isWhole =
    grid.startAt === range.fromAt &&
    grid.intervalMs === intervalMs &&
    settings.features.every(({ name }) => grid.columns[name]?.length === length);
  if (!isWhole)
    throw new TorusError("bucket_unavailable", "the bucket's answer does not cover the range asked for");
}

function expectScores({ scores, predicted, lower, upper }: Evaluation, length: number): void {
  const numbers = [predicted, lower, upper].flatMap((columns) => Object.values(columns));
  const isSound =
    scores.length === length &&
    scores.every(({ score }) => score === undefined || Number.isFinite(score)) &&
    numbers.every((column) => column.length === length && column.every(Number.isFinite));
  if (isSound) return;
  const way = "train it again or restore another version";
  throw new TorusError("internal", `the model's answer is not a number for every interval: ${way}`);
}

/** @param i interval of the evaluation, which `observed` is as long as */
export function toPoint(evaluation: Evaluation, observed: Grid, i: number): ScoredPoint {
  const { score } = evaluation.scores[i]!;
  const at = observed.startAt + i * observed.intervalMs;
  return { at, score, features: reportsAt(evaluation, observed, i) };
}
