// Forecast of one feature by the stored combination: members averaged, bands added, values bounded.
import { yieldToEventLoop } from "../../runtime/steps.ts";
import { meanError } from "./combination.ts";
import { edgesOf, scaleAt } from "./error-band.ts";
import { predictSimple, type Series, type Targets } from "./members.ts";
import type { ForecastParameters } from "./parameters.ts";
import { combine } from "./weights.ts";

/** Recent forecasts that are compared with the observations, to adapt the bands to the present errors. */
const RECENT_FORECASTS = 7;
/** Bounds of the ratio of recent errors to those of the backtest; bands scale with its root. */
const RECENT_RATIO = { min: 0.5, max: 4 };

interface PredictInput {
  /** History, which ends where the forecast starts. */
  readonly series: Series;
  readonly horizon: number;
  /** Confidence levels of the bands, 0..1. */
  readonly levels: readonly number[];
  /** Forecast of the network; required if it is a member. */
  readonly network?: Float64Array | undefined;
}

/** Finite values, one per interval of the horizon, with `lower <= predicted <= upper`. */
export interface FeatureForecast {
  readonly predicted: Float64Array;
  /** One per level, in their order. */
  readonly bands: readonly { readonly lower: Float64Array; readonly upper: Float64Array }[];
}

/** Forecasts a feature; yields to the event loop. @throws TorusError `canceled` */
export async function predictFeature(
  parameters: ForecastParameters,
  input: PredictInput,
  signal: AbortSignal,
): Promise<FeatureForecast> {
  const { series, horizon, levels } = input;
  const bound = parameters.nonNegative ? 0 : Number.NEGATIVE_INFINITY;
  const combined = await average(parameters, input, signal);
  const predicted = combined.map((value) =>
    Math.max(bound, Number.isFinite(value) ? value : parameters.center),
  );
  const factor = await recentFactor(parameters, series, signal);
  const units = Float64Array.from({ length: horizon }, (_, lead) => factor * scaleAt(parameters.band, lead));
  const bands = levels.map((level) => {
    const { lower, upper } = edgesOf(parameters.band, level);
    return {
      lower: predicted.map((value, lead) => Math.max(bound, value + lower * units[lead]!)),
      upper: predicted.map((value, lead) => value + upper * units[lead]!),
    };
  });
  return { predicted, bands };
}

/** Whether the network is a member. */
export function needsNetwork({ members }: ForecastParameters): boolean {
  return members.some(({ method }) => method === "donut");
}

async function average(
  { members }: ForecastParameters,
  { series, horizon, network }: PredictInput,
  signal: AbortSignal,
): Promise<Float64Array> {
  const leads = Array.from({ length: horizon }, (_, lead) => lead);
  const targets = { origins: [series.column.length], leads };
  const simple = await runSimple(members, { series, targets }, signal);
  const networks = members.filter(({ method }) => method === "donut");
  const forecasts = [...simple.forecasts[0]!, ...networks.map(() => network!)];
  return combine(forecasts, [...simple.weights, ...networks.map(({ weight }) => weight)]);
}

interface SimpleRun {
  /** Forecasts of the simple members, per origin. */
  readonly forecasts: readonly (readonly Float64Array[])[];
  readonly weights: readonly number[];
}

async function runSimple(
  members: ForecastParameters["members"],
  { series, targets }: { readonly series: Series; readonly targets: Targets },
  signal: AbortSignal,
): Promise<SimpleRun> {
  const runs: (readonly Float64Array[])[] = [];
  const weights: number[] = [];
  for (const member of members) {
    if (member.method === "donut") continue;
    await yieldToEventLoop(signal);
    runs.push(predictSimple(member, series, targets));
    weights.push(member.weight);
  }
  return { forecasts: targets.origins.map((_, k) => runs.map((run) => run[k]!)), weights };
}

/** Factor on the width of the bands, by the errors of the recent forecasts. */
async function recentFactor(
  { members, band, simpleError }: ForecastParameters,
  series: Series,
  signal: AbortSignal,
): Promise<number> {
  if (simpleError === undefined) return 1;
  const reach = band.leads.at(-1)! + 1;
  const { length } = series.column;
  const origins = Array.from({ length: RECENT_FORECASTS }, (_, k) => length - (RECENT_FORECASTS - k) * reach);
  const targets = { origins: origins.filter((origin) => origin > 0), leads: band.leads };
  const { forecasts, weights } = await runSimple(members, { series, targets }, signal);
  const combined = forecasts.map((own) => combine(own, weights));
  const error = meanError(series.column, targets, combined);
  if (!Number.isFinite(error)) return 1;
  return Math.sqrt(Math.min(RECENT_RATIO.max, Math.max(RECENT_RATIO.min, error / simpleError)));
}
