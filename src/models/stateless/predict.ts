// Forecast without a stored model: fitted to the series, used once.
import type { Timeline } from "../detectors/timeline.ts";
import type { Limits } from "../forecasters/bounds.ts";
import { explainForecast, type ForecastExplanation } from "../forecasters/explain.ts";
import { fitForecast } from "../forecasters/fit.ts";
import { createSeries, type Series } from "../forecasters/local-time.ts";
import type { ForecastParameters } from "../forecasters/parameters.ts";
import { predictFeature } from "../forecasters/predict.ts";
import { cyclesOfPeriod } from "../forecasters/season/cycles.ts";
import { scaleInterval } from "./scaled-timeline.ts";

/** Forecasters without a network. */
export const forecasters = ["auto", "seasonal", "holt-winters"] as const;
export type Forecaster = (typeof forecasters)[number];

/** Share of the series, at its end, for the backtest. */
const HELD_OUT_SHARE = 0.5;
/** Points before the first forecast of the backtest. */
const MIN_KNOWN = 2;

export interface ForecastInput {
  /** NaN = missing; at least one value is present. */
  readonly column: Float64Array;
  /** Length of the season in intervals; 0 = none. */
  readonly period: number;
  /** Length of a season beside those of the calendar, in intervals; absent without one. */
  readonly extra?: number | undefined;
  /** Length of an interval; absent if unknown. */
  readonly intervalMs?: number | undefined;
  /** Length of an interval in months of the calendar; absent if it is not a number of them. */
  readonly months?: number | undefined;
  /** Of the first point, in its time zone and with its holidays; absent where days say nothing. */
  readonly timeline?: Timeline | undefined;
  readonly limits?: Limits | undefined;
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
  /** Absent with the network. */
  readonly explanation?: ForecastExplanation | undefined;
}

/** Forecasts a series. @throws TorusError `canceled` or `deadline` if the signal is aborted */
export async function predictSeries(input: ForecastInput, signal: AbortSignal): Promise<SeriesForecast> {
  const { column, horizon, levels, timeline, limits } = input;
  const series: Series = {
    ...(timeline && createSeries(column, timeline)),
    column,
    intervalMs: scaleInterval(input.extra ? 0 : input.period, input.intervalMs),
    cycles: cyclesOfPeriod(input.period, input),
  };
  const parameters = await fit(series, input, signal);
  const query = { series, timeline, horizon, levels, limits };
  const { predicted, bands } = await predictFeature(parameters, query, signal);
  return {
    predicted,
    bands,
    relativeError: parameters.error.mase,
    explanation: explainForecast(parameters),
  };
}

async function fit(
  series: Series,
  { forecaster, horizon, timeline }: ForecastInput,
  signal: AbortSignal,
): Promise<ForecastParameters> {
  const { length } = series.column;
  const heldOutFrom = Math.min(length - 1, Math.max(MIN_KNOWN, Math.floor((1 - HELD_OUT_SHARE) * length)));
  return fitForecast({ series, heldOutFrom, timeline, forecaster, asked: horizon }, signal);
}
