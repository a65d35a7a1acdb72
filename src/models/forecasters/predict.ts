// Forecast of one feature by the stored combination: members averaged, bands added, values bounded.
import { boundsOf, clampTo, type Limits } from "./bounds.ts";
import { meanError } from "./combination.ts";
import { edgesOf, scaleAt } from "./error-band.ts";
import type { Member, Series, Targets } from "./members.ts";
import type { ForecastParameters } from "./parameters.ts";
import { factorAt, measureTrend, slopeErrorAt } from "./trend.ts";
import { predictMembers } from "./trended.ts";
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
  /** Of the feature's settings. */
  readonly limits?: Limits | undefined;
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
  const { series, levels, limits = {} } = input;
  const bounds = boundsOf(parameters, limits, series.column);
  const combined = await average(parameters, input, signal);
  const predicted = clampTo(
    bounds,
    combined.map((value) => (Number.isFinite(value) ? value : parameters.center)),
  );
  const factor = await recentFactor(parameters, series, signal);
  const units = errorsAhead(parameters, { series, predicted, factor });
  const bands = levels.map((level) => {
    const { lower, upper } = edgesOf(parameters.band, level);
    const edgeAt = (edge: number) => predicted.map((value, lead) => value + edge * units[lead]!);
    return { lower: clampTo(bounds, edgeAt(lower)), upper: clampTo(bounds, edgeAt(upper)) };
  });
  return { predicted, bands };
}

/** Typical error at each lead: that of the members, which a multiplicative trend scales, and that of the slope. */
function errorsAhead(
  { band, trend }: ForecastParameters,
  { series, predicted, factor }: { series: Series; predicted: Float64Array; factor: number },
): Float64Array {
  const line = trend && measureTrend(trend, series, series.column.length);
  return predicted.map((value, lead) => {
    const error = factor * scaleAt(band, lead);
    return line ? Math.hypot(error * factorAt(line, lead), slopeErrorAt(line, lead, value)) : error;
  });
}

/** Whether the network is a member. */
export function needsNetwork({ members }: ForecastParameters): boolean {
  return members.some(({ method }) => method === "donut");
}

/** Weighted mean of the members; beyond the leads of the backtest the network, which it did not measure there, fades. */
async function average(
  { members, trend, band }: ForecastParameters,
  { series, horizon, network }: PredictInput,
  signal: AbortSignal,
): Promise<Float64Array> {
  const leads = Array.from({ length: horizon }, (_, lead) => lead);
  const targets = { origins: [series.column.length], leads };
  const { forecasts, weights } = await runSimple(members, { series, targets, trend }, signal);
  const simple = combine(forecasts[0]!, weights);
  const share = members.find(({ method }) => method === "donut")?.weight;
  if (share === undefined) return simple;
  if (weights.length === 0) return network!;
  const measured = band.leads.at(-1)! + 1;
  return network!.map((value, lead) => {
    const faded = share * Math.min(1, measured / (lead + 1));
    const [mean] = combine([[simple[lead]!], [value]], [1 - share, faded]);
    return mean!;
  });
}

interface SimpleRunInput {
  readonly series: Series;
  readonly targets: Targets;
  readonly trend: ForecastParameters["trend"];
}

interface SimpleRun {
  /** Forecasts of the simple members, per origin. */
  readonly forecasts: readonly (readonly Float64Array[])[];
  readonly weights: readonly number[];
}

async function runSimple(
  members: ForecastParameters["members"],
  { series, targets, trend }: SimpleRunInput,
  signal: AbortSignal,
): Promise<SimpleRun> {
  const simple = members.filter(isSimple);
  const runs = await predictMembers(simple, series, { targets, trend }, signal);
  return {
    forecasts: targets.origins.map((_, k) => runs.map((run) => run[k]!)),
    weights: simple.map(({ weight }) => weight),
  };
}

function isSimple<M extends Member>(member: M): member is Exclude<M, { method: "donut" }> {
  return member.method !== "donut";
}

/** Factor on the width of the bands, by the errors of the recent forecasts. */
async function recentFactor(
  { members, band, simpleError, trend }: ForecastParameters,
  series: Series,
  signal: AbortSignal,
): Promise<number> {
  if (simpleError === undefined) return 1;
  const reach = band.leads.at(-1)! + 1;
  const { length } = series.column;
  const origins = Array.from({ length: RECENT_FORECASTS }, (_, k) => length - (RECENT_FORECASTS - k) * reach);
  const targets = { origins: origins.filter((origin) => origin > 0), leads: band.leads };
  const { forecasts, weights } = await runSimple(members, { series, targets, trend }, signal);
  const combined = forecasts.map((own) => combine(own, weights));
  const error = meanError(series.column, targets, combined);
  if (!Number.isFinite(error)) return 1;
  return Math.sqrt(Math.min(RECENT_RATIO.max, Math.max(RECENT_RATIO.min, error / simpleError)));
}
