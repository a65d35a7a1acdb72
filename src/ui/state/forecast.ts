// Forecast of a model with the history before it, read when the address changes.
import type { ModelView } from "../../api/model.ts";
import type { ForecastView } from "../../api/prediction.ts";
import type { ModelSeriesView } from "../../api/series.ts";
import {
  type ForecastData,
  type ForecastRequest,
  forecastQuery,
  type History,
  joinForecast,
  secondsOf,
} from "../lib/forecast.ts";
import { nameOf } from "../lib/model-state.ts";
import { request } from "./session.ts";

/** Horizons of history before the forecast. */
const HISTORY_HORIZONS = 2;
/** Intervals of history at least. */
const MIN_INTERVALS = 48;
const CELLS = 600;

export interface Forecasted extends ForecastData {
  readonly constraint?: ForecastView["constraint"];
}

/** @throws Problem, as where the model is not trained */
export async function readForecast(
  model: ModelView,
  wanted: ForecastRequest,
  signal: AbortSignal,
): Promise<Forecasted> {
  const path = `/models/${encodeURIComponent(nameOf(model))}`;
  const length = secondsOf(wanted.horizon);
  const forecast = (query: string) =>
    request<ForecastView>(`${path}/_forecast?${query}`, { method: "POST", signal });
  const [next, past, history] = await Promise.all([
    forecast(forecastQuery(wanted)),
    wanted.withPast ? forecast(`from=now-${Math.ceil(length)}&to=now`) : undefined,
    readHistory(model, length, signal),
  ]);
  const { constraint } = next;
  return { ...joinForecast(history, past, next), ...(constraint && { constraint }) };
}

async function readHistory(model: ModelView, length: number, signal: AbortSignal): Promise<History> {
  const name = nameOf(model);
  const least = MIN_INTERVALS * (model.state.bucket_interval ?? 0);
  const from = Math.ceil(Math.max(HISTORY_HORIZONS * length, least));
  const path = `/models/${encodeURIComponent(name)}/_series?from=now-${from}&points=${CELLS}`;
  const answer = await request<Readonly<Record<string, ModelSeriesView>>>(path, { signal });
  const { from: start, step, cells, features = {} } = answer[name]!;
  return {
    times: Array.from({ length: cells }, (_, i) => start + i * step),
    features: Object.fromEntries(Object.entries(features).map(([feature, { mean }]) => [feature, mean])),
  };
}
