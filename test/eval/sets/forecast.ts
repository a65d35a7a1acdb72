// Set forecast: 30-minute buckets, one day ahead, from 20 origins over the second half; errors on the day-naive scale.
import { type Band, coverage, type Forecast, mase, seasonalScale } from "../metrics/forecast.ts";
import {
  chooseByBacktest,
  type Forecaster,
  forecasters,
  type History,
  spreadOrigins,
} from "../peers/forecasts.ts";
import { coarsen, countObserved, type Grid, type Series } from "../series.ts";
import { forecast, type Torus } from "../torus.ts";
import { rangeOf, type Subject, trainBefore } from "./subject.ts";

const DAY_SECONDS = 86_400;
const BUCKET_SECONDS = 1800;
const DAY = DAY_SECONDS / BUCKET_SECONDS;
const ORIGINS = 20;
/** A series must be six weeks long, or half of it teaches no weekly season; and be there for the most part. */
const MIN_DAYS = 42;
const MIN_PRESENT = 0.75;

export interface ForecastEntry {
  readonly series: string;
  readonly forecaster: string;
  readonly seed?: number;
  readonly mase: number;
  /** Coverage of the bands by their level in percent. */
  readonly coverage?: Readonly<Record<string, number>>;
  readonly trainSeconds?: number;
}

interface Task extends Grid {
  readonly half: number;
  readonly origins: readonly number[];
  /** Of the day-naive forecast over the first half. */
  readonly scale: number;
}

/** What is forecast of a series; undefined where it is too short, has too many gaps, or never changes. */
export function planForecast(
  series: Series,
  { bucketSeconds = BUCKET_SECONDS, minDays = MIN_DAYS } = {},
): Task | undefined {
  if (bucketSeconds % series.step !== 0) return undefined;
  const day = DAY_SECONDS / bucketSeconds;
  const grid = coarsen(series, bucketSeconds / series.step);
  const { values } = grid;
  const present = countObserved(grid) / values.length;
  if (values.length < minDays * day || present < MIN_PRESENT) return undefined;
  const half = values.length >> 1;
  const scale = seasonalScale(values.subarray(0, half), day);
  const origins = spreadOrigins({ from: half, to: values.length - day, count: ORIGINS });
  return scale === undefined ? undefined : { ...grid, half, origins, scale };
}

/** Simple forecasts, and the one of them that a backtest on the first half would choose. */
export function runForecastPeers(series: Series, task: Task): ForecastEntry[] {
  const { values, half, scale, origins } = task;
  const history: History = { values, day: DAY, trainTo: half };
  const errorOf = (forecaster: Forecaster) =>
    mase(
      origins.map((origin) => ({ predicted: forecaster(origin), observed: observedAt(task, origin) })),
      scale,
    )!;
  const entries = Object.entries(forecasters).map(([name, fit]) => ({
    series: series.name,
    forecaster: name,
    mase: errorOf(fit(history)),
  }));
  const chosen = entries.find(({ forecaster }) => forecaster === chooseByBacktest(history))!;
  return [...entries, { ...chosen, forecaster: "best simple by backtest" }];
}

/** Torus on one series and seed. */
export async function runForecast(torus: Torus, subject: Subject, task: Task): Promise<ForecastEntry> {
  const trained = await trainBefore(torus, subject, { purpose: "forecast", grid: task, trainTo: task.half });
  const forecasts: Forecast[] = [];
  const bands = new Map<string, Band[]>();
  for (const origin of task.origins) {
    const predicted = await forecast(torus, trained, rangeOf(task, origin, origin + DAY));
    const observed = observedAt(task, origin);
    forecasts.push({ predicted: predicted.values, observed });
    for (const [level, band] of Object.entries(predicted.bands))
      bands.set(level, [...(bands.get(level) ?? []), { ...band, observed }]);
  }
  const held = [...bands].map(([level, list]) => [level, coverage(list)!]);
  return {
    series: subject.series.name,
    forecaster: "Torus",
    seed: subject.seed,
    mase: mase(forecasts, task.scale)!,
    coverage: Object.fromEntries(held),
    trainSeconds: trained.seconds,
  };
}

function observedAt({ values }: Task, origin: number): Float64Array {
  return values.subarray(origin, origin + DAY);
}
