// Evaluation of a past range with a stored version, warmed up as live detection is.

import { bucketIntervalOf } from "../../core/model/bucket-interval.ts";
import type { Feature } from "../../core/model/feature.ts";
import { seriesKeyOf } from "../../core/model/fleet.ts";
import { alignRange, countPresent, type Grid, type Range, sliceGrid } from "../../core/series/grid.ts";
import type { Context, Evaluation } from "../../models/kind.ts";
import { fillDefault } from "../../models/series.ts";
import { noData, readFeatures } from "../../points/features.ts";
import type { HandlerDeps } from "../queue/handler.ts";
import type { PredictJob } from "../queue/input.ts";
import { loadTrained } from "./fleet/load-trained.ts";
import { showRecorded } from "./recorded-scores.ts";

/** Most intervals of the warm-up. */
const MAX_WARM_UP = 4000;

type RangeRequest = Pick<
  PredictJob,
  "model" | "settings" | "version" | "series" | "bucket" | "range" | "level" | "batch" | "showsLive"
>;

export interface EvaluatedRange {
  readonly evaluation: Evaluation;
  /** As long as the evaluation. */
  readonly observed: Grid;
  /** Aligned on the interval. */
  readonly range: Range;
  /** Stretches in which scores are those of live detection. */
  readonly recorded: readonly Range[];
}

/**
 * Evaluates a range.
 * @throws TorusError `no_data` if the range holds no points, `not_found` for a deleted version, `bucket_*`, `canceled`
 */
export async function evaluateRange(
  { store, kind, compute, openBucket }: Pick<HandlerDeps, "store" | "kind" | "compute" | "openBucket">,
  { model, settings, level, bucket, batch, series, ...request }: RangeRequest,
  { signal, onProgress }: Omit<Context, "compute">,
): Promise<EvaluatedRange> {
  const { features } = settings;
  const version = await loadTrained({ store, kind }, { model, version: request.version, series });
  const intervalMs = bucketIntervalOf(settings);
  const aligned = alignRange(request.range, intervalMs);
  const { fromAt, toAt } = aligned;
  const warmUp = warmUpOf({ fromAt, trainedToAt: version.toAt, intervalMs });
  const history = kind.historyOf(version) + warmUp;
  const range = { fromAt: fromAt - history * intervalMs, toAt };
  const grid = await readFeatures(openBucket, { features, bucket, range, intervalMs, series }, signal);
  assertData(grid, features, history);
  const warm = await kind.evaluate(
    version,
    { settings, grid, level, ranged: true, ...(batch && { batch }) },
    { compute, signal, onProgress },
  );
  const evaluation = dropStart(warm, warmUp);
  const observed = sliceGrid(grid, history, grid.length);
  const own = { evaluation, observed, range: aligned, recorded: [] };
  if (!request.showsLive) return own;
  const key = series && seriesKeyOf(settings.group_by ?? Object.keys(series), series);
  const shown = await showRecorded(store, {
    ...{ model, series: key, evaluation, observed },
    keepsBands: level !== undefined,
  });
  return { ...own, ...shown };
}

/**
 * Intervals to evaluate before the range, from the end of the training on as live detection does: scores depend on what
 * was learned since. Bounded, as is what detectors remember.
 */
function warmUpOf({ fromAt, trainedToAt, intervalMs }: WarmUpInput): number {
  const since = Math.floor((fromAt - trainedToAt) / intervalMs);
  return Math.max(0, Math.min(MAX_WARM_UP, since));
}

interface WarmUpInput {
  readonly fromAt: number;
  /** End of the training range, ms since the epoch. */
  readonly trainedToAt: number;
  readonly intervalMs: number;
}

function dropStart(evaluation: Evaluation, count: number): Evaluation {
  if (count === 0) return evaluation;
  const { grid, predicted, lower, upper, scores } = evaluation;
  const cut = (columns: Evaluation["predicted"]) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.subarray(count)]));
  return {
    ...evaluation,
    grid: sliceGrid(grid, count, grid.length),
    predicted: cut(predicted),
    lower: cut(lower),
    upper: cut(upper),
    scores: scores.slice(count),
  };
}

/** @param history intervals before the evaluated ones. @throws TorusError `no_data` if no feature has a value or `default` */
function assertData(grid: Grid, features: readonly Feature[], history: number): void {
  const isPresent = ({ name, default: fallback }: Feature) =>
    countPresent(fillDefault(grid.columns[name]!, fallback).subarray(history)) > 0;
  if (features.some(isPresent)) return;
  const { startAt, intervalMs, length } = grid;
  const range = { fromAt: startAt + history * intervalMs, toAt: startAt + length * intervalMs };
  throw noData(range, ": choose one that holds points");
}
