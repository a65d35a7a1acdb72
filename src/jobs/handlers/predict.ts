// Job `prediction`: evaluates known data with a trained version, and scores them.
import { viewLevelShift } from "../../api/level-shift.ts";
import type { PredictionView } from "../../api/prediction.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import type { Feature } from "../../core/model/feature.ts";
import { alignRange, countPresent, type Grid, sliceGrid } from "../../core/series/grid.ts";
import type { Evaluation } from "../../models/kind.ts";
import { detectInSteps, rulesOf } from "../../models/scoring/detect.ts";
import { startScoresOf } from "../../models/scoring/start-scores.ts";
import { fillDefault } from "../../models/series.ts";
import { loadVersion } from "../../store/versions.ts";
import type { Handler, HandlerDeps } from "../queue/handler.ts";
import { noData, readFeatures } from "./features.ts";
import { listLiveEpisodes } from "./live-episodes.ts";
import { viewPredictionInSteps } from "./result.ts";
import { savePrediction } from "./save.ts";

/** Most intervals of the warm-up. */
const MAX_WARM_UP = 4000;

/**
 * Makes the handler. It throws TorusError `no_data` if the range holds no points, `not_found` for a deleted version,
 * `bucket_*` if reading or saving fails, `canceled`.
 */
export function predictHandler(deps: HandlerDeps): Handler<"prediction"> {
  const { store, kinds, compute, openBucket } = deps;
  return async ({ input }, { signal, onProgress }) => {
    const { settings, level, bucket, model } = input;
    const { features } = settings;
    const kind = kinds[settings.type];
    const version = await loadVersion(store, model, input.version);
    const intervalMs = bucketIntervalOf(settings);
    const { fromAt, toAt } = alignRange(input.range, intervalMs);
    const warmUp = warmUpOf({ fromAt, trainedToAt: version.toAt, intervalMs });
    const history = kind.historyOf(version) + warmUp;
    const range = { fromAt: fromAt - history * intervalMs, toAt };
    const grid = await readFeatures(openBucket, { features, bucket, range, intervalMs }, signal);
    assertData(grid, features, history);
    const warm = await kind.evaluate(
      version,
      { settings, grid, level, ranged: true, ...(input.batch && { batch: true }) },
      { compute, signal, onProgress },
    );
    const evaluation = dropStart(warm, warmUp);
    const observed = sliceGrid(grid, history, grid.length);
    const shown = await viewPredictionInSteps(evaluation, observed, signal);
    const rules = rulesOf(settings);
    const detect = async () => {
      const startScores = await startScoresOf(evaluation, observed, { guards: rules.guards, signal });
      return detectInSteps(evaluation.scores, evaluation.grid, { rules, startScores, signal });
    };
    const judge = async () => {
      const live = await listLiveEpisodes(store, { model, settings, range: { fromAt, toAt } });
      const shifts = (evaluation.levelShifts ?? []).filter(({ at }) => at >= fromAt).map(viewLevelShift);
      return {
        stats: await detect(),
        ...(shifts.length > 0 && { level_shifts: shifts }),
        ...(live.length > 0 && { live }),
      };
    };
    const view: PredictionView = input.detectAnomalies ? { ...shown, ...(await judge()) } : shown;
    const saved = { model, features, prediction: evaluation, observed, stats: view.stats };
    if (input.save) await savePrediction(openBucket, { ...saved, target: input.save }, signal);
    if (!input.record) return { result: view };
    const past = { model, settings, evaluation, observed, origin: "evaluation", ...input.record } as const;
    return { result: { ...view, recorded: await deps.recordPast(past, signal) } };
  };
}

/**
 * Intervals to evaluate before the range, from the end of the training on as live detection does: scores depend on what
 * was learned since. Bounded, as is what detectors remember.
 */
function warmUpOf({ fromAt, trainedToAt, intervalMs }: WarmUpInput): number {
  const since = Math.floor((fromAt - trainedToAt) / intervalMs);
  return Math.max(0, Math.min(MAX_WARM_UP, since));
}

interface WarmUpInput {
  readonly fromAt: number;
  /** End of the training range, ms since the epoch. */
  readonly trainedToAt: number;
  readonly intervalMs: number;
}

function dropStart(evaluation: Evaluation, count: number): Evaluation {
  if (count === 0) return evaluation;
  const { grid, predicted, lower, upper, scores } = evaluation;
  const cut = (columns: Evaluation["predicted"]) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.subarray(count)]));
  return {
    ...evaluation,
    grid: sliceGrid(grid, count, grid.length),
    predicted: cut(predicted),
    lower: cut(lower),
    upper: cut(upper),
    scores: scores.slice(count),
  };
}

/** @param history intervals before the evaluated ones. @throws TorusError `no_data` if no feature has a value or `default` */
function assertData(grid: Grid, features: readonly Feature[], history: number): void {
  const isPresent = ({ name, default: fallback }: Feature) =>
    countPresent(fillDefault(grid.columns[name]!, fallback).subarray(history)) > 0;
  if (features.some(isPresent)) return;
  const { startAt, intervalMs, length } = grid;
  const range = { fromAt: startAt + history * intervalMs, toAt: startAt + length * intervalMs };
  throw noData(range, ": choose one that holds points");
}
