// Detections in and forecasts of a posted series: run within the request, or as jobs if they take long.
import type { DetectionView, SeriesForecastView } from "../../api/detection.ts";
import { localDayOf } from "../../core/calendar/wall-time.ts";
import { nextInstants } from "../../core/series/granularity.ts";
import { holidaysOf } from "../../core/time/holidays.ts";
import { DAY_MS } from "../../core/time/time.ts";
import { offsetsOf } from "../../core/time/timezone.ts";
import type { Timeline } from "../../models/detectors/timeline.ts";
import type { Context, ModelKind } from "../../models/kind.ts";
import { detectBatch } from "../../models/stateless/batch.ts";
import type { DetectInput } from "../../models/stateless/detection.ts";
import { detectLast, recentHistory } from "../../models/stateless/last.ts";
import { evaluateByNetwork, forecastByNetwork } from "../../models/stateless/network.ts";
import { predictSeries } from "../../models/stateless/predict.ts";
import type { Handler, HandlerContext, HandlerDeps } from "../queue/handler.ts";
import type { DetectJob, SeriesForecastJob } from "../queue/input.ts";
import { onLane } from "../workers/pool.ts";
import { viewEntire, viewForecast, viewLast } from "./detection-view.ts";

/** Trains a network on one series. */
interface Trainer {
  readonly kind: ModelKind;
  readonly context: Context;
}

/**
 * Detects anomalies in the series.
 * @param trainer required by the detector `ensemble`
 * @throws TorusError `canceled` or `deadline` if the signal is aborted, `worker_crashed`
 */
export async function runDetection(
  job: DetectJob,
  signal: AbortSignal,
  trainer?: Trainer,
): Promise<DetectionView> {
  const input: DetectInput = { ...job, column: columnOf(job) };
  const isEntire = job.mode === "entire";
  const network = await (trainer && job.detector === "ensemble"
    ? evaluateByNetwork(
        trainer.kind,
        { ...input, column: isEntire ? input.column : recentHistory(input), learnsLast: isEntire },
        trainer.context,
      )
    : undefined);
  const options = { ...input, network };
  const info = { period: job.period, missing: job.column.length - job.places.length };
  const places = Int32Array.from(job.places);
  return isEntire
    ? viewEntire(await detectBatch(options, signal), places, info)
    : viewLast(await detectLast(options, signal), places, info);
}

/**
 * Forecasts the series.
 * @param trainer required by the forecaster `donut`
 * @throws TorusError `canceled` or `deadline` if the signal is aborted, `worker_crashed`
 */
export async function runForecast(
  job: SeriesForecastJob,
  signal: AbortSignal,
  trainer?: Trainer,
): Promise<SeriesForecastView> {
  const { forecaster, step, lastAt, horizon, levels, period, missing } = job;
  const offsetAt = job.isDated ? undefined : offsetsOf(job.timezone);
  const timeline = timelineOfSeries(job, offsetAt);
  const months = step.kind === "months" ? step.months : undefined;
  const input = { ...job, column: columnOf(job), months, timeline };
  const forecast =
    trainer && forecaster === "donut"
      ? await forecastByNetwork(trainer.kind, input, trainer.context)
      : await predictSeries({ ...input, forecaster: forecaster === "donut" ? "auto" : forecaster }, signal);
  const instants = lastAt === undefined ? undefined : nextInstants(lastAt, step, horizon, offsetAt);
  const explain = job.explain ?? false;
  return viewForecast(forecast, { period, missing, levels: levels.slice(1), instants, explain });
}

/** Of points at most a day apart; undefined for others. */
function timelineOfSeries(
  { firstAt, step, timezone, holidays }: SeriesForecastJob,
  offsetAt: Timeline["offsetAt"],
): Timeline | undefined {
  if (firstAt === undefined || step.kind !== "fixed" || step.ms > DAY_MS) return undefined;
  const startAt = step.local && offsetAt ? noonOf(firstAt, offsetAt) : firstAt;
  const isHoliday = holidays && holidaysOf(holidays, timezone);
  return { startAt, intervalMs: step.ms, offsetAt, isHoliday };
}

/** Local noon: days of 24 hours counted from there stay on their day across clock changes. */
function noonOf(at: number, offsetAt: NonNullable<Timeline["offsetAt"]>): number {
  return (localDayOf(at, offsetAt) + 0.5) * DAY_MS - offsetAt(at);
}

function columnOf({ column }: Pick<DetectJob, "column">): Float64Array {
  return Float64Array.from(column, (value) => value ?? Number.NaN);
}

/** Makes the handler of detections in a series. It throws TorusError `canceled`, `worker_crashed`. */
export function seriesDetectionHandler(deps: HandlerDeps): Handler<"seriesDetection"> {
  return async ({ input }, context) => ({
    result: await runDetection(input, context.signal, trainerOf(deps, context)),
  });
}

/** Makes the handler of forecasts of a series. It throws TorusError `canceled`, `worker_crashed`. */
export function seriesForecastHandler(deps: HandlerDeps): Handler<"seriesForecast"> {
  return async ({ input }, context) => ({
    result: await runForecast(input, context.signal, trainerOf(deps, context)),
  });
}

function trainerOf(
  { quickTrainer: kind, compute }: HandlerDeps,
  { signal, onProgress }: HandlerContext,
): Trainer {
  return { kind, context: { compute: onLane(compute, "training"), signal, onProgress } };
}
