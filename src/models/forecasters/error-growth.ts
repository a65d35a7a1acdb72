// Growth of the squared forecast errors with the days ahead, from a backtest over weeks.
import { pickEvenly } from "../stats/indices.ts";
import { errorsOf } from "./combination.ts";
import type { ErrorBand } from "./error-band.ts";
import { localTimeOf, type Series } from "./local-time.ts";
import { historyLength, type Member, type Targets } from "./members.ts";
import { dayOf, type ForecastTrend } from "./trend.ts";
import { predictMembers } from "./trended.ts";
import { combine } from "./weights.ts";

/** Days ahead at which errors are compared with those of the first. */
const DAYS = [1, 2, 3, 5, 7, 10, 14, 21, 28, 42, 56];
/** Least history before an origin, in days and as a share of all. */
const MIN_HISTORY = { days: 14, share: 1 / 3 };
const MAX_ORIGINS = 24;
/** Compared points of a day. */
const MAX_POINTS = 8;
/** Least number of forecasts without overlap, of which a day ahead is measured. */
const MIN_REACH = 1.5;
/** Growth without evidence, its weight in forecasts without overlap, and the most: that of a trend not followed. */
const USUAL_GROWTH = 0.03;
const PRIOR = 1;
const MAX_GROWTH = 30;

interface GrowthInput {
  readonly series: Series;
  readonly trend: ForecastTrend | undefined;
  /** Intervals that the band measures itself. */
  readonly horizon: number;
  /** Most origins of the backtest. */
  readonly origins?: number | undefined;
}

/** Fits the growth; nothing where no member forecasts without the network, or the history is too short. */
export async function fitGrowth(
  members: readonly { readonly member: Member; readonly weight: number }[],
  { series, trend, horizon, origins }: GrowthInput,
  signal: AbortSignal,
): Promise<Pick<ErrorBand, "growth">> {
  const simple = members.flatMap(({ member, weight }) =>
    member.method === "donut" ? [] : [{ member, weight }],
  );
  const recent = newest(series);
  const plan = planWeeks(recent, origins);
  if (simple.length === 0 || !plan) return {};
  const runs = await predictMembers(
    simple.map(({ member }) => member),
    recent,
    { targets: plan, trend },
    signal,
  );
  const weights = simple.map(({ weight }) => weight);
  const forecasts = plan.origins.map((_, k) =>
    combine(
      runs.map((run) => run[k]!),
      weights,
    ),
  );
  const errors = errorsOf(recent.column, plan, forecasts);
  const daily = fitVariance(plan, errors);
  const days = Math.max(1, horizon / dayOf(series.intervalMs));
  return daily === undefined ? {} : { growth: (daily * days) / (1 + daily * (days - 1)) };
}

interface WeeksPlan extends Targets {
  /** Days ahead; ascending from 1. */
  readonly days: readonly number[];
  /** Days that origins and leads span. */
  readonly reach: number;
}

/** Leads of some points of each of the days ahead; undefined where the history is too short. */
function planWeeks({ column: { length }, intervalMs }: Series, most = MAX_ORIGINS): WeeksPlan | undefined {
  const day = Math.round(dayOf(intervalMs));
  const first = Math.max(MIN_HISTORY.days * day, Math.floor(MIN_HISTORY.share * length));
  const reach = Math.floor((length - first) / day);
  const days = DAYS.filter((ahead) => ahead <= reach / MIN_REACH);
  if (days.length < 2) return undefined;
  const points = pickEvenly(day, MAX_POINTS);
  return {
    days,
    reach,
    origins: pickEvenly(length - first - day + 1, most).map((k) => first + k),
    leads: days.flatMap((ahead) => points.map((k) => (ahead - 1) * day + k)),
  };
}

/** Mean growth of the squared errors per day, in those of the first, weighted by forecasts without overlap. */
function fitVariance({ days, reach }: WeeksPlan, errors: readonly Float64Array[]): number | undefined {
  const points = errors[0]!.length / days.length;
  const means = days.map((_, k) =>
    meanMagnitude(errors.flatMap((own) => Array.from(own.subarray(k * points, (k + 1) * points)))),
  );
  if (!(means[0]! > 0)) return undefined;
  let [sum, total] = [PRIOR * USUAL_GROWTH, PRIOR];
  for (const [k, ahead] of days.entries()) {
    if (k === 0 || !(means[k]! > 0)) continue;
    // The first day is measured, too: its error counts the less, the further ahead.
    const weight = (reach / ahead) * (1 - 1 / ahead) ** 2;
    sum += (weight * ((means[k]! / means[0]!) ** 2 - 1)) / (ahead - 1);
    total += weight;
  }
  return Math.min(MAX_GROWTH, Math.max(0, sum / total));
}

/** The end of the series, by local time. */
function newest({ intervalMs, ...series }: Series): Series {
  const { column } = localTimeOf({ intervalMs, ...series });
  return { column: column.subarray(-2 * historyLength(intervalMs)), intervalMs };
}

function meanMagnitude(values: readonly number[]): number {
  const present = values.filter(Number.isFinite);
  return present.reduce((sum, value) => sum + Math.abs(value), 0) / present.length;
}
