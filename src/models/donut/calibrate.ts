// Calibration of a trained network on the end of its training range: the tail of its nll, and the width of its forecasts.
import type { DonutShape, PredictOptions, ScoreResult, Series } from "../../../wasm/protocol.ts";
import type { Feature } from "../../core/model.ts";
import type { Context } from "../kind.ts";
import { fitTail, type Tail } from "../tail.ts";

/** Which deviations count. */
export type AnomalyType = NonNullable<Feature["anomaly_type"]>;

/** Below this many scored points the validation part alone is too small a sample: the whole range helps out. */
const MIN_SAMPLE = 200;
/** Forecasts from this many instants of the validation part measure the width of the band. */
const FORECAST_ORIGINS = 16;
/** The share of residuals that one predicted deviation should hold. */
const ONE_SIGMA = 0.6827;

export interface CalibrateInput {
  readonly shape: DonutShape;
  readonly params: Float32Array;
  readonly series: Series;
  readonly validationFrom: number;
  readonly anomalyType: AnomalyType;
  readonly options: PredictOptions;
  /** Horizon the band is measured for, in intervals. */
  readonly horizon: number;
}

/** -1 below the prediction, 1 above; 0 where that direction does not count or nothing was observed. */
export function directionOf(difference: number, anomalyType: AnomalyType): -1 | 0 | 1 {
  if (Number.isNaN(difference)) return 0;
  if (difference < 0) return anomalyType === "high" ? 0 : -1;
  return anomalyType === "low" ? 0 : 1;
}

/** Tail of the nll over points that were not trained on. */
export async function calibrateTail(input: CalibrateInput, context: Context): Promise<Tail> {
  const { shape, params, series, validationFrom, options } = input;
  const from = Math.max(0, validationFrom - shape.window + 1);
  const isLarge = series.values.length - validationFrom >= MIN_SAMPLE;
  const scored = isLarge ? cutSeries(series, from) : series;
  const result = await context.compute.run(
    { kind: "score", shape, params, series: scored, options },
    { lane: "training", signal: context.signal },
  );
  return tailOf(scored, result, input.anomalyType);
}

/** Points of the training range that are scored at most, from its end. */
const MAX_SCORED = 30_000;

/** Statistic and expectation of the network over its own training range, standardised; NaN where it was not scored. */
export async function scoreTrained(
  { shape, params, series, options }: CalibrateInput,
  context: Context,
): Promise<{ nll: Float64Array; expected: Float64Array }> {
  const length = series.values.length;
  const from = Math.max(0, length - MAX_SCORED);
  const result = await context.compute.run(
    { kind: "score", shape, params, series: cutSeries(series, from), options },
    { lane: "training", signal: context.signal },
  );
  const whole = (values: Float32Array) => {
    const column = new Float64Array(length).fill(Number.NaN);
    column.set(values, from);
    return column;
  };
  return { nll: whole(result.nll), expected: whole(result.mean) };
}

function tailOf(series: Series, result: ScoreResult, anomalyType: AnomalyType): Tail {
  const sample: number[] = [];
  let total = 0;
  for (const [i, nll] of result.nll.entries()) {
    if (!Number.isFinite(nll)) continue;
    total++;
    if (directionOf(series.values[i]! - result.mean[i]!, anomalyType) !== 0) sample.push(nll);
  }
  return fitTail(Float64Array.from(sample.length > 0 ? sample : [0]), total);
}

/**
 * How much wider than predicted a forecast's band must be to hold its share of what came: an imputed point is
 * predicted as surely as an observed one, which it is not.
 */
export async function measureWidening(input: CalibrateInput, context: Context): Promise<number> {
  const { shape, params, series, validationFrom, horizon, options } = input;
  const room = series.values.length - validationFrom - horizon;
  if (room < 0 || validationFrom < shape.window) return 1;
  const ratios: number[] = [];
  for (let k = 0; k < FORECAST_ORIGINS; k++) {
    const origin = validationFrom + Math.floor((k * room) / Math.max(1, FORECAST_ORIGINS - 1));
    const history = cutSeries(series, origin - shape.window, origin);
    const { mean, deviation } = await context.compute.run(
      { kind: "forecast", shape, params, series: history, horizon, options },
      { lane: "training", signal: context.signal },
    );
    for (let h = 0; h < horizon; h++) {
      if (series.observed[origin + h] === 1)
        ratios.push(Math.abs(series.values[origin + h]! - mean[h]!) / deviation[h]!);
    }
  }
  ratios.sort((a, b) => a - b);
  return Math.max(1, ratios[Math.floor(ratios.length * ONE_SIGMA)] ?? 1);
}

export function cutSeries(series: Series, from: number, to = series.values.length): Series {
  return { values: series.values.slice(from, to), observed: series.observed.slice(from, to) };
}
