// Intervals of a model as samples: an interval's value is that of its end, when it was known.
import type { Bucket } from "../../buckets/kind.ts";
import { withParts } from "../../core/budget/budget.ts";
import { type SeriesTags, seriesKeyOf } from "../../core/model/fleet.ts";
import { bucketOf } from "../../core/model/model.ts";
import { longestOffset } from "../../core/model/offset.ts";
import { ceilTo, countIntervals, floorTo, type Range } from "../../core/series/grid.ts";
import type { FieldSamples } from "../../core/series/samples.ts";
import { toColumns } from "../../core/series/score-run.ts";
import type { StoredSettings } from "../../live/stored-settings.ts";
import { readFeatures } from "../../points/features.ts";
import type { Budget } from "../../promql/evaluate/budget.ts";
import type { Clock } from "../../runtime/clock.ts";
import { type EpisodeRow, listOwnEpisodes } from "../../store/anomalies/episodes.ts";
import { listScores } from "../../store/anomalies/scores.ts";
import type { Store } from "../../store/db/open.ts";
import type { ModelForecasts } from "./model-forecasts.ts";

export type ModelColumn = "observed" | "expected" | "lower" | "upper" | "score" | "anomaly" | "forecast";

interface ModelRead {
  readonly store: Store;
  readonly clock: Pick<Clock, "now">;
  readonly openBucket: (name: string) => Promise<Bucket>;
  readonly forecasts: ModelForecasts;
  readonly model: string;
  readonly generation: number;
  /** Name of the active version; absent: not trained. */
  readonly version?: string;
  readonly stored: StoredSettings;
  /** Of a fleet: the series. */
  readonly tags?: SeriesTags;
}

interface IntervalRequest {
  readonly feature: string;
  readonly column: ModelColumn;
  /** Of samples. */
  readonly range: Range;
  readonly budget: Budget;
  readonly signal: AbortSignal;
}

/** Samples of complete intervals, of forecasts those to come; without a value none. @throws PromqlError `execution`; TorusError `bucket_*` */
export async function readIntervals(read: ModelRead, request: IntervalRequest): Promise<FieldSamples> {
  const { intervalMs } = read.stored;
  const range = intervalsOf(request, { intervalMs, nowAt: read.clock.now() });
  const length = countIntervals(range, intervalMs);
  request.budget.take("samples", length);
  if (length === 0) return { times: new Float64Array(0), values: new Float64Array(0) };
  const column = await readColumn(read, { ...request, range });
  return toSamples(column, { firstAt: range.fromAt + intervalMs, intervalMs, fromAt: request.range.fromAt });
}

/** Intervals whose ends lie in the range of samples: up to now, of forecasts from now on. */
function intervalsOf(
  { range, column }: IntervalRequest,
  { intervalMs, nowAt }: { readonly intervalMs: number; readonly nowAt: number },
): Range {
  const isForecast = column === "forecast";
  const toAt = isForecast ? range.toAt : Math.min(range.toAt, nowAt + 1);
  const fromAt = ceilTo(range.fromAt, intervalMs) - intervalMs;
  // All forecasts start now, whatever part of them is asked for.
  return { fromAt: isForecast ? floorTo(nowAt, intervalMs) : fromAt, toAt: floorTo(toAt - 1, intervalMs) };
}

function readColumn(read: ModelRead, request: IntervalRequest): Promise<Float64Array> {
  if (request.column === "forecast") return readForecast(read, request);
  if (request.column === "observed") return readObserved(read, request);
  return request.column === "anomaly"
    ? readAnomaly(read, request)
    : readScores(read, request, request.column);
}

async function readObserved(
  { openBucket, stored, tags }: ModelRead,
  { feature, range, signal }: IntervalRequest,
): Promise<Float64Array> {
  const { settings, intervalMs } = stored;
  const asked = settings.features.filter(({ name }) => name === feature);
  const bucket = bucketOf(settings) ?? "";
  const length = countIntervals(range, intervalMs);
  const features = withParts(asked, settings.features);
  if (bucket === "" && features.some((one) => !one.bucket && !one.budget))
    return new Float64Array(length).fill(Number.NaN);
  const grid = await readFeatures(openBucket, { features, bucket, range, intervalMs, series: tags }, signal);
  return grid.columns[feature]!;
}

async function readForecast(
  read: ModelRead,
  { feature, range, signal }: IntervalRequest,
): Promise<Float64Array> {
  const columns = await read.forecasts.predict({ ...read, range }, signal);
  return (
    columns?.[feature] ?? new Float64Array(countIntervals(range, read.stored.intervalMs)).fill(Number.NaN)
  );
}

async function readScores(
  { store, model, stored, tags }: ModelRead,
  { feature, range }: IntervalRequest,
  column: "expected" | "lower" | "upper" | "score",
): Promise<Float64Array> {
  const { intervalMs, settings } = stored;
  const series = tags && seriesKeyOf(settings.group_by ?? [], tags);
  const runs = await listScores(store, { model, series, ...range, intervalMs });
  const length = countIntervals(range, intervalMs);
  return toColumns(runs, { feature, startAt: range.fromAt, intervalMs, length })[column];
}

/** 0 or 1 where a score is recorded. */
async function readAnomaly(read: ModelRead, request: IntervalRequest): Promise<Float64Array> {
  const { store, model, stored, tags } = read;
  const { intervalMs, settings } = stored;
  const { feature, range } = request;
  const scores = await readScores(read, request, "expected");
  const leadMs = longestOffset(settings) + intervalMs;
  const own = { model, leadMs, ...range, ...(tags && { series: tags }) };
  const episodes = (await listOwnEpisodes(store, own)).filter((episode) => concerns(episode, feature));
  return scores.map((score, i) => {
    if (Number.isNaN(score)) return score;
    const at = range.fromAt + i * intervalMs;
    return Number(episodes.some(({ startAt, endAt }) => startAt <= at && (endAt === null || at < endAt)));
  });
}

/** Whether the feature was part of it, at its start or at its peak. */
function concerns({ features, peak }: EpisodeRow, feature: string): boolean {
  return Object.hasOwn(features, feature) || Object.hasOwn(peak, feature);
}

/** @param fromAt start of the range of samples, ms since the epoch */
function toSamples(
  column: Float64Array,
  { firstAt, intervalMs, fromAt }: { firstAt: number; intervalMs: number; fromAt: number },
): FieldSamples {
  const isIn = (i: number) => firstAt + i * intervalMs >= fromAt;
  const known = column.keys().filter((i) => !Number.isNaN(column[i]!) && isIn(i));
  const kept = [...known];
  return {
    times: Float64Array.from(kept, (i) => firstAt + i * intervalMs),
    values: Float64Array.from(kept, (i) => column[i]!),
  };
}
