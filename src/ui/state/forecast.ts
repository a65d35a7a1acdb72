// Forecast of a model with the history before it, read when the address changes.
import type { ModelView } from "../../api/model.ts";
import type { ForecastView } from "../../api/prediction.ts";
import type { WatchForecast } from "../../core/model/watch-forecast.ts";
import type { ConstraintText } from "../lib/constraint.ts";
import { seriesParam } from "../lib/fleet.ts";
import {
  type ForecastData,
  type ForecastRequest,
  forecastQuery,
  type History,
  joinForecast,
  secondsOf,
} from "../lib/forecast/forecast.ts";
import { nameOf } from "../lib/model-state.ts";
import { readFolded } from "./chart/folded.ts";
import { readStored } from "./models.ts";
import { request } from "./session.ts";

/** Horizons of history before the forecast. */
const HISTORY_HORIZONS = 2;
/** Intervals of history at least. */
const MIN_INTERVALS = 48;
const CELLS = 600;

export interface Forecasted extends ForecastData {
  readonly constraint?: ForecastView["constraint"];
}

interface ReadOptions {
  readonly signal: AbortSignal;
  /** Of a fleet, as in `host:a,cpu:0`. */
  readonly series: string | undefined;
}

/** @throws Problem, as where the model is not trained */
export async function readForecast(
  model: ModelView,
  wanted: ForecastRequest,
  { signal, series }: ReadOptions,
): Promise<Forecasted> {
  const path = `/models/${encodeURIComponent(nameOf(model))}`;
  const length = secondsOf(wanted.horizon);
  const forecast = (query: string) =>
    request<ForecastView>(`${path}/_forecast?${query}${seriesParam(series)}`, { method: "POST", signal });
  const [next, past, history] = await Promise.all([
    forecast(forecastQuery(wanted)),
    wanted.withPast ? forecast(`from=now-${Math.ceil(length)}&to=now`) : undefined,
    readHistory(model, length, { signal, series }),
  ]);
  const { constraint } = next;
  return { ...joinForecast(history, past, next), ...(constraint && { constraint }) };
}

async function readHistory(
  model: ModelView,
  length: number,
  { signal, series }: ReadOptions,
): Promise<History> {
  const least = MIN_INTERVALS * (model.state.bucket_interval ?? 0);
  const from = Math.ceil(Math.max(HISTORY_HORIZONS * length, least));
  const query = `from=now-${from}&points=${CELLS}${seriesParam(series)}`;
  const { from: start, step, cells, features = {} } = await readFolded(nameOf(model), query, signal);
  return {
    times: Array.from({ length: cells }, (_, i) => start + i * step),
    features: Object.fromEntries(Object.entries(features).map(([feature, { mean }]) => [feature, mean])),
  };
}

/** Changes the watched forecasts of a model as they are stored now. @throws Problem, as where another client changed them at the same time */
async function changeWatches(
  name: string,
  change: (before: readonly WatchForecast[]) => readonly WatchForecast[],
): Promise<void> {
  const { model, etag } = await readStored(name);
  const next = change(watchesOf(model));
  const body = { watch_forecast: next.length > 0 ? next : null };
  await request(`/models/${encodeURIComponent(name)}`, { method: "PATCH", body, ifMatch: etag });
}

/** The setting `watch_forecast`. */
export function watchesOf({ settings }: ModelView): readonly WatchForecast[] {
  return (settings.watch_forecast as readonly WatchForecast[] | undefined) ?? [];
}

/** Whether a watch is of a bound, whatever its time. */
export function isOfBound({ feature, above, below }: WatchForecast, bound: ConstraintText): boolean {
  return feature === bound.feature && (bound.type === "high" ? above : below) === bound.threshold;
}

/** Watches a bound. @param within how far ahead a breach is announced, as `7d` @throws Problem */
export function watch(name: string, bound: ConstraintText, within: string): Promise<void> {
  const { feature, type, threshold } = bound;
  const added = { feature, ...(type === "high" ? { above: threshold } : { below: threshold }), within };
  return changeWatches(name, (before) => [...before.filter((each) => !isOfBound(each, bound)), added]);
}

/** @throws Problem */
export function unwatch(name: string, bound: ConstraintText): Promise<void> {
  return changeWatches(name, (before) => before.filter((each) => !isOfBound(each, bound)));
}
