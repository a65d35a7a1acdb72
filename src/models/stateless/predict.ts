// Forecasts without a stored model: fitted to the series, run once, forgotten.
import { type FitInput, fitForecast } from "../forecasters/fit.ts";
import type { Series } from "../forecasters/members.ts";
import type { ForecastParameters } from "../forecasters/parameters.ts";
import { needsNetwork, predictFeature } from "../forecasters/predict.ts";
import { scaleInterval } from "./scaled-timeline.ts";

/** Those that need no network. */
export const forecasters = ["auto", "seasonal", "holt-winters"] as const;
export type Forecaster = (typeof forecasters)[number];

/** Part of the series, at its end, that forecasts of the past are tried on. */
const HELD_OUT_SHARE = 0.3;

export interface ForecastInput {
  /** NaN = missing; at least one value is there. */
  readonly column: Float64Array;
  /** Intervals of a season, 0 = there is none. */
  readonly period: number;
  /** Length of an interval, where one is known. */
  readonly intervalMs?: number | undefined;
  readonly horizon: number;
  /** Shares of what comes that the bands are to hold, 0..1; at least one. */
  readonly levels: readonly number[];
  readonly forecaster: Forecaster;
}

export interface SeriesForecast {
  /** Lengths as the horizon, in units of the data. */
  readonly predicted: Float64Array;
  /** One per level, in their order. */
  readonly bands: readonly { readonly lower: Float64Array; readonly upper: Float64Array }[];
  /** Mean absolute error in the backtest, 1 = as far off as repeating the last season. */
  readonly relativeError: number;
}

/** @throws TorusError `canceled` or `deadline` where the signal is aborted */
export async function predictSeries(input: ForecastInput, signal: AbortSignal): Promise<SeriesForecast> {
  const { column, horizon, levels } = input;
  const series: Series = { column, intervalMs: scaleInterval(input.period, input.intervalMs) };
  const parameters = await fit(series, input.forecaster, signal);
  const { predicted, bands } = await predictFeature(parameters, { series, horizon, levels }, signal);
  return { predicted, bands, relativeError: parameters.error.mase };
}

async function fit(series: Series, forecaster: Forecaster, signal: AbortSignal): Promise<ForecastParameters> {
  const heldOutFrom = Math.floor((1 - HELD_OUT_SHARE) * series.column.length);
  // There is no network: it foretells nothing, and so counts nothing.
  const forecastPast: FitInput["forecastPast"] = async ({ origins, horizon }) =>
    origins.map(() => new Float64Array(horizon).fill(Number.NaN));
  const parameters = await fitForecast({ series, heldOutFrom, forecaster, forecastPast }, signal);
  // Where nothing could be compared all count alike, the absent network too.
  if (!needsNetwork(parameters)) return parameters;
  return fitForecast({ series, heldOutFrom, forecaster: "seasonal", forecastPast }, signal);
}
