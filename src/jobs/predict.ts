// Job `prediction`: what a trained version says of known data, and how odd the data are to it; or what a series says of itself.
import { bucketIntervalOf } from "../core/bucket-interval.ts";
import { alignRange, sliceGrid } from "../core/grid.ts";
import { detect, rulesOf } from "../models/detect.ts";
import { loadVersion } from "../store/versions.ts";
import { readFeatures } from "./features.ts";
import type { Handler, HandlerDeps } from "./handler.ts";
import { viewPrediction } from "./result.ts";
import { savePrediction } from "./save.ts";
import { seriesHandlers } from "./series.ts";

export function predictHandler(deps: HandlerDeps): Handler<"prediction"> {
  const { store, kinds, compute, openBucket } = deps;
  const { detect: detectSeries } = seriesHandlers(deps);
  return async ({ input }, handlerContext) => {
    if ("column" in input) return detectSeries(input, handlerContext);
    const { signal, onProgress } = handlerContext;
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
    const evaluation = await kind.evaluate(
      version,
      { settings, grid, level, ...(input.batch && { batch: true }) },
      { compute, signal, onProgress },
    );
    const shown = viewPrediction(evaluation, sliceGrid(grid, history, grid.length));
    const { stats } = detect(evaluation.scores, evaluation.grid, { rules: rulesOf(settings) });
    const view = input.detectAnomalies ? { ...shown, stats } : shown;
    const { features } = settings;
    if (input.save) await savePrediction(openBucket, { model, features, view, target: input.save }, signal);
    return { result: view };
  };
}
