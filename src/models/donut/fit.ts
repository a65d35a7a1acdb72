// Fit of the other parameters of a feature to a trained network: tail, ensemble, forecast, tolerated kinds.
import type { Series } from "../../../wasm/protocol.ts";
import { directionsOf, type Feature } from "../../core/model/feature.ts";
import { finishInSteps } from "../../runtime/steps.ts";
import { ensembleSteps, type Prior } from "../detectors/fit.ts";
import type { Timeline } from "../detectors/timeline.ts";
import type { FitEffort } from "../forecasters/backtest.ts";
import { fitForecast } from "../forecasters/fit.ts";
import { createSeries } from "../forecasters/local-time.ts";
import type { Plan } from "../forecasters/plan.ts";
import type { Context, TrainInput } from "../kind.ts";
import type { Standardisation } from "../series.ts";
import type { Tail } from "../stats/tail.ts";
import { cutSeries, scoreTrained, sidesOf, tailOf } from "./calibrate.ts";
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

/** Bounds of the work of a fit; default: those of a model's training. */
export interface FitBudget {
  /** Intervals, from the end of the range, that the network scores and the detectors are ranked on. */
  readonly ranked: number;
  /** Those that the neighbour detectors are ranked on, which cost most. */
  readonly neighbours: number;
  /** "none": no forecast is fitted. */
  readonly forecast: FitEffort | "none";
}

/** Statistics of series alike. */
export interface FitPrior extends Prior {
  /** Of the network's nll in directions that count. */
  readonly tail: Tail;
}

/** Columns are as long as the training range. */
export interface FitInput extends Pick<PreparedColumn, "observed" | "column" | "normal" | "baseline"> {
  readonly input: Pick<TrainInput, "settings" | "grid">;
  readonly feature: Feature;
  readonly timeline: Timeline;
  readonly standardisation: Standardisation;
  /** The column, standardised. */
  readonly series: Series;
  /** Index of the first point that the network was not fitted to. */
  readonly validationFrom: number;
  readonly options: DonutOptions;
  readonly found: SearchResult;
  readonly budget?: FitBudget | undefined;
  readonly prior?: FitPrior | undefined;
}

type FittedParameters = Pick<FeatureNetwork, "tail" | "forecast" | "ensemble" | "tolerated">;

/** @throws TorusError `canceled`, `worker_crashed` */
export async function fitFeature(whole: FitInput, context: Context): Promise<FittedParameters> {
  const {
    input,
    feature,
    timeline,
    observed: known,
    column,
    normal,
    standardisation,
    baseline,
    budget,
    prior,
    ...rest
  } = limitToRecent(whole);
  const { settings } = input;
  const anomalyType = directionsOf(feature);
  const options = predictOptions(rest.options);
  const calibration = {
    ...rest,
    ...rest.found,
    anomalyType,
    options,
    prior,
    scored: budget?.ranked,
    fromFirst: prior !== undefined,
  };
  const scored = await scoreTrained(calibration, context);
  const expected = scored.expected.map((value) => value * standardisation.deviation + standardisation.mean);
  const detection = ensembleSteps({
    timeline,
    // Days that differ are part of the baseline.
    weekday: baseline.calendar ? false : settings.seasonality?.weekday,
    column,
    nll: scored.nll,
    expected,
    span: calibration.shape.window,
    sides: sidesOf(anomalyType),
    ranked: budget?.ranked,
    neighbourPoints: budget?.neighbours,
    prior,
  });
  const ensemble = await finishInSteps(detection, context.signal);
  const effort = budget?.forecast;
  const toForecast = {
    series: createSeries(known, timeline),
    timeline,
    heldOutFrom: calibration.validationFrom,
    forecaster: settings.forecaster ?? "auto",
    forecastPast: (plan: Pick<Plan, "origins" | "horizon">) =>
      forecastPast({ ...calibration, standardisation, baseline, timeline }, plan, context),
  };
  const forecast =
    effort === "none" ? undefined : await fitForecast({ ...toForecast, effort }, context.signal);
  const tolerated = await findTolerated(
    { calibration, standardisation, ensemble, timeline, column, expected, marks: normal },
    context,
  );
  const tail = tailOf(calibration, scored);
  return { tail, ...(forecast && { forecast }), ensemble, ...(tolerated.length > 0 && { tolerated }) };
}

/** Limits the input to the end of the training range. */
function limitToRecent(whole: FitInput): FitInput {
  const { timeline, observed: known, column, normal, series, validationFrom } = whole;
  const from = Math.max(0, column.length - MAX_FITTED_INTERVALS);
  if (from === 0) return whole;
  return {
    ...whole,
    timeline: { ...timeline, startAt: timeline.startAt + from * timeline.intervalMs },
    observed: known.slice(from),
    column: column.slice(from),
    normal: normal.slice(from),
    series: cutSeries(series, from),
    validationFrom: Math.max(
      validationFrom - from,
      Math.floor(MAX_FITTED_INTERVALS * (1 - VALIDATION_SHARE)),
    ),
  };
}
