// Peer forecasts: repeating the day before, median of the last weeks, Holt-Winters, and the best of them.
import { mase } from "../metrics/forecast.ts";
import { fitHoltWinters } from "./holt-winters.ts";
import { medianOf } from "./median.ts";

const WEEKS = 4;
/** Days of the training part, at its end, that the best peer of a series is chosen on. */
const BACKTEST_SHARE = 0.3;
const BACKTEST_ORIGINS = 20;

/** Evenly spaced history; NaN = missing. */
export interface History {
  readonly values: Float64Array;
  /** Intervals of a day. */
  readonly day: number;
  /** Intervals before it are for fitting; later ones may only be continued from. */
  readonly trainTo: number;
}

/** Predicts the day that starts at interval `origin` from the points before it. */
export type Forecaster = (origin: number) => Float64Array;

/** Repeats the last day; a missing value takes that of the day before it. */
export function dayNaive({ values, day }: History): Forecaster {
  return (origin) =>
    Float64Array.from({ length: day }, (_, h) => {
      for (let i = origin - day + h; i >= 0; i -= day) if (Number.isFinite(values[i]!)) return values[i]!;
      return 0;
    });
}

/** Median of the same interval in the last four weeks; where there is none yet, the day before. */
export function weekMedian(history: History): Forecaster {
  const { values, day } = history;
  const repeated = dayNaive(history);
  return (origin) =>
    repeated(origin).map((fallback, h) => {
      const seen = Array.from(
        { length: WEEKS },
        (_, week) => values[origin + h - 7 * day * (week + 1)] ?? Number.NaN,
      );
      const median = medianOf(seen.filter(Number.isFinite));
      return Number.isFinite(median) ? median : fallback;
    });
}

export const forecasters = {
  "day-naive": dayNaive,
  "week median": weekMedian,
  "Holt-Winters": fitHoltWinters,
} as const satisfies Readonly<Record<string, (history: History) => Forecaster>>;

export type ForecasterName = keyof typeof forecasters;

/** The peer with the smallest error of one-day forecasts over the end of the training part. */
export function chooseByBacktest(history: History): ForecasterName {
  const { values, day, trainTo } = history;
  const from = Math.floor(trainTo * (1 - BACKTEST_SHARE));
  const origins = spreadOrigins({ from, to: trainTo - day, count: BACKTEST_ORIGINS });
  const names = Object.keys(forecasters) as ForecasterName[];
  const errors = names.map((name) => {
    // The choice must not be based on the part that was fitted to.
    const forecast = forecasters[name]({ ...history, trainTo: from });
    const pairs = origins.map((origin) => ({
      predicted: forecast(origin),
      observed: values.subarray(origin, origin + day),
    }));
    return mase(pairs, 1) ?? Number.POSITIVE_INFINITY;
  });
  return names[errors.indexOf(Math.min(...errors))]!;
}

/** `count` indices from `from` to `to`, both included, evenly spread. */
export function spreadOrigins({ from, to, count }: { from: number; to: number; count: number }): number[] {
  return Array.from(
    { length: count },
    (_, k) => from + Math.round((k * (to - from)) / Math.max(1, count - 1)),
  );
}
