// Plans of detections and forecasts of a posted series: the checked body becomes the input of a job.
import type { Static, TObject } from "@sinclair/typebox";
import { invalid, TorusError } from "../../core/errors.ts";
import { coerceStrings } from "../../core/input/coerce.ts";
import { check, dropNulls } from "../../core/input/schema.ts";
import { checkLimits } from "../../core/model/feature.ts";
import { describeStep, instantAfter, type Step } from "../../core/series/granularity.ts";
import { countPresent, toNullable } from "../../core/series/grid.ts";
import { checkHolidays, type Holidays } from "../../core/time/holidays.ts";
import { DAY_MS } from "../../core/time/time.ts";
import type { DetectJob, SeriesForecastJob } from "../../jobs/queue/input.ts";
import { recentHistory } from "../../models/stateless/last.ts";
import { MIN_NETWORK_POINTS } from "../../models/stateless/network.ts";
import type { Clock } from "../../runtime/clock.ts";
import { yieldToEventLoop } from "../../runtime/steps.ts";
import { parseLevel, parseLevels } from "../models/params.ts";
import type { Limits } from "../shared/range.ts";
import { extraOf, intervalOf, periodOf, seasonsOf } from "./seasons.ts";
import { type PlacedSeries, parseSeries, type SeriesOptions } from "./series-body.ts";
import { DetectOptions, MIN_POINTS, PredictOptions } from "./series-request.ts";

const DEFAULT_SENSITIVITY = 95;
const DEFAULT_MAX_RATIO = 0.25;
const DEFAULT_HORIZON = 24;
/** Years have four digits; ms since the epoch. */
const MAX_DATE = Date.UTC(10_000, 0, 1);

export interface PlanDeps {
  readonly limits: Pick<Limits, "pointsPerSeries" | "valuesPerForecast">;
  readonly clock: Pick<Clock, "now">;
}

/**
 * A detection in the points of the body.
 * @throws TorusError `invalid`, `too_little_data`, `too_large`, `canceled`
 */
export async function planDetection(body: unknown, deps: PlanDeps, signal: AbortSignal): Promise<DetectJob> {
  const options = parseOptions(DetectOptions, body);
  const series = placeSeries(body, options, { ...deps, least: MIN_POINTS.detection });
  await yieldToEventLoop(signal);
  return planPlaced(series, options);
}

/** A detection in points on a grid. @throws TorusError `invalid`, `too_little_data` */
export function planPlaced(series: PlacedSeries, options: Static<typeof DetectOptions>): DetectJob {
  const { detector = "companions", mode = "entire", anomaly_type: anomalyType = "low_high" } = options;
  const { column } = series;
  const { period, week, extra } = seasonsOf(series, options.period);
  const intervalMs = intervalOf(series);
  if (detector === "ensemble")
    assertNetworkPoints(mode === "last" ? recentHistory({ column, period }) : column, "detector");
  return {
    column: toNullable(column),
    places: Array.from(series.places),
    period,
    ...(week !== undefined && { week }),
    ...(intervalMs !== undefined && { day: DAY_MS / intervalMs }),
    ...(extra !== undefined && { extra }),
    mode,
    detector,
    sensitivity: options.sensitivity ?? DEFAULT_SENSITIVITY,
    maxAnomalyRatio: options.maxAnomalyRatio ?? DEFAULT_MAX_RATIO,
    anomalyType,
  };
}

/**
 * A forecast from the points of the body.
 * @throws TorusError `invalid`, `too_little_data`, `too_large`, `canceled`
 */
export async function planForecast(
  body: unknown,
  deps: PlanDeps,
  signal: AbortSignal,
): Promise<SeriesForecastJob> {
  const options = parseOptions(PredictOptions, body);
  const { forecaster = "auto" } = options;
  const levels = [parseLevel(options), ...parseLevels(options)];
  const series = placeSeries(body, options, { ...deps, least: MIN_POINTS.forecast });
  await yieldToEventLoop(signal);
  const period = periodOf(series, options.period);
  const maxHorizon = Math.floor(deps.limits.valuesPerForecast / levels.length);
  const horizon = options.horizon ?? Math.min(period || DEFAULT_HORIZON, maxHorizon);
  if (horizon > maxHorizon)
    throw invalid("horizon", `must be at most ${maxHorizon}, with ${levels.length} levels`);
  const { column, step, firstAt, lastAt, isDated, missing } = series;
  const { timezone, holidays } = options;
  const limits = limitsOf(options);
  if (holidays) assertHolidays(holidays, series, forecaster);
  if (lastAt !== undefined) assertHorizon(lastAt, step, horizon);
  if (forecaster === "donut") assertNetworkPoints(column, "forecaster");
  const intervalMs = intervalOf(series);
  const extra = options.period === undefined ? extraOf(series) : undefined;
  return {
    column: toNullable(column),
    missing,
    period,
    ...(extra !== undefined && { extra }),
    ...(intervalMs !== undefined && { intervalMs }),
    horizon,
    levels,
    forecaster,
    step,
    ...(firstAt !== undefined && lastAt !== undefined && { firstAt, lastAt }),
    ...(isDated && { isDated }),
    ...(timezone !== undefined && { timezone }),
    ...(holidays && { holidays }),
    ...(limits && { limits }),
    ...(options.explain && { explain: true }),
  };
}

/** @throws TorusError `invalid` for holidays that are not known, or that the points cannot show */
function assertHolidays(holidays: Holidays, { step }: PlacedSeries, forecaster: string): void {
  if (holidays.calendar !== undefined)
    throw invalid("holidays.calendar", "is for models: give the text of the calendar in holidays.ical");
  checkHolidays(holidays, "holidays");
  if (forecaster === "donut") throw invalid("holidays", "have no effect on forecaster donut: leave one out");
  if (step.kind === "fixed" && step.ms <= DAY_MS) return;
  const found = step.kind === "even" ? "are evenly spaced" : `are ${describeStep(step)} apart`;
  const way = step.kind === "workdays" ? "give the granularity daily" : "leave them out";
  throw invalid("holidays", `need points with timestamps at most a day apart; these ${found}: ${way}`);
}

/** @throws TorusError `invalid` where no value is possible */
function limitsOf({ min, max }: Static<typeof PredictOptions>): SeriesForecastJob["limits"] {
  if (min === undefined && max === undefined) return undefined;
  const limits = { ...(min !== undefined && { min }), ...(max !== undefined && { max }) };
  checkLimits(limits, "min");
  return limits;
}

function placeSeries(
  body: unknown,
  options: SeriesOptions,
  { limits, clock, least }: PlanDeps & { readonly least: number },
): PlacedSeries & { readonly missing: number } {
  const { series } = body as { series?: unknown };
  const placed = parseSeries(series, options, {
    cap: limits.pointsPerSeries,
    least,
    nowAt: clock.now(),
  });
  return { ...placed, missing: placed.column.length - placed.places.length };
}

/** @throws TorusError `invalid` if the forecast ends after the year 9999 */
function assertHorizon(lastAt: number, step: Step, horizon: number): void {
  const endAt = step.kind === "even" ? undefined : instantAfter(lastAt, step, { count: horizon });
  // Outside the range of dates endAt is NaN, which the comparison does not accept.
  if (endAt === undefined || endAt < MAX_DATE) return;
  throw invalid("horizon", "reaches beyond the year 9999: ask for fewer points");
}

/** @param option parameter that selects the network. @throws TorusError `too_little_data` */
function assertNetworkPoints(column: Float64Array, option: string): void {
  const found = countPresent(column);
  if (found >= MIN_NETWORK_POINTS) return;
  throw new TorusError(
    "too_little_data",
    `series: has ${found} points that a network could learn from, at least ${MIN_NETWORK_POINTS} are needed: send more, or leave ${option} out`,
    { path: "series", found, needed: MIN_NETWORK_POINTS },
  );
}

/** The body without `series`; null means absent, as some clients send it. */
function parseOptions<S extends TObject>(schema: S, body: unknown) {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw invalid("body", "must be a JSON object with the points in series");
  const { series: _series, ...options } = body as Record<string, unknown>;
  return check(schema, coerceStrings(schema, dropNulls(schema, options)));
}
