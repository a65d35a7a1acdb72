// Series of one model for its chart: folded values at once, expected values and scores where the range is short enough.
import type { AnomalyView } from "../../api/anomaly.ts";
import type { ModelView } from "../../api/model.ts";
import type { PredictionView } from "../../api/prediction.ts";
import type { ModelSeriesView } from "../../api/series.ts";
import { Problem } from "../api/client.ts";
import { nameOf } from "../lib/model-state.ts";
import { request } from "./session.ts";

/** Most intervals that are evaluated for a look. */
const MAX_EVALUATED = 2500;

export interface Range {
  /** Seconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

type Column = readonly (number | null)[];

/** Columns of one feature; all as long as `times`. */
export interface FeatureColumns {
  readonly min: Column;
  readonly mean: Column;
  readonly max: Column;
  readonly expected?: Column;
  readonly lower?: Column;
  readonly upper?: Column;
}

export interface ChartData {
  readonly times: readonly number[];
  /** Seconds from one time to the next. */
  readonly step: number;
  readonly features: Readonly<Record<string, FeatureColumns>>;
  readonly score?: Column;
  readonly thresholds: { readonly max: number; readonly min: number };
  readonly anomalies: readonly AnomalyView[];
  /** Whether the range is too long for expected values. */
  readonly isFolded: boolean;
}

/** Reads the observed values. @throws Problem */
export async function readSeries(
  name: string,
  { from, to }: Range,
  { points, signal }: { readonly points: number; readonly signal: AbortSignal },
): Promise<ChartData> {
  const path = `/models/${encodeURIComponent(name)}`;
  const query = `from=${Math.floor(from)}&to=${Math.ceil(to)}`;
  const [series, anomalies] = await Promise.all([
    request<Readonly<Record<string, ModelSeriesView>>>(`${path}/_series?${query}&points=${points}`, {
      signal,
    }),
    request<readonly AnomalyView[]>(`${path}/anomalies?${query}`, { signal }),
  ]);
  const own = series[name]!;
  return {
    times: Array.from({ length: own.cells }, (_, i) => own.from + i * own.step),
    step: own.step,
    features: own.features ?? {},
    thresholds: own.thresholds,
    anomalies,
    isFolded: (to - from) / own.bucket_interval > MAX_EVALUATED,
  };
}

/** Adds expected values and scores; the data as they are where the server refuses. */
export async function addExpected(
  data: ChartData,
  model: ModelView,
  { range: { from, to }, signal }: { readonly range: Range; readonly signal: AbortSignal },
): Promise<ChartData> {
  if (data.isFolded || !model.state.trained || data.times.length === 0) return data;
  const path = `/models/${encodeURIComponent(nameOf(model))}/_eval`;
  const query = `from=${Math.floor(from)}&to=${Math.ceil(to)}&detect_anomalies=true`;
  try {
    const evaluated = await request<PredictionView>(`${path}?${query}`, { method: "POST", signal });
    return mergeEvaluation(data, evaluated);
  } catch (error) {
    if (error instanceof Problem && error.status >= 400 && error.status < 500) return data;
    throw error;
  }
}

export function mergeEvaluation(
  data: ChartData,
  { timestamps, observed, predicted, stats }: PredictionView,
): ChartData {
  const features = Object.keys(data.features).map((name) => {
    const column = observed[name] ?? [];
    const own: FeatureColumns = {
      min: column,
      mean: column,
      max: column,
      expected: predicted[name] ?? [],
      lower: predicted[`lower_${name}`] ?? [],
      upper: predicted[`upper_${name}`] ?? [],
    };
    return [name, own] as const;
  });
  return {
    ...data,
    times: timestamps,
    step: timestamps.length > 1 ? timestamps[1]! - timestamps[0]! : data.step,
    features: Object.fromEntries(features),
    ...(stats && { score: stats.map(({ score }) => score) }),
  };
}
