// Job `prediction`: evaluates known data with a trained version, and scores them.
import type { PredictionView } from "../../api/prediction.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import type { Feature } from "../../core/model/feature.ts";
import { alignRange, countPresent, type Grid, sliceGrid } from "../../core/series/grid.ts";
import { detectInSteps, rulesOf } from "../../models/scoring/detect.ts";
import { startScoresOf } from "../../models/scoring/start-scores.ts";
import { fillDefault } from "../../models/series.ts";
import { loadVersion } from "../../store/versions.ts";
import type { Handler, HandlerDeps } from "../queue/handler.ts";
import { noData, readFeatures } from "./features.ts";
import { viewPredictionInSteps } from "./result.ts";
import { savePrediction } from "./save.ts";

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
    const history = kind.historyOf(version);
    const range = { fromAt: fromAt - history * intervalMs, toAt };
    const grid = await readFeatures(openBucket, { features, bucket, range, intervalMs }, signal);
    assertData(grid, features, history);
    const evaluation = await kind.evaluate(
      version,
      { settings, grid, level, ranged: true, ...(input.batch && { batch: true }) },
      { compute, signal, onProgress },
    );
    const observed = sliceGrid(grid, history, grid.length);
    const shown = await viewPredictionInSteps(evaluation, observed, signal);
    const rules = rulesOf(settings);
    const detect = async () => {
      const startScores = await startScoresOf(evaluation, observed, { guards: rules.guards, signal });
      return detectInSteps(evaluation.scores, evaluation.grid, { rules, startScores, signal });
    };
    const view: PredictionView = input.detectAnomalies ? { ...shown, stats: await detect() } : shown;
    const saved = { model, features, prediction: evaluation, observed, stats: view.stats };
    if (input.save) await savePrediction(openBucket, { ...saved, target: input.save }, signal);
    if (!input.record) return { result: view };
    const past = { model, settings, evaluation, observed, origin: "evaluation", ...input.record } as const;
    return { result: { ...view, recorded: await deps.recordPast(past, signal) } };
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
