// Growth of forecast errors with the lead beyond a day, as a power fitted to a backtest over weeks.
import { yieldToEventLoop } from "../../runtime/steps.ts";
import { pickEvenly } from "../stats/indices.ts";
import { errorsOf } from "./combination.ts";
import { type ErrorBand, USUAL_GROWTH } from "./error-band.ts";
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
/** Weight of the usual growth: that of one forecast e days ahead. */
const PRIOR = 1;

interface GrowthInput {
  readonly series: Series;
  readonly trend: ForecastTrend | undefined;
}

/** Fits the growth; nothing where no member forecasts without the network, or the history is too short. */
export async function fitGrowth(
  members: readonly { readonly member: Member; readonly weight: number }[],
  { series, trend }: GrowthInput,
  signal: AbortSignal,
): Promise<Pick<ErrorBand, "growth">> {
  const simple = members.flatMap(({ member, weight }) =>
    member.method === "donut" ? [] : [{ member, weight }],
  );
  const recent = newest(series);
  const plan = planWeeks(recent);
  if (simple.length === 0 || !plan) return {};
  await yieldToEventLoop(signal);
  const runs = predictMembers(
    simple.map(({ member }) => member),
    recent,
    { targets: plan, trend },
  );
  const weights = simple.map(({ weight }) => weight);
  const forecasts = plan.origins.map((_, k) =>
    combine(
      runs.map((run) => run[k]!),
      weights,
    ),
  );
  const errors = errorsOf(recent.column, plan, forecasts);
  const growth = fitPower(plan, errors);
  return growth === undefined ? {} : { growth };
}

interface WeeksPlan extends Targets {
  /** Days ahead; ascending from 1. */
  readonly days: readonly number[];
  /** Days that origins and leads span. */
  readonly reach: number;
}

/** Leads of some points of each of the days ahead; undefined where the history is too short. */
function planWeeks({ column: { length }, intervalMs }: Series): WeeksPlan | undefined {
  const day = Math.round(dayOf(intervalMs));
  const first = Math.max(MIN_HISTORY.days * day, Math.floor(MIN_HISTORY.share * length));
  const reach = Math.floor((length - first) / day);
  const days = DAYS.filter((ahead) => ahead <= reach / MIN_REACH);
  if (days.length < 2) return undefined;
  const points = pickEvenly(day, MAX_POINTS);
  return {
    days,
    reach,
    origins: pickEvenly(length - first - day + 1, MAX_ORIGINS).map((k) => first + k),
    leads: days.flatMap((ahead) => points.map((k) => (ahead - 1) * day + k)),
  };
}

/** Slope through the first day of the logarithms of errors and days, weighted by forecasts without overlap. */
function fitPower({ days, reach }: WeeksPlan, errors: readonly Float64Array[]): number | undefined {
  const points = errors[0]!.length / days.length;
  const means = days.map((_, k) =>
    meanMagnitude(errors.flatMap((own) => Array.from(own.subarray(k * points, (k + 1) * points)))),
  );
  if (!(means[0]! > 0)) return undefined;
  let [product, square] = [PRIOR * USUAL_GROWTH, PRIOR];
  for (const [k, ahead] of days.entries()) {
    if (!(means[k]! > 0)) continue;
    const weight = reach / ahead;
    product += weight * Math.log(ahead) * Math.log(means[k]! / means[0]!);
    square += weight * Math.log(ahead) ** 2;
  }
  return Math.min(1, Math.max(0, product / square));
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
