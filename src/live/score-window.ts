// Scores one window: reads its intervals and the history before them, evaluates the model, checks the answers.
import type { Bucket } from "../buckets/kind.ts";
import { TorusError } from "../core/errors.ts";
import { bucketOf, type ModelSettings } from "../core/model/model.ts";
import { countIntervals, type Grid, type Range, sliceGrid } from "../core/series/grid.ts";
import type { Compute, Evaluation, ModelKind, TrainedModel } from "../models/kind.ts";
import { reportsAt } from "../models/scoring/report.ts";
import { findExtent } from "../models/stats/extent.ts";
import { readFeatures } from "../points/features.ts";
import type { LoadedVersion } from "../store/versions.ts";
import type { ScoredPoint } from "./episodes/episode-tracker.ts";
import type { LiveState } from "./state.ts";

export interface ScoreDeps {
  /** @throws TorusError `not_found` */
  readonly openBucket: (name: string) => Promise<Bucket>;
  readonly kind: ModelKind;
  readonly compute: Compute;
}

interface ScoreInput {
  /** Effective settings, see `effectiveSettings`. */
  readonly settings: ModelSettings;
  readonly version: LoadedVersion;
  /** Aligned on `intervalMs`. */
  readonly range: Range;
  readonly intervalMs: number;
  readonly state: Pick<LiveState, "rejected" | "memory">;
  /** See `EvaluateInput`. */
  readonly changes?: readonly number[];
}

export interface ScoredWindow {
  readonly evaluation: Evaluation;
  /** Observed values of the range, as long as the evaluation. */
  readonly observed: Grid;
  /** One per interval, oldest first. */
  readonly points: readonly ScoredPoint[];
  /** End of the newest interval that was observed, ms since the epoch; undefined where none was. */
  readonly newestAt: number | undefined;
}

/**
 * Scores the intervals of a range.
 * @throws TorusError where the data source or the model did not give a complete answer
 */
export async function scoreWindow(
  deps: ScoreDeps,
  { settings, version, range, intervalMs, state, changes }: ScoreInput,
  signal: AbortSignal,
): Promise<ScoredWindow> {
  const { features } = settings;
  const kind = deps.kind;
  const history = kind.historyOf(version);
  const whole = { fromAt: range.fromAt - history * intervalMs, toAt: range.toAt };
  const read = { features, bucket: bucketOf(settings) ?? "", range: whole, intervalMs };
  const grid = await readFeatures(deps.openBucket, read, signal);
  assertComplete(grid, read);
  return scoreGrid(
    deps,
    { settings, model: version, grid, history, state, ...(changes && { changes }) },
    signal,
  );
}

interface GridInput extends Pick<ScoreInput, "settings" | "state" | "changes"> {
  readonly model: TrainedModel;
  /** Starts with the history. */
  readonly grid: Grid;
  /** Intervals before those to score, as the kind needs them. */
  readonly history: number;
}

/** Scores the intervals after the history. @throws TorusError where the model did not give a complete answer */
export async function scoreGrid(
  deps: Pick<ScoreDeps, "kind" | "compute">,
  { settings, model, grid, history, state, changes }: GridInput,
  signal: AbortSignal,
): Promise<ScoredWindow> {
  const { features } = settings;
  const evaluation = await deps.kind.evaluate(
    model,
    { settings, grid, rejected: state.rejected, memory: state.memory, changes },
    { compute: deps.compute, signal, onProgress: () => {} },
  );
  assertSound(evaluation, grid.length - history);
  const observed = sliceGrid(grid, history, grid.length);
  const extent = findExtent(grid, features);
  return {
    evaluation,
    observed,
    points: evaluation.scores.map((_, i) => toPoint(evaluation, observed, i)),
    newestAt: extent && grid.startAt + extent.to * grid.intervalMs,
  };
}

/** Another range or fewer columns would be read as missing data. */
export function assertComplete(
  grid: Grid,
  { features, range, intervalMs }: Pick<ModelSettings, "features"> & { range: Range; intervalMs: number },
): void {
  const length = countIntervals(range, intervalMs);
  const isComplete =
    grid.startAt === range.fromAt &&
    grid.intervalMs === intervalMs &&
    features.every(({ name }) => grid.columns[name]?.length === length);
  if (!isComplete)
    throw new TorusError("bucket_unavailable", "the bucket's answer does not cover the requested range");
}

function assertSound({ scores, predicted, lower, upper }: Evaluation, length: number): void {
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
