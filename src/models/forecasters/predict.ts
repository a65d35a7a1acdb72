// Forecasts of one feature by what its version remembers: members are run, averaged, banded and kept within bounds.
import { yieldToEventLoop } from "../../runtime/steps.ts";
import { meanError } from "./combination.ts";
import { edgesOf, scaleAt } from "./error-band.ts";
import { predictSimple, type Series, type Targets } from "./members.ts";
import type { ForecastParameters } from "./parameters.ts";
import { combine } from "./weights.ts";

/** Forecasts of the last days are held against what came, so that bands follow series that become wilder or calmer. */
const RECENT_FORECASTS = 7;
/** The ratio of recent errors to those of the backtest is believed within these bounds, and its root alone. */
const RECENT_RATIO = { min: 0.5, max: 4 };

export interface PredictInput {
  /** The history, which ends where the forecast starts. */
  readonly series: Series;
  readonly horizon: number;
  /** Shares of what comes that the bands are to hold, 0..1. */
  readonly levels: readonly number[];
  /** What the network foretells; needed where it is a member. */
  readonly network?: Float64Array | undefined;
}

/** Lengths as the horizon; finite, `lower <= predicted <= upper`. */
export interface FeatureForecast {
  readonly predicted: Float64Array;
  /** One per level, in their order. */
  readonly bands: readonly { readonly lower: Float64Array; readonly upper: Float64Array }[];
}

/** Lets others work in between: a week of minutes takes a few tenths of a second. @throws TorusError `canceled` */
export async function predictFeature(
  parameters: ForecastParameters,
  input: PredictInput,
  signal: AbortSignal,
): Promise<FeatureForecast> {
  const { series, horizon, levels } = input;
  const bound = parameters.nonNegative ? 0 : Number.NEGATIVE_INFINITY;
  const together = await average(parameters, input, signal);
  const predicted = together.map((value) =>
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

/** Whether the version asks the network at all. */
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
  /** Per origin, what each simple member foretells. */
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

/** How much wider or narrower than in the backtest the band must be, by the errors of the last forecasts. */
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
