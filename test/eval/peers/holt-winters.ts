// Additive Holt-Winters smoothing with a daily season; its parameters are those that forecast a day ahead best.
import type { Forecaster, History } from "./forecasts.ts";

const levels = [0.005, 0.02, 0.05, 0.1, 0.2, 0.4];
const trends = [0, 0.005];
const seasons = [0.05, 0.1, 0.2, 0.4, 0.7];
/** Between two origins of the fit, in days: at no whole number, so that all times of day are seen. */
const DAYS_BETWEEN_ORIGINS = 1.3;
/** Days before the first origin of the fit: the state forgets how it started. */
const WARM_UP_DAYS = 3;

interface Weights {
  readonly alpha: number;
  readonly beta: number;
  readonly gamma: number;
}

interface State {
  level: number;
  trend: number;
  readonly season: Float64Array;
}

/** Fits on the training part; a forecast continues from the state just before its origin. */
export function fitHoltWinters({ values, day, trainTo }: History): Forecaster {
  const grid = levels.flatMap((alpha) =>
    trends.flatMap((beta) => seasons.map((gamma): Weights => ({ alpha, beta, gamma }))),
  );
  const errors = grid.map((weights) => errorOf(values.subarray(0, trainTo), day, weights));
  const weights = grid[errors.indexOf(Math.min(...errors))]!;
  return (origin) => {
    const state = start(values.subarray(0, trainTo), day);
    for (let i = 0; i < origin; i++) step(state, i, values[i]!, weights);
    return predict(state, origin, day);
  };
}

/** Mean absolute error of forecasts of one day from origins all over the training part. */
function errorOf(values: Float64Array, day: number, weights: Weights): number {
  const state = start(values, day);
  const every = Math.round(DAYS_BETWEEN_ORIGINS * day);
  let [sum, count] = [0, 0];
  for (let i = 0; i < values.length; i++) {
    if (i >= WARM_UP_DAYS * day && i % every === 0) {
      for (const [h, predicted] of predict(state, i, Math.min(day, values.length - i)).entries()) {
        if (Number.isNaN(values[i + h]!)) continue;
        sum += Math.abs(predicted - values[i + h]!);
        count++;
      }
    }
    step(state, i, values[i]!, weights);
  }
  return count === 0 ? Number.POSITIVE_INFINITY : sum / count;
}

/** Level and season of the first two days. */
function start(values: Float64Array, day: number): State {
  const level = meanOf(values.subarray(0, 2 * day));
  const season = Float64Array.from({ length: day }, (_, k) => {
    const mean = meanOf(Float64Array.of(values[k] ?? Number.NaN, values[k + day] ?? Number.NaN));
    return mean - level;
  });
  return { level: level || 0, trend: 0, season: season.map((value) => value || 0) };
}

/** Takes in one value; a missing one moves the level along the trend. */
function step(state: State, i: number, value: number, { alpha, beta, gamma }: Weights): void {
  const k = i % state.season.length;
  const before = state.level;
  state.level += state.trend;
  if (Number.isNaN(value)) return;
  const seasonal = state.season[k]!;
  state.level = alpha * (value - seasonal) + (1 - alpha) * state.level;
  state.trend = beta * (state.level - before) + (1 - beta) * state.trend;
  state.season[k] = gamma * (value - state.level) + (1 - gamma) * seasonal;
}

function predict({ level, trend, season }: State, origin: number, horizon: number): Float64Array {
  return Float64Array.from(
    { length: horizon },
    (_, h) => level + (h + 1) * trend + season[(origin + h) % season.length]!,
  );
}

/** Mean of the present values; NaN without any. */
function meanOf(values: Float64Array): number {
  const present = values.filter(Number.isFinite);
  return present.reduce((sum, value) => sum + value, 0) / present.length;
}
