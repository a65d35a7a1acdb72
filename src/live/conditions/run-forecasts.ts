// Runs the forecasts that are due, one for all watches of a model; a failure concerns the watches alone.
import { describeError, TorusError } from "../../core/errors.ts";
import type { SeriesTags } from "../../core/model/fleet.ts";
import { bucketOf, type ModelSettings } from "../../core/model/model.ts";
import { type ForecastWatch, watchesOf } from "../../core/model/watch-forecast.ts";
import { findBreach } from "../../core/series/breach.ts";
import type { Grid, Range } from "../../core/series/grid.ts";
import type { Compute, Forecast, ModelKind, TrainedModel } from "../../models/kind.ts";
import { type OpenBucket, readFeatures } from "../../points/features.ts";
import type { KeyedLimiter } from "../../runtime/keyed-limiter.ts";
import { findDates } from "../capacity/dates.ts";
import {
  type BreachDates,
  failForecast,
  followForecast,
  isForecastDue,
  LEVEL,
  REACH,
  type WatchedForecast,
} from "./forecast.ts";

/** By key of the watch. */
export type WatchedForecasts = Readonly<Record<string, WatchedForecast>>;

export interface ForecastDeps {
  readonly openBucket: OpenBucket;
  readonly kind: Pick<ModelKind, "forecast" | "forecastHistoryOf">;
  readonly compute: Compute;
  readonly onError: (error: unknown, model: string | null) => void;
  /** One forecast at a time: many are due at once after a start. */
  readonly forecasting: KeyedLimiter;
}

const ALL = "";

interface ForecastRun {
  /** Effective settings, see `effectiveSettings`. */
  readonly settings: ModelSettings;
  readonly version: TrainedModel;
  /** Of a fleet: the series that is forecast. */
  readonly series?: SeriesTags;
  readonly intervalMs: number;
  /** End of the history, where the forecast starts, ms since the epoch. */
  readonly fromAt: number;
  readonly before: WatchedForecasts;
  readonly nowAt: number;
}

/**
 * The forecasts of the watches that the model has, those that are due made anew.
 * @throws TorusError `canceled`
 */
export async function runForecasts(
  deps: ForecastDeps,
  run: ForecastRun,
  signal: AbortSignal,
): Promise<WatchedForecasts> {
  const { settings, before, nowAt, intervalMs } = run;
  const watches = watchesOf(settings);
  const due = watches.filter((watch) => isForecastDue(watch, before[watch.key], nowAt));
  const kept = Object.fromEntries(watches.flatMap(({ key }) => (before[key] ? [[key, before[key]]] : [])));
  // Next evaluation, if another model is at it.
  if (due.length === 0 || deps.forecasting.isFull(ALL)) return kept;
  const reachMs = Math.max(...due.map(({ withinMs }) => REACH * withinMs));
  try {
    const horizon = Math.ceil(reachMs / intervalMs);
    const make = () => makeForecast(deps, { ...run, horizon }, signal);
    const { forecast, history } = await deps.forecasting.run(ALL, make, signal);
    const made: [string, WatchedForecast][] = [];
    for (const watch of due) {
      const rise = await findRise(history, { settings, watch }, signal);
      made.push([watch.key, followForecast(before[watch.key], rise ?? datesOf(forecast, watch), nowAt)]);
    }
    return { ...kept, ...Object.fromEntries(made) };
  } catch (error) {
    const failure = toFailure(deps, error, settings.name);
    return {
      ...kept,
      ...Object.fromEntries(due.map(({ key }) => [key, failForecast(before[key], failure, nowAt)])),
    };
  }
}

async function makeForecast(
  { openBucket, kind, compute }: ForecastDeps,
  { settings, version, series, intervalMs, fromAt, horizon }: ForecastRun & { readonly horizon: number },
  signal: AbortSignal,
): Promise<{ readonly forecast: Forecast; readonly history: Grid }> {
  const { features } = settings;
  const range: Range = { fromAt: fromAt - kind.forecastHistoryOf(version) * intervalMs, toAt: fromAt };
  const bucket = bucketOf(settings) ?? "";
  const history = await readFeatures(openBucket, { features, bucket, range, intervalMs, series }, signal);
  const request = { settings, history, horizon, level: LEVEL / 100, levels: [] };
  return {
    forecast: await kind.forecast(version, request, { compute, signal, onProgress: () => {} }),
    history,
  };
}

/**
 * Dates within the reach of the watch as capacity has them, whose trend of the peaks was right before.
 * @returns undefined where the feature does not certainly move towards the bound: then the forecast decides
 */
async function findRise(
  history: Grid,
  { settings, watch }: { readonly settings: ModelSettings; readonly watch: ForecastWatch },
  signal: AbortSignal,
): Promise<BreachDates | undefined> {
  const feature = settings.features.find(({ name }) => name === watch.feature)!;
  const limit = { type: watch.type, value: watch.threshold };
  const dates = await findDates(history, { feature, limit, level: LEVEL / 100 }, signal);
  if (!dates?.outlook.isPredictable) return undefined;
  const { firstAt, earliestAt, latestAt } = dates;
  const endAt = history.startAt + history.length * history.intervalMs + REACH * watch.withinMs;
  const reached = Object.entries({ firstAt, earliestAt, latestAt }).filter(
    ([, at]) => at !== undefined && at < endAt,
  );
  return Object.fromEntries(reached);
}

/** Dates within the reach of the watch. */
function datesOf({ grid, predicted, lower, upper }: Forecast, watch: ForecastWatch): BreachDates {
  const { feature, withinMs } = watch;
  const length = Math.min(grid.length, Math.ceil((REACH * withinMs) / grid.intervalMs));
  const part = (columns: Forecast["predicted"]) => columns[feature]!.subarray(0, length);
  const columns = { predicted: part(predicted), lower: part(lower), upper: part(upper) };
  const { first, earliest, latest } = findBreach(columns, watch);
  const dateOf = (index: number) => grid.startAt + index * grid.intervalMs;
  return {
    ...(first !== undefined && { firstAt: dateOf(first) }),
    ...(earliest !== undefined && { earliestAt: dateOf(earliest) }),
    ...(latest !== undefined && { latestAt: dateOf(latest) }),
  };
}

function toFailure({ onError }: ForecastDeps, error: unknown, model: string) {
  if (error instanceof TorusError && error.code === "canceled") throw error;
  if (!(error instanceof TorusError)) onError(error, model);
  return describeError(error);
}
