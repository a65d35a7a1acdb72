// Watched forecasts as conditions: a breach begins at once and ends by two forecasts clearly without one; pure.
import { type FeatureSource, tagsOf } from "../../core/anomaly/event.ts";
import type { ErrorCode } from "../../core/errors.ts";
import type { ForecastWatch } from "../../core/model/watch-forecast.ts";
import type { Observation } from "./condition.ts";

/** Confidence of the band around the dates, percent. */
export const LEVEL = 80;
/** Forecasts reach this many times further than breaches are announced: only beyond that a breach is over. */
export const REACH = 1.25;
/** Forecasts in a row without a breach that end the condition. */
const MIN_CLEAR = 2;

/** When a forecast breaks its bound, ms since the epoch; absent: not within its reach. */
export interface BreachDates {
  readonly firstAt?: number;
  /** By the edges of the band. */
  readonly earliestAt?: number;
  readonly latestAt?: number;
}

/** JSON, part of the live state: the last forecast of a watch. */
export interface WatchedForecast extends BreachDates {
  /** ms since the epoch */
  readonly madeAt: number;
  /** Forecasts in a row without a breach. */
  readonly clear: number;
  /** Why the forecast failed; then the dates are those of the one before. */
  readonly error?: string;
  /** Of the error; absent in states of older servers. */
  readonly code?: ErrorCode;
}

/** Whether a forecast is due. @param last its instant, ms since the epoch */
export function isForecastDue(
  { everyMs }: ForecastWatch,
  last: WatchedForecast | undefined,
  nowAt: number,
): boolean {
  return last === undefined || nowAt - last.madeAt >= everyMs || last.madeAt > nowAt;
}

/** The watch after a forecast. */
export function followForecast(
  before: WatchedForecast | undefined,
  dates: BreachDates,
  madeAt: number,
): WatchedForecast {
  return { ...dates, madeAt, clear: dates.firstAt === undefined ? (before?.clear ?? 0) + 1 : 0 };
}

/** The watch after a forecast that failed. */
export function failForecast(
  before: WatchedForecast | undefined,
  { message, code }: { readonly message: string; readonly code: ErrorCode },
  madeAt: number,
): WatchedForecast {
  return { clear: 0, ...before, madeAt, error: message, code };
}

/** @param isActive whether the condition lasts; undefined where the last forecast failed, which shows nothing */
export function observeForecast(
  watch: ForecastWatch,
  { madeAt, clear, error, code: _, ...dates }: WatchedForecast,
  { isActive, sources }: { isActive: boolean; sources: Readonly<Record<string, FeatureSource>> },
): Observation | undefined {
  if (error !== undefined) return undefined;
  const { key, feature, type, threshold, withinMs } = watch;
  const isNear = dates.firstAt !== undefined && dates.firstAt - madeAt <= withinMs;
  const unit = sources[feature]?.unit;
  const forecast = {
    feature,
    type,
    threshold,
    ...(unit && { unit }),
    withinMs,
    madeAt,
    level: LEVEL,
    ...dates,
  };
  return {
    key,
    topic: "forecast",
    isActive: isNear || (isActive && clear < MIN_CLEAR),
    startedAt: madeAt,
    facts: { forecast, tags: tagsOf(sources), severity: "warning" },
  };
}
