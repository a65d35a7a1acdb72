// Detections and forecasts without a stored model: points in, answer out; what takes long is a job.
import type { TObject } from "@sinclair/typebox";
import type { DetectionView, SeriesForecastView } from "../api/detection.ts";
import { invalid, TorusError } from "../core/errors.ts";
import { nextInstants, type Step } from "../core/granularity.ts";
import { countPresent, toNullable } from "../core/grid.ts";
import { check, dropNulls } from "../core/schema.ts";
import { readWords } from "../core/words.ts";
import type { Clock } from "../jobs/clock.ts";
import type { DetectJob, SeriesForecastJob } from "../jobs/input.ts";
import type { Queue, Submission } from "../jobs/queue.ts";
import { runDetection, runForecast } from "../jobs/series.ts";
import { detectPeriod } from "../models/period.ts";
import { historyOf } from "../models/stateless/last.ts";
import { MIN_NETWORK_POINTS } from "../models/stateless/network.ts";
import { nextTurn } from "../models/turns.ts";
import type { Limits } from "./limits.ts";
import { type PlacedSeries, parseSeries, type SeriesOptions } from "./series-body.ts";
import { DetectOptions, PredictOptions } from "./series-request.ts";
import { parseLevel, parseLevels } from "./wishes.ts";

/** Intervals that take a second or so; more are a job's work: few of them run side by side. */
const MAX_AT_ONCE = 20_000;
const DEFAULT_SENSITIVITY = 95;
const DEFAULT_MAX_RATIO = 0.25;
const DEFAULT_HORIZON = 24;
/** Newest intervals that the period is looked for in. */
const PERIOD_HISTORY = 16_384;
/** Dates have four digits for the year. */
const LAST_AT = Date.UTC(10_000, 0, 1);
const DAY_MS = 86_400_000;
const DAYS_OF_WEEK = 7;
/** A week is looked for where it is there so many times. */
const MIN_WEEKS = 3;

export interface DetectionDeps {
  readonly limits: Limits;
  readonly clock: Pick<Clock, "now">;
  readonly queue: Pick<Queue, "submit">;
}

/** The answer where it is there at once, or the job that works on it. */
export type Work<T> = { readonly answer: T } | { readonly jobId: string };

export interface Asker {
  /** A job is wanted, however little there is to do. */
  readonly background?: boolean;
  readonly signal: AbortSignal;
}

export class Detections {
  constructor(private readonly deps: DetectionDeps) {}

  /**
   * Looks for anomalies in the points of the body.
   * @throws TorusError `invalid`, `too_little_data`, `too_large`, `overloaded`; `canceled` where the signal is aborted
   */
  async detect(body: unknown, { background, signal }: Asker): Promise<Work<DetectionView>> {
    const options = readOptions(DetectOptions, body);
    const { detector = "companions", mode = "entire", anomaly_type: anomalyType = "low_high" } = options;
    const series = this.parseSeries(body, options);
    await nextTurn(signal);
    const { column } = series;
    const period = periodOf(series, options.period);
    const longerPeriod = options.period === undefined ? weekOf(series, period) : undefined;
    const isNetworkAsked = detector === "ensemble";
    if (isNetworkAsked) refuseFew(mode === "last" ? historyOf({ column, period }) : column, "detector");
    const input: DetectJob = {
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
    if (background || isNetworkAsked || column.length > MAX_AT_ONCE)
      return this.submit({ type: "prediction", model: null, input, foreground: !background });
    return { answer: await runDetection(input, signal) };
  }

  /**
   * Predicts what follows the points of the body.
   * @throws TorusError `invalid`, `too_little_data`, `too_large`, `overloaded`; `canceled` where the signal is aborted
   */
  async predict(body: unknown, { background, signal }: Asker): Promise<Work<SeriesForecastView>> {
    const options = readOptions(PredictOptions, body);
    const { forecaster = "auto" } = options;
    const levels = [parseLevel(options), ...parseLevels(options)];
    const series = this.parseSeries(body, options);
    await nextTurn(signal);
    const period = periodOf(series, options.period);
    const most = Math.floor(this.deps.limits.valuesPerForecast / levels.length);
    const horizon = options.horizon ?? Math.min(period || DEFAULT_HORIZON, most);
    if (horizon > most) throw invalid("horizon", `must be at most ${most}, with ${levels.length} levels`);
    const { column, step, lastAt, missing } = series;
    if (lastAt !== undefined) refuseFar(lastAt, step, horizon);
    const isNetworkAsked = forecaster === "donut";
    if (isNetworkAsked) refuseFew(column, "forecaster");
    const intervalMs = intervalOf(series);
    const input: SeriesForecastJob = {
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
    if (background || isNetworkAsked || column.length > MAX_AT_ONCE)
      return this.submit({ type: "forecast", model: null, input, foreground: !background });
    return { answer: await runForecast(input, signal) };
  }

  private async submit(submission: Submission): Promise<{ jobId: string }> {
    const [jobId] = await this.deps.queue.submit(submission);
    return { jobId: jobId! };
  }

  private parseSeries(body: unknown, options: SeriesOptions): PlacedSeries & { readonly missing: number } {
    const { limits, clock } = this.deps;
    const { series } = body as { series?: unknown };
    const placed = parseSeries(series, options, { cap: limits.pointsPerSeries, nowAt: clock.now() });
    return { ...placed, missing: placed.column.length - placed.places.length };
  }
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
  return check(schema, readWords(schema, dropNulls(schema, options)));
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

/** Detections and forecasts of what a request brings along. */
export function createDetections(deps: DetectionDeps): Detections {
  return new Detections(deps);
}
