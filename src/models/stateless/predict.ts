// Forecast without a stored model: fitted to the series, used once.
import { type FitInput, fitForecast } from "../forecasters/fit.ts";
import type { Series } from "../forecasters/members.ts";
import type { ForecastParameters } from "../forecasters/parameters.ts";
import { needsNetwork, predictFeature } from "../forecasters/predict.ts";
import { scaleInterval } from "./scaled-timeline.ts";

/** Forecasters without a network. */
export const forecasters = ["auto", "seasonal", "holt-winters"] as const;
export type Forecaster = (typeof forecasters)[number];

/** Share of the series, at its end, for the backtest. */
const HELD_OUT_SHARE = 0.3;

export interface ForecastInput {
  /** NaN = missing; at least one value is present. */
  readonly column: Float64Array;
  /** Length of the season in intervals; 0 = none. */
  readonly period: number;
  /** Length of an interval; absent if unknown. */
  readonly intervalMs?: number | undefined;
  readonly horizon: number;
  /** Confidence levels of the bands, 0..1; at least one. */
  readonly levels: readonly number[];
  readonly forecaster: Forecaster;
}

export interface SeriesForecast {
  /** One value per interval of the horizon, in units of the data. */
  readonly predicted: Float64Array;
  /** One per level, in their order. */
  readonly bands: readonly { readonly lower: Float64Array; readonly upper: Float64Array }[];
  /** Mean absolute error in the backtest, relative to repeating the last season. */
  readonly relativeError: number;
}

/** Forecasts a series. @throws TorusError `canceled` or `deadline` if the signal is aborted */
export async function predictSeries(input: ForecastInput, signal: AbortSignal): Promise<SeriesForecast> {
  const { column, horizon, levels } = input;
  const series: Series = { column, intervalMs: scaleInterval(input.period, input.intervalMs) };
  const parameters = await fit(series, input.forecaster, signal);
  const { predicted, bands } = await predictFeature(parameters, { series, horizon, levels }, signal);
  return { predicted, bands, relativeError: parameters.error.mase };
}

async function fit(series: Series, forecaster: Forecaster, signal: AbortSignal): Promise<ForecastParameters> {
  const heldOutFrom = Math.floor((1 - HELD_OUT_SHARE) * series.column.length);
  // Without a network its forecasts are missing, which gives it weight 0.
  const forecastPast: FitInput["forecastPast"] = async ({ origins, horizon }) =>
    origins.map(() => new Float64Array(horizon).fill(Number.NaN));
  const parameters = await fitForecast({ series, heldOutFrom, forecaster, forecastPast }, signal);
  // Without any observation in the backtest all members have equal weights, the absent network too.
  if (!needsNetwork(parameters)) return parameters;
  return fitForecast({ series, heldOutFrom, forecaster: "seasonal", forecastPast }, signal);
}
