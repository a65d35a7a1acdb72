// Network of a detection or forecast without a stored model: trained on the series, used once.
import type { ModelSettings } from "../../core/model/model.ts";
import { countPresent, type Grid } from "../../core/series/grid.ts";
import type { Context, ModelKind } from "../kind.ts";
import { DEFAULT_LEVEL } from "../stats/normal.ts";
import type { AnomalyType, DetectInput, NetworkEvaluation } from "./detection.ts";
import type { ForecastInput, SeriesForecast } from "./predict.ts";
import { type ScaledTimeline, scaleInterval, scaleTimeline } from "./scaled-timeline.ts";

/** Least points to train on. */
export const MIN_NETWORK_POINTS = 40;
/** Least length of a series, in windows of the network. */
const MIN_WINDOWS = 4;
const FEATURE = "value";

interface NetworkQuery extends Pick<DetectInput, "column" | "period" | "anomalyType"> {
  /** Whether the last point is part of the training, or scored by a network trained on the others. */
  readonly learnsLast: boolean;
}

/**
 * Trains on the series, and evaluates every point.
 * @param kind whose trainings are short enough for a request
 * @throws TorusError `too_little_data`, `canceled`, `worker_crashed`
 */
export async function evaluateByNetwork(
  kind: ModelKind,
  { column, period, anomalyType, learnsLast }: NetworkQuery,
  context: Context,
): Promise<NetworkEvaluation> {
  const timeline = scaleTimeline(period);
  const trained = learnsLast ? column : column.subarray(0, column.length - 1);
  const settings = seriesSettings({ column: trained, anomalyType, forecaster: "seasonal" });
  const grid = gridOf(trained, timeline);
  const model = await kind.train({ settings, grid, overrides: { maxEvals: 1 } }, context);
  const history = kind.historyOf(model);
  // The points of the first window are not evaluated, as predictions from incomplete windows would raise anomalies.
  const evaluate = (from: number) => {
    const startAt = timeline.startAt + (from - history) * timeline.intervalMs;
    const evaluated = gridOf(column.subarray(from - history), { ...timeline, startAt });
    return kind.evaluate(model, { settings, grid: evaluated, level: DEFAULT_LEVEL }, context);
  };
  const { predicted } = await evaluate(history);
  const expected = new Float64Array(column.length).fill(Number.NaN);
  expected.set(predicted[FEATURE]!, history);
  if (learnsLast) return { expected };
  const { scores } = await evaluate(column.length - 1);
  return { expected, lastScore: scores[0]?.score ?? 0 };
}

/** Forecast of a series by a network trained on it. @throws as `askNetwork` */
export async function forecastByNetwork(
  kind: ModelKind,
  { column, period, intervalMs, horizon, levels, limits }: Omit<ForecastInput, "forecaster">,
  context: Context,
): Promise<SeriesForecast> {
  const settings = seriesSettings({ column, anomalyType: "low_high", forecaster: "donut", limits });
  const timeline = { ...scaleTimeline(period), intervalMs: scaleInterval(period, intervalMs) };
  const grid = gridOf(column, timeline);
  const model = await kind.train({ settings, grid, overrides: { maxEvals: 1 } }, context);
  const [level = DEFAULT_LEVEL, ...further] = levels;
  const forecast = await kind.forecast(
    model,
    { settings, history: grid, horizon, level, levels: further },
    context,
  );
  const bands = [forecast, ...forecast.bands];
  return {
    predicted: forecast.predicted[FEATURE]!,
    bands: bands.map(({ lower, upper }) => ({ lower: lower[FEATURE]!, upper: upper[FEATURE]! })),
    relativeError: Number(model.summary.forecast_error),
  };
}

interface SeriesSettings {
  readonly column: Float64Array;
  readonly anomalyType: AnomalyType;
  readonly forecaster: "donut" | "seasonal";
  /** Of forecasts. */
  readonly limits?: ForecastInput["limits"];
}

/** Settings with thresholds that no score exceeds: each point is scored on its own. */
function seriesSettings({ column, anomalyType, forecaster, limits = {} }: SeriesSettings): ModelSettings {
  const { min, max } = limits;
  const bounds = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  return {
    name: "series",
    type: "donut",
    bucket_interval: "1m",
    features: [{ name: FEATURE, metric: "avg", field: FEATURE, anomaly_type: anomalyType, ...bounds }],
    max_span: Math.floor(countPresent(column) / MIN_WINDOWS),
    max_threshold: 100,
    min_threshold: 100,
    forecaster,
  };
}

function gridOf(column: Float64Array, timeline: ScaledTimeline): Grid {
  return { ...timeline, length: column.length, columns: { [FEATURE]: column } };
}
