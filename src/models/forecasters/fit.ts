// Fit of the forecast of a feature: candidates are backtested, then combined by their errors.
import { medianOf } from "../stats/median.ts";
import { learnUpperBound } from "./bounds.ts";
import { average, type Candidate, errorsOf, meanError, weighCandidates } from "./combination.ts";
import { type ErrorBand, fitBand } from "./error-band.ts";
import { fitGrowth } from "./error-growth.ts";
import { fitSmoothing } from "./holt-winters-fit.ts";
import { localTimeOf } from "./local-time.ts";
import {
  historyLength,
  type Method,
  type Series,
  type SimpleMember,
  seasonalMembers,
  smoothedSeasons,
} from "./members.ts";
import type { ForecastParameters } from "./parameters.ts";
import { type Plan, planBacktest } from "./plan.ts";
import { levelSpanOf, seasonsOf } from "./season.ts";
import { type ForecastTrend, flattenTrend, measureTrend } from "./trend.ts";
import { chooseTrend } from "./trend-fit.ts";
import { predictMembers } from "./trended.ts";

/** Bounds of the work of a fit. */
export interface FitEffort {
  /** Most origins of a backtest. */
  readonly origins: number;
  /** Passes of the fit of smoothing factors. */
  readonly passes: number;
}

export interface FitInput {
  /** The training part; at least one value is there. */
  readonly series: Series;
  /** Index of the first interval that the network was not fitted to. */
  readonly heldOutFrom: number;
  /** "auto": a combination by the backtest. */
  readonly forecaster: Method | "auto";
  /** Default: that of a model's training. */
  readonly effort?: FitEffort | undefined;
  /** Forecasts of the network, `horizon` values from each origin, from the points before it. */
  readonly forecastPast: (plan: Pick<Plan, "origins" | "horizon">) => Promise<readonly Float64Array[]>;
}

/** @throws TorusError `canceled` */
export async function fitForecast(input: FitInput, signal: AbortSignal): Promise<ForecastParameters> {
  const { column, intervalMs } = input.series;
  const { heldOutFrom, effort } = input;
  const plan = planBacktest({ length: column.length, heldOutFrom, intervalMs, origins: effort?.origins });
  const trend = chooseTrend(input.series);
  const chosen = weighCandidates(column, plan, await runCandidates(input, { plan, trend }, signal));
  const simple = chosen.filter(({ member }) => member.method !== "donut");
  const simpleError = simple.length > 0 ? meanError(column, plan, average(simple)) : 0;
  const forecasts = average(chosen);
  const mae = meanError(column, plan, forecasts);
  const center = medianOf(column);
  const upperBound = learnUpperBound(column);
  const error = Number.isFinite(mae) ? mae : meanDeviation(column, center);
  return {
    members: chosen.map(({ member, weight }) => ({ ...member, weight })),
    ...(trend && { trend }),
    band: {
      ...(fitBand(errorsOf(column, plan, forecasts), plan) ?? bandOfValues(column, center)),
      ...(await fitGrowth(
        chosen,
        { series: input.series, trend, horizon: plan.horizon, origins: effort?.origins },
        signal,
      )),
    },
    history: simple.length > 0 || trend ? historyLength(intervalMs) : 0,
    nonNegative: column.every((value) => !(value < 0)),
    ...(upperBound !== undefined && { upperBound }),
    center,
    ...(simpleError > 0 && Number.isFinite(simpleError) && { simpleError }),
    error: { mae: error, mase: error / naiveError(input.series) },
  };
}

async function runCandidates(
  { series, heldOutFrom, forecaster, forecastPast, effort }: FitInput,
  { plan, trend }: { readonly plan: Plan; readonly trend: ForecastTrend | undefined },
  signal: AbortSignal,
): Promise<readonly Candidate[]> {
  const isWanted = (method: Method) => forecaster === "auto" || forecaster === method;
  const seasons = seasonsOf(series.intervalMs, series.column.length);
  const simple: SimpleMember[] = isWanted("seasonal") ? [...seasonalMembers(seasons)] : [];
  const horizon = plan.horizon;
  const levelSpan = levelSpanOf(series.intervalMs);
  const line = trend && measureTrend(trend, series, heldOutFrom);
  const local = localTimeOf(line ? flattenTrend(line, series, heldOutFrom) : series);
  const knownTo = local.startOf(heldOutFrom);
  const known = local.column.subarray(Math.max(0, knownTo - historyLength(series.intervalMs)), knownTo);
  for (const own of isWanted("holt-winters") ? smoothedSeasons(seasons) : []) {
    const passes = effort?.passes;
    const smoothing = await fitSmoothing({ column: known, seasons: own, horizon, levelSpan, passes }, signal);
    simple.push({ method: "holt-winters", seasons: own, smoothing });
  }
  const candidates: Candidate[] = [];
  for (const member of simple) {
    const [forecasts] = await predictMembers([member], series, { targets: plan, trend }, signal);
    candidates.push({ member, forecasts: forecasts! });
  }
  if (!isWanted("donut")) return candidates;
  const whole = await forecastPast(plan);
  const forecasts = whole.map((values) => plan.leads.map((lead) => values[lead]!));
  return [...candidates, { member: { method: "donut" }, forecasts }];
}

/** Band without a backtest: by the deviation of the values from their median. */
function bandOfValues(column: Float64Array, center: number): ErrorBand {
  const errors = Array.from(column, (value) => Float64Array.of(value - center));
  return fitBand(errors, { horizon: 1, leads: [0], origins: [0, column.length - 1] })!;
}

function meanDeviation(column: Float64Array, center: number): number {
  const present = column.filter(Number.isFinite);
  return present.reduce((sum, value) => sum + Math.abs(value - center), 0) / present.length;
}

/** Mean absolute error of repeating the shortest season, or the last value; never 0. */
function naiveError(series: Series): number {
  const { intervalMs } = series;
  const { column } = localTimeOf(series);
  const { day, week } = seasonsOf(intervalMs, column.length);
  const lag = Math.round(day ?? week ?? 1);
  const changes = column.subarray(lag).map((value, i) => Math.abs(value - column[i]!));
  const present = changes.filter(Number.isFinite);
  const mean = present.reduce((sum, value) => sum + value, 0) / present.length;
  return mean > 0 ? mean : 1;
}
