// Fit of the other parameters of a feature to a trained network: tail, ensemble, forecast, tolerated kinds.
import type { Series } from "../../../wasm/protocol.ts";
import { directionsOf, type Feature } from "../../core/model/feature.ts";
import { finishInSteps } from "../../runtime/steps.ts";
import { type Prior, rankingSteps, samplingSteps } from "../detectors/fit.ts";
import type { Timeline } from "../detectors/timeline.ts";
import type { FitEffort } from "../forecasters/backtest.ts";
import { fitForecast } from "../forecasters/fit.ts";
import { withoutOutages } from "../forecasters/history/outage.ts";
import { createSeries, withPeriods } from "../forecasters/local-time.ts";
import type { ForecastParameters } from "../forecasters/parameters.ts";
import { calendarCycles } from "../forecasters/season/cycles.ts";
import type { Context, TrainInput } from "../kind.ts";
import type { Standardisation } from "../series.ts";
import { findExtraPeriod } from "../stats/extra-period.ts";
import { detectPeriod } from "../stats/period.ts";
import type { Tail } from "../stats/tail.ts";
import { type CalibrateInput, cutSeries, type Scored, scoreTrained, sidesOf, tailOf } from "./calibrate.ts";
import { forecastPast } from "./forecast-past.ts";
import { type DonutOptions, predictOptions, VALIDATION_SHARE } from "./options.ts";
import type { FeatureNetwork } from "./parameters.ts";
import type { PreparedColumn } from "./prepare-column.ts";
import type { SearchResult } from "./search.ts";
import { findTolerated } from "./tolerated.ts";

/**
 * Intervals, from the end of the training range, that everything but the network is fitted to: ten weeks of minutes.
 * Bounds the memory of the fit; the detectors forget older points anyway.
 */
const MAX_FITTED_INTERVALS = 100_000;

/** Intervals at the end that a season of its own is looked for in, and the least share of the variance that repeats. */
const PERIOD_HISTORY = 8192;
const MIN_PERIOD_STRENGTH = 0.5;

/** Bounds of the work of a fit; default: those of a model's training. */
export interface FitBudget {
  /** Intervals, from the end of the range, that the network scores and the detectors are ranked on. */
  readonly ranked: number;
  /** "none": no forecast is fitted. */
  readonly forecast: FitEffort | "none";
}

/** Statistics of series alike. */
export interface FitPrior extends Prior {
  /** Of the network's nll in directions that count. */
  readonly tail: Tail;
}

/** Columns are as long as the training range. */
export interface FitInput
  extends Pick<PreparedColumn, "observed" | "column" | "normal" | "baseline" | "leftOut"> {
  readonly input: Pick<TrainInput, "settings" | "grid">;
  readonly feature: Feature;
  readonly timeline: Timeline;
  readonly standardisation: Standardisation;
  /** The column, standardised. */
  readonly series: Series;
  /** Index of the first point that the network was not fitted to. */
  readonly validationFrom: number;
  readonly options: DonutOptions;
  /** Of the network, in intervals. */
  readonly window: number;
  /** What does not depend on the network is fitted meanwhile. */
  readonly found: SearchResult | Promise<SearchResult>;
  readonly budget?: FitBudget | undefined;
  readonly prior?: FitPrior | undefined;
}

type FittedParameters = Pick<FeatureNetwork, "tail" | "forecast" | "ensemble" | "tolerated">;

/** @throws TorusError `canceled`, `worker_crashed`, and that of the network */
export async function fitFeature(whole: FitInput, context: Context): Promise<FittedParameters> {
  // Of a long range, training and fit together would need the memory of both at once.
  if (whole.column.length > MAX_FITTED_INTERVALS) await whole.found;
  const limited = limitToRecent(whole);
  const { timeline, column, baseline, budget, window, input, feature, prior } = limited;
  const { seasonality } = input.settings;
  const detection = {
    timeline,
    // Days that differ are part of the baseline.
    weekday: baseline.calendar ? false : seasonality?.weekday,
    column,
    observed: limited.observed,
    outliers: limited.leftOut,
    span: window,
    sides: sidesOf(directionsOf(feature)),
    ranked: budget?.ranked,
    prior,
  };
  const network = scoreFound(limited, context);
  const fitAlone = async () => {
    const sampled = await finishInSteps(samplingSteps(detection), context.signal);
    const effort = budget?.forecast;
    const forecast =
      effort === "none" ? undefined : await fitOwnForecast(limited, { network, effort }, context);
    return { sampled, forecast };
  };
  const [{ sampled, forecast }, { calibration, scored, expected }] = await Promise.all([fitAlone(), network]);
  const ranking = rankingSteps({ ...detection, nll: scored.nll, expected }, sampled);
  const ensemble = await finishInSteps(ranking, context.signal);
  const { standardisation, normal: marks } = limited;
  const tolerated = await findTolerated(
    { calibration, standardisation, ensemble, timeline, column, expected, marks },
    context,
  );
  const tail = tailOf(calibration, scored);
  return { tail, ...(forecast && { forecast }), ensemble, ...(tolerated.length > 0 && { tolerated }) };
}

interface ScoredNetwork {
  readonly calibration: CalibrateInput;
  readonly scored: Scored;
  /** In units of the data. */
  readonly expected: Float64Array;
}

/** Waits for the network, and scores the range by it. */
async function scoreFound(
  { series, validationFrom, feature, options, prior, budget, found, standardisation }: FitInput,
  context: Context,
): Promise<ScoredNetwork> {
  const { shape, params } = await found;
  const calibration = {
    ...{ shape, params, series, validationFrom },
    anomalyType: directionsOf(feature),
    options: predictOptions(options),
    prior,
    scored: budget?.ranked,
    fromFirst: prior !== undefined,
  };
  const scored = await scoreTrained(calibration, context);
  const { deviation, mean } = standardisation;
  return { calibration, scored, expected: scored.expected.map((value) => value * deviation + mean) };
}

async function fitOwnForecast(
  { input, observed, timeline, validationFrom, standardisation, baseline }: FitInput,
  { network, effort }: { readonly network: Promise<ScoredNetwork>; readonly effort: FitEffort | undefined },
  context: Context,
): Promise<ForecastParameters> {
  // Of the series of a fleet, whose fits have a budget, the cycles of the calendar do.
  const periods = effort ? {} : ownPeriods(observed.slice(-PERIOD_HISTORY), timeline.intervalMs);
  const fitted = await fitForecast(
    {
      series: withPeriods(createSeries(observed, timeline), periods),
      timeline,
      heldOutFrom: validationFrom,
      forecaster: input.settings.forecaster ?? "auto",
      effort,
      forecastPast: async (plan) => {
        const { calibration } = await network;
        return forecastPast({ ...calibration, standardisation, baseline, timeline }, plan, context);
      },
    },
    context.signal,
  );
  return { ...fitted, ...periods };
}

/** Length of a season that no cycle of the calendar is, as of tides or of a garbage collection. */
function ownPeriods(given: Float64Array, intervalMs: number): Pick<ForecastParameters, "period" | "extra"> {
  const cycles = calendarCycles(intervalMs);
  const column = withoutOutages(given, cycles);
  const extra = findExtraPeriod(column, intervalMs);
  if (extra) return { extra };
  const { period, strength } = detectPeriod(column, { intervalMs });
  const { day = 0, week } = cycles;
  // A part of a day is part of the daily season.
  const isKnown = period === 0 || day % period === 0 || period === week;
  return isKnown || strength < MIN_PERIOD_STRENGTH ? {} : { period };
}

/** Limits the input to the end of the training range. */
function limitToRecent(whole: FitInput): FitInput {
  const { timeline, observed: known, column, leftOut, normal, series, validationFrom } = whole;
  const from = Math.max(0, column.length - MAX_FITTED_INTERVALS);
  if (from === 0) return whole;
  return {
    ...whole,
    timeline: { ...timeline, startAt: timeline.startAt + from * timeline.intervalMs },
    observed: known.slice(from),
    column: column.slice(from),
    leftOut: leftOut.slice(from),
    normal: normal.slice(from),
    series: cutSeries(series, from),
    validationFrom: Math.max(
      validationFrom - from,
      Math.floor(MAX_FITTED_INTERVALS * (1 - VALIDATION_SHARE)),
    ),
  };
}
