// Job `prediction`: what a trained version says of known data, and how odd the data are to it; or what a series says of itself.
import type { PredictionView } from "../../api/prediction.ts";
import { TorusError } from "../../core/errors.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import type { Feature } from "../../core/model/feature.ts";
import type { ModelSettings } from "../../core/model/model.ts";
import { alignRange, countPresent, type Grid, sliceGrid } from "../../core/series/grid.ts";
import { formatDate } from "../../core/time/time.ts";
import { detectInTurns, rulesOf } from "../../models/scoring/detect.ts";
import { fillDefault } from "../../models/series.ts";
import { loadVersion } from "../../store/versions.ts";
import type { Handler, HandlerDeps } from "../queue/handler.ts";
import { readFeatures } from "./features.ts";
import { viewInTurns } from "./result.ts";
import { savePrediction } from "./save.ts";

/**
 * Makes the handler. It throws TorusError `no_data` where the range holds no points, `not_found` for a version that is
 * gone, `bucket_*` where points cannot be read or the prediction not be saved, `canceled`.
 */
export function predictHandler(deps: HandlerDeps): Handler<"prediction"> {
  const { store, kinds, compute, openBucket } = deps;
  return async ({ input }, { signal, onProgress }) => {
    const { settings, level, bucket, model } = input;
    const kind = kinds[settings.type];
    const version = await loadVersion(store, model, input.version);
    const intervalMs = bucketIntervalOf(settings);
    const { fromAt, toAt } = alignRange(input.range, intervalMs);
    const history = kind.historyOf(version);
    const range = { fromAt: fromAt - history * intervalMs, toAt };
    const grid = await readFeatures(
      openBucket,
      { features: settings.features, bucket, range, intervalMs },
      signal,
    );
    expectData(grid, { settings, history });
    const evaluation = await kind.evaluate(
      version,
      { settings, grid, level, ...(input.batch && { batch: true }) },
      { compute, signal, onProgress },
    );
    const observed = sliceGrid(grid, history, grid.length);
    const shown = await viewInTurns(evaluation, observed, signal);
    const rules = rulesOf(settings);
    const view: PredictionView = input.detectAnomalies
      ? { ...shown, stats: await detectInTurns(evaluation.scores, evaluation.grid, { rules, signal }) }
      : shown;
    const { features } = settings;
    const saved = { model, features, prediction: evaluation, observed, stats: view.stats };
    if (input.save) await savePrediction(openBucket, { ...saved, target: input.save }, signal);
    if (!input.record) return { result: view };
    const past = { model, settings, evaluation, observed, origin: "evaluation", ...input.record } as const;
    return { result: { ...view, recorded: await deps.recordPast(past, signal) } };
  };
}

/** Where nothing was observed and no `default` stands in for it, there is nothing to evaluate. */
function expectData(grid: Grid, { settings, history }: { settings: ModelSettings; history: number }): void {
  const isThere = ({ name, default: fallback }: Feature) =>
    countPresent(fillDefault(grid.columns[name]!, fallback).subarray(history)) > 0;
  if (settings.features.some(isThere)) return;
  const { startAt, intervalMs, length } = grid;
  const range = `${formatDate(startAt + history * intervalMs)} to ${formatDate(startAt + length * intervalMs)}`;
  throw new TorusError("no_data", `no data found for time range ${range}: choose one that holds points`, {
    found: 0,
  });
}
