// Set trends: made series that grow, fill, wander or stay, forecast a month ahead; errors on the week-naive scale.
import { createRandom } from "../../../wasm/random.ts";
import { type Band, coverage, type Forecast, mase, seasonalScale } from "../metrics/forecast.ts";
import { spreadOrigins } from "../peers/forecasts.ts";
import { type Series, toSeries } from "../series.ts";
import { forecast, type Torus } from "../torus.ts";
import { rangeOf, type Subject, trainBefore } from "./subject.ts";

export const TREND_GROUP = "trend";
const STEP_SECONDS = 3600;
const DAY = 24;
const WEEK = 7 * DAY;
const TRAINED = 30 * DAY;
const HORIZON = 30 * DAY;
const LENGTH = 4 * TRAINED;
const ORIGINS = 8;
/** Days ahead that are measured, each by itself. */
export const trendDays = [1, 7, 30] as const;
const LEVEL = "90";

export interface TrendEntry {
  readonly series: string;
  readonly forecaster: string;
  readonly seed?: number;
  /** One per day of `trendDays`. */
  readonly mase: readonly number[];
  /** Coverage of the 90 % band; absent without one. */
  readonly coverage?: readonly number[];
}

type Make = (normal: () => number) => (i: number) => number;

const daily = (i: number) => Math.sin((2 * Math.PI * i) / DAY);
const traffic =
  (growth: number): Make =>
  (normal) =>
  (i) => {
    const weekend = i % WEEK >= 5 * DAY ? 0.25 : 0;
    return 100 * (1 + growth) ** (i / DAY) * (1 + 0.4 * daily(i) - weekend) * (1 + 0.05 * normal());
  };
const wandering =
  (drift: number): Make =>
  (normal) => {
    let level = 100;
    return (i) => {
      level += drift + 0.15 * normal();
      return level + 4 * daily(i) + normal();
    };
  };

const kinds: Readonly<Record<string, Make>> = {
  filling: (normal) => (i) => 40 + (0.7 * i) / DAY + 0.8 * daily(i) + 0.15 * normal(),
  draining: (normal) => (i) => 400 - (1.5 * i) / DAY + 2 * daily(i) + 2 * normal(),
  steady: traffic(0),
  "growth-0.3": traffic(0.003),
  "growth-1": traffic(0.01),
  wandering: wandering(0),
  "wandering-up": wandering(0.02),
  sawtooth: (normal) => (i) => 20 + 6 * ((i / DAY) % 9) + 0.5 * normal(),
};

/** One series per kind; reproducible. */
export function makeTrends(): Series[] {
  return Object.entries(kinds).map(([name, make], index) => {
    const random = createRandom(2000 + index);
    const valueAt = make(() => random.normal());
    const rows = Array.from({ length: LENGTH }, (_, i) => ({
      timestamp: i * STEP_SECONDS,
      value: valueAt(i),
      label: 0,
    }));
    return toSeries(`${TREND_GROUP}/${name}`, rows);
  });
}

const originsOf = ({ values }: Series) =>
  spreadOrigins({ from: TRAINED, to: values.length - HORIZON, count: ORIGINS });

/** The last week, repeated. */
export function runTrendPeer(series: Series): TrendEntry {
  const { values } = series;
  const forecasts = originsOf(series).map((origin) => ({
    predicted: Float64Array.from({ length: HORIZON }, (_, h) => values[origin - WEEK + (h % WEEK)]!),
    observed: values.subarray(origin, origin + HORIZON),
  }));
  return { series: series.name, forecaster: "week-naive", mase: masesOf(series, forecasts) };
}

/** Torus on one series and seed. */
export async function runTrend(torus: Torus, subject: Subject): Promise<TrendEntry> {
  const { series, seed } = subject;
  const trained = await trainBefore(torus, subject, { purpose: "trend", grid: series, trainTo: TRAINED });
  const forecasts: (Forecast & Band)[] = [];
  for (const origin of originsOf(series)) {
    const answer = await forecast(torus, trained, rangeOf(series, origin, origin + HORIZON));
    const observed = series.values.subarray(origin, origin + HORIZON);
    forecasts.push({ predicted: answer.values, ...answer.bands[LEVEL]!, observed });
  }
  const covered = trendDays.map((day) => {
    const bands = forecasts.map(({ lower, upper, observed }) => ({
      lower: cutDay(lower, day),
      upper: cutDay(upper, day),
      observed: cutDay(observed, day),
    }));
    return coverage(bands)!;
  });
  return {
    series: series.name,
    forecaster: "Torus",
    seed,
    mase: masesOf(series, forecasts),
    coverage: covered,
  };
}

function masesOf({ values }: Series, forecasts: readonly Forecast[]): number[] {
  const scale = seasonalScale(values.subarray(0, TRAINED), WEEK)!;
  return trendDays.map((day) => {
    const cut = forecasts.map(({ predicted, observed }) => ({
      predicted: cutDay(predicted, day),
      observed: cutDay(observed, day),
    }));
    return mase(cut, scale)!;
  });
}

/** The hours of one day ahead. */
function cutDay(ahead: ArrayLike<number>, day: number): number[] {
  return Array.from(ahead).slice((day - 1) * DAY, day * DAY);
}
