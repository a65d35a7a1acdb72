// Requests for detections and forecasts without a stored model, checked and put into the form of their jobs.
import type { TObject } from "@sinclair/typebox";
import { invalid, TorusError } from "../../core/errors.ts";
import { coerceStrings } from "../../core/input/coerce.ts";
import { check, dropNulls } from "../../core/input/schema.ts";
import { nextInstants, type Step } from "../../core/series/granularity.ts";
import { countPresent, toNullable } from "../../core/series/grid.ts";
import { DAY_MS } from "../../core/time/time.ts";
import type { DetectJob, SeriesForecastJob } from "../../jobs/queue/input.ts";
import { historyOf } from "../../models/stateless/last.ts";
import { MIN_NETWORK_POINTS } from "../../models/stateless/network.ts";
import { detectPeriod } from "../../models/stats/period.ts";
import type { Clock } from "../../runtime/clock.ts";
import { yieldToEventLoop } from "../../runtime/steps.ts";
import { parseLevel, parseLevels } from "../models/params.ts";
import type { Limits } from "../shared/range.ts";
import { type PlacedSeries, parseSeries, type SeriesOptions } from "./series-body.ts";
import { DetectOptions, PredictOptions } from "./series-request.ts";

const DEFAULT_SENSITIVITY = 95;
const DEFAULT_MAX_RATIO = 0.25;
const DEFAULT_HORIZON = 24;
/** Newest intervals that the period is looked for in. */
const PERIOD_HISTORY = 16_384;
/** Dates have four digits for the year. */
const LAST_AT = Date.UTC(10_000, 0, 1);
const DAYS_OF_WEEK = 7;
/** A week is looked for where it is there so many times. */
const MIN_WEEKS = 3;

export interface PlanDeps {
  readonly limits: Pick<Limits, "pointsPerSeries" | "valuesPerForecast">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * A detection in the points of the body.
 * @throws TorusError `invalid`, `too_little_data`, `too_large`; `canceled` where the signal is aborted
 */
export async function planDetection(body: unknown, deps: PlanDeps, signal: AbortSignal): Promise<DetectJob> {
  const options = readOptions(DetectOptions, body);
  const { detector = "companions", mode = "entire", anomaly_type: anomalyType = "low_high" } = options;
  const series = placeSeries(body, options, deps);
  await yieldToEventLoop(signal);
  const { column } = series;
  const period = periodOf(series, options.period);
  const longerPeriod = options.period === undefined ? weekOf(series, period) : undefined;
  if (detector === "ensemble")
    refuseFew(mode === "last" ? historyOf({ column, period }) : column, "detector");
  return {
    column: toNullable(column),
    places: Array.from(series.places),
    period,
    ...(longerPeriod !== undefined && { longerPeriod }),
    mode,
    detector,
    sensitivity: options.sensitivity ?? DEFAULT_SENSITIVITY,
    maxAnomalyRatio: options.maxAnomalyRatio ?? DEFAULT_MAX_RATIO,
    anomalyType,
  };
}

/**
 * A forecast of what follows the points of the body.
 * @throws as `planDetection`
 */
export async function planForecast(
  body: unknown,
  deps: PlanDeps,
  signal: AbortSignal,
): Promise<SeriesForecastJob> {
  const options = readOptions(PredictOptions, body);
  const { forecaster = "auto" } = options;
  const levels = [parseLevel(options), ...parseLevels(options)];
  const series = placeSeries(body, options, deps);
  await yieldToEventLoop(signal);
  const period = periodOf(series, options.period);
  const most = Math.floor(deps.limits.valuesPerForecast / levels.length);
  const horizon = options.horizon ?? Math.min(period || DEFAULT_HORIZON, most);
  if (horizon > most) throw invalid("horizon", `must be at most ${most}, with ${levels.length} levels`);
  const { column, step, lastAt, missing } = series;
  if (lastAt !== undefined) refuseFar(lastAt, step, horizon);
  if (forecaster === "donut") refuseFew(column, "forecaster");
  const intervalMs = intervalOf(series);
  return {
    column: toNullable(column),
    missing,
    period,
    ...(intervalMs !== undefined && { intervalMs }),
    horizon,
    levels,
    forecaster,
    step,
    ...(lastAt !== undefined && { lastAt }),
  };
}

function placeSeries(
  body: unknown,
  options: SeriesOptions,
  { limits, clock }: PlanDeps,
): PlacedSeries & { readonly missing: number } {
  const { series } = body as { series?: unknown };
  const placed = parseSeries(series, options, { cap: limits.pointsPerSeries, nowAt: clock.now() });
  return { ...placed, missing: placed.column.length - placed.places.length };
}

/** @throws TorusError `invalid` where the forecast reaches beyond all dates */
function refuseFar(lastAt: number, step: Step, horizon: number): void {
  const far: Step = step.kind === "months" ? { ...step, months: horizon * step.months } : step;
  const endAt = far.kind === "fixed" ? lastAt + horizon * far.ms : nextInstants(lastAt, far, 1)?.[0];
  // Beyond what a date can be, an instant is no number.
  if (endAt === undefined || endAt < LAST_AT) return;
  throw invalid("horizon", "reaches beyond the year 9999: ask for fewer points");
}

/** @param option that asks for a network @throws TorusError `too_little_data` */
function refuseFew(column: Float64Array, option: string): void {
  const found = countPresent(column);
  if (found >= MIN_NETWORK_POINTS) return;
  throw new TorusError(
    "too_little_data",
    `series: has ${found} points that a network could learn from, at least ${MIN_NETWORK_POINTS} are needed: send more, or leave ${option} out`,
    { path: "series", found, needed: MIN_NETWORK_POINTS },
  );
}

/** What stands beside `series`; null means not given, as some clients write it. */
function readOptions<S extends TObject>(schema: S, body: unknown) {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw invalid("body", "must be a JSON object with the points in series");
  const { series: _series, ...options } = body as Record<string, unknown>;
  return check(schema, coerceStrings(schema, dropNulls(schema, options)));
}

/** @param given by the client, in intervals */
function periodOf(series: PlacedSeries, given: number | undefined): number {
  const { column } = series;
  if (given === undefined)
    return detectPeriod(column.slice(-PERIOD_HISTORY), { intervalMs: intervalOf(series) }).period;
  if (given === 1)
    throw invalid("period", "must be 0, for a series that does not repeat itself, or at least 2");
  if (2 * given > column.length) {
    const half = Math.floor(column.length / 2);
    throw invalid(
      "period",
      `must be at most ${half}, half of the ${column.length} intervals: send more points`,
    );
  }
  return given;
}

/** A week beside a period of a day. */
function weekOf(series: PlacedSeries, period: number): number | undefined {
  const intervalMs = intervalOf(series);
  const week = DAYS_OF_WEEK * period;
  const isDay = intervalMs !== undefined && period * intervalMs === DAY_MS;
  return isDay && MIN_WEEKS * week <= series.column.length ? week : undefined;
}

function intervalOf({ step }: PlacedSeries): number | undefined {
  return step.kind === "fixed" ? step.ms : undefined;
}
