// Job `forecast`: predicts a range from the points before it alone.
import type { ForecastView, PredictionView } from "../../api/prediction.ts";
import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import { findBreach } from "../../core/series/breach.ts";
import { alignRange, countIntervals, countPresent, type Grid, sliceGrid } from "../../core/series/grid.ts";
import { formatDate } from "../../core/time/time.ts";
import { viewUnits } from "../../metrics/units.ts";
import type { Forecast } from "../../models/kind.ts";
import { noData, readFeatures } from "../../points/features.ts";
import { savePrediction } from "../../points/save.ts";
import type { Handler, HandlerContext, HandlerDeps } from "../queue/handler.ts";
import type { Constraint, ForecastJob } from "../queue/input.ts";
import { loadTrained } from "./fleet/load-trained.ts";
import { predictPage } from "./fleet/predict-page.ts";
import { levelKey, viewPrediction } from "./result.ts";

/**
 * Makes the handler. It throws TorusError `no_data` if there are no points before `from`, `not_found` for a deleted
 * version, `bucket_*` if reading or saving fails, `canceled`.
 */
export function forecastHandler(deps: HandlerDeps): Handler<"forecast"> {
  return async ({ input }, context) => ({
    result: await predictPage(deps.store, { input, context }, (one, own) => forecast(deps, one, own)),
  });
}

async function forecast(
  { store, kind, compute, openBucket }: HandlerDeps,
  input: ForecastJob,
  { signal, onProgress }: HandlerContext,
): Promise<ForecastView> {
  const { settings, level, bucket, model, series } = input;
  const { features } = settings;
  const version = await loadTrained({ store, kind }, { model, version: input.version, series });
  const intervalMs = bucketIntervalOf(settings);
  const { fromAt, toAt } = alignRange(input.range, intervalMs);
  const length = kind.forecastHistoryOf(version);
  const range = { fromAt: fromAt - length * intervalMs, toAt };
  const grid = await readFeatures(openBucket, { features, bucket, range, intervalMs, series }, signal);
  const history = sliceGrid(grid, 0, length);
  assertHistory(history);
  const horizon = countIntervals({ fromAt, toAt }, intervalMs);
  const context = { compute, signal, onProgress };
  const request = { settings, history, horizon, level, levels: input.levels };
  const prediction = await kind.forecast(version, request, context);
  const observed = sliceGrid(grid, length, grid.length);
  const view = viewPrediction(prediction, observed);
  const saved = { model, features, prediction, observed, series };
  if (input.save) await savePrediction(openBucket, { ...saved, target: input.save }, signal);
  const constraint = viewConstraint(view, input.constraint);
  return { ...view, ...viewUnits(settings), ...viewLevels(prediction, input), ...constraint };
}

function assertHistory(history: Grid): void {
  if (Object.values(history.columns).some((column) => countPresent(column) > 0)) return;
  const { startAt, length, intervalMs } = history;
  const advice = ", the history of the forecast: choose a from closer to the newest point";
  throw noData({ fromAt: startAt, toAt: startAt + length * intervalMs }, advice);
}

/** Further bands, by level in percent: `{"levels": {"95": {"lower_f": [...], "upper_f": [...]}}}`. */
function viewLevels({ bands }: Forecast, { levels }: ForecastJob): Pick<ForecastView, "levels"> {
  if (levels.length === 0) return {};
  const views = bands.map(({ lower, upper }, k) => {
    const edges = Object.keys(lower).flatMap((name) => [
      [`lower_${name}`, Array.from(lower[name]!)],
      [`upper_${name}`, Array.from(upper[name]!)],
    ]);
    return [levelKey(levels[k]!), Object.fromEntries(edges)];
  });
  return { levels: Object.fromEntries(views) };
}

/**
 * Dates at which the prediction, and the edges of its band, first break the constraint; null: not within the range. The
 * edge towards the threshold breaks it first.
 */
function viewConstraint(
  view: PredictionView,
  constraint: Constraint | undefined,
): Pick<ForecastView, "constraint"> {
  if (!constraint) return {};
  const { feature, type, threshold } = constraint;
  const { predicted, timestamps } = view;
  const columns = {
    predicted: predicted[feature]!,
    lower: predicted[`lower_${feature}`]!,
    upper: predicted[`upper_${feature}`]!,
  };
  const { first, earliest, latest } = findBreach(columns, { type, threshold });
  const dateOf = (index: number | undefined) =>
    index === undefined ? null : formatDate(timestamps[index]! * 1000);
  const range = { earliest: dateOf(earliest), latest: dateOf(latest) };
  return {
    constraint: { feature, type, threshold, first_date: dateOf(first), first_date_range: range },
  };
}
