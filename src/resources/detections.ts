// Detections and forecasts without a stored model: points in, answer out, nothing is kept.
import type { TObject } from "@sinclair/typebox";
import { invalid } from "../core/errors.ts";
import { nextInstants } from "../core/granularity.ts";
import { check, dropNulls } from "../core/schema.ts";
import type { Clock } from "../jobs/clock.ts";
import { nextTurn } from "../models/forecast/turn.ts";
import { detectPeriod } from "../models/period.ts";
import { detectEntire } from "../models/stateless/entire.ts";
import type { DetectInput } from "../models/stateless/kind.ts";
import { detectLast } from "../models/stateless/last.ts";
import { predictSeries } from "../models/stateless/predict.ts";
import {
  type DetectionView,
  type ForecastView,
  viewEntire,
  viewForecast,
  viewLast,
} from "./detection-view.ts";
import type { Limits } from "./limits.ts";
import { type PlacedSeries, parseSeries, type SeriesOptions } from "./series-body.ts";
import { DetectOptions, PredictOptions } from "./series-request.ts";
import { parseLevel, parseLevels } from "./wishes.ts";

const DEFAULT_SENSITIVITY = 95;
const DEFAULT_MAX_RATIO = 0.25;
const DEFAULT_HORIZON = 24;
/** Newest intervals that the period is looked for in. */
const PERIOD_HISTORY = 16_384;
const DAY_MS = 86_400_000;
const DAYS_OF_WEEK = 7;
/** A week is looked for where it is there so many times. */
const MIN_WEEKS = 3;

export interface DetectionDeps {
  readonly limits: Limits;
  readonly clock: Pick<Clock, "now">;
}

export class Detections {
  constructor(private readonly deps: DetectionDeps) {}

  /**
   * Looks for anomalies in the points of the body.
   * @throws TorusError `invalid`, `too_little_data`, `too_large`; `canceled` where the signal is aborted
   */
  async detect(body: unknown, signal: AbortSignal): Promise<DetectionView> {
    const options = readOptions(DetectOptions, body);
    const series = this.parseSeries(body, options);
    await nextTurn(signal);
    const period = periodOf(series, options.period);
    const input: DetectInput = {
      column: series.column,
      period,
      longerPeriod: options.period === undefined ? weekOf(series, period) : undefined,
      sensitivity: options.sensitivity ?? DEFAULT_SENSITIVITY,
      maxAnomalyRatio: options.maxAnomalyRatio ?? DEFAULT_MAX_RATIO,
      anomalyType: options.anomaly_type ?? "low_high",
    };
    const about = { period, missing: series.missing };
    if (options.mode === "last") return viewLast(await detectLast(input, signal), about);
    return viewEntire(await detectEntire(input, signal), series.places, about);
  }

  /**
   * Predicts what follows the points of the body.
   * @throws TorusError `invalid`, `too_little_data`, `too_large`; `canceled` where the signal is aborted
   */
  async predict(body: unknown, signal: AbortSignal): Promise<ForecastView> {
    const options = readOptions(PredictOptions, body);
    const levels = [parseLevel(options), ...parseLevels(options)];
    const series = this.parseSeries(body, options);
    await nextTurn(signal);
    const period = periodOf(series, options.period);
    const horizon = options.horizon ?? (period || DEFAULT_HORIZON);
    const most = Math.floor(this.deps.limits.valuesPerForecast / levels.length);
    if (horizon > most) throw invalid("horizon", `must be at most ${most}, with ${levels.length} levels`);
    const { column, step, lastAt } = series;
    const forecast = await predictSeries(
      {
        column,
        period,
        intervalMs: intervalOf(series),
        horizon,
        levels,
        forecaster: options.forecaster ?? "auto",
      },
      signal,
    );
    const instants = lastAt === undefined ? undefined : nextInstants(lastAt, step, horizon);
    return viewForecast(forecast, { period, missing: series.missing, levels: levels.slice(1), instants });
  }

  private parseSeries(body: unknown, options: SeriesOptions): PlacedSeries & { readonly missing: number } {
    const { limits, clock } = this.deps;
    const { series } = body as { series?: unknown };
    const placed = parseSeries(series, options, { cap: limits.pointsPerSeries, nowAt: clock.now() });
    return { ...placed, missing: placed.column.length - placed.places.length };
  }
}

/** What stands beside `series`; null means not given, as some clients write it. */
function readOptions<S extends TObject>(schema: S, body: unknown) {
  if (typeof body !== "object" || body === null || Array.isArray(body))
    throw invalid("body", "must be a JSON object with the points in series");
  const { series: _series, ...options } = body as Record<string, unknown>;
  return check(schema, dropNulls(schema, options));
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
