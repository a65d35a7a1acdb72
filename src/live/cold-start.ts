// Growth of a model that is learning: counts points before the first version, requests a training whenever they double.
import { TorusError } from "../core/errors.ts";
import { coldStartRange, FIRST_POINTS, pointsOfNext, startsUntrained } from "../core/model/cold-start.ts";
import type { ModelSettings } from "../core/model/model.ts";
import { alignRange, countPresent, type Grid, type Range, sliceGrid } from "../core/series/grid.ts";
import { fillDefault } from "../models/series.ts";
import { findExtent } from "../models/stats/extent.ts";
import type { OpenBucket } from "../points/features.ts";
import type { ModelRow } from "../store/models.ts";
import { readAnySeries, readsBySeries } from "./fleet/any-series.ts";
import { confidenceNow, trainedPoints } from "./learned.ts";
import type { Learning, LiveState } from "./state.ts";

/** Longest range that is counted where the points of all series come one by one. */
const MAX_INTERVALS_BY_SERIES = 10 * FIRST_POINTS;

interface CountInput {
  readonly settings: ModelSettings;
  readonly intervalMs: number;
  /** Of the evaluation. */
  readonly range: Range;
  readonly before: Learning | undefined;
}

export interface CountedPoints {
  readonly added: number;
  /** End of the newest interval that was observed, ms since the epoch; undefined where none was. */
  readonly newestAt: number | undefined;
}

/**
 * Counts the points of a model without a version: at first those of the whole training range, then those of each window.
 * @returns how many were added, of the feature with the fewest
 * @throws TorusError `not_found`, `bucket_*`
 */
export async function countPoints(
  open: OpenBucket,
  { settings, intervalMs, range, before }: CountInput,
  signal: AbortSignal,
): Promise<CountedPoints> {
  const { features } = settings;
  const mostMs = readsBySeries(settings) ? MAX_INTERVALS_BY_SERIES * intervalMs : Infinity;
  const lengthMs = Math.min(coldStartRange(intervalMs, features.length), mostMs);
  const whole = before ? range : alignRange({ fromAt: range.toAt - lengthMs, toAt: range.toAt }, intervalMs);
  const grid = await readAnySeries(open, { settings, range: whole, intervalMs }, signal);
  const extent = findExtent(grid, features);
  return {
    added: countUsable(grid, settings, (before?.points ?? 0) > 0),
    newestAt: extent && grid.startAt + extent.to * intervalMs,
  };
}

/** Intervals with a value or `default`; those before the first point of the series say nothing. */
function countUsable(grid: Grid, { features }: ModelSettings, hasBegun: boolean): number {
  const from = hasBegun ? 0 : findExtent(grid, features)?.from;
  if (from === undefined) return 0;
  const { columns } = sliceGrid(grid, from, grid.length);
  return Math.min(
    ...features.map(({ name, default: fallback }) => countPresent(fillDefault(columns[name]!, fallback))),
  );
}

interface GrowthInput {
  readonly settings: ModelSettings;
  readonly intervalMs: number;
  readonly version: ModelRow["version"];
  readonly nowAt: number;
  /** Points of the evaluation that no version has scored. */
  readonly added?: number;
  /** @throws TorusError `training_active`, `overloaded`, `not_found`, `invalid` */
  readonly train: (model: string, fromAt: number) => Promise<unknown>;
}

/** The state of a model that learns while it is live, with a training requested where it is due. */
export async function growState(state: LiveState, input: GrowthInput): Promise<LiveState> {
  const { learning: _, ...rest } = state;
  const learning = followLearning(state, input);
  return { ...rest, ...(learning && { learning: await trainIfDue(learning, input) }) } as LiveState;
}

/** What the model has learned and when it learns next; undefined where it starts with a training, or knows enough. */
function followLearning(
  { learned, learning }: LiveState,
  { settings, intervalMs, version, added = 0 }: GrowthInput,
): Learning | undefined {
  if (!startsUntrained(settings)) return undefined;
  const confidence = version ? confidenceNow(learned, { version, intervalMs }) : "learning";
  if (confidence === "good") return undefined;
  const points = ((version ? learned?.points : learning?.points) ?? 0) + added;
  const next = pointsOfNext(version ? trainedPoints(version, intervalMs) : 0);
  return { points, nextPoints: Math.max(learning?.nextPoints ?? 0, next) };
}

/** Submits a training where enough points are there; one that is refused is requested again at the next evaluation. */
async function trainIfDue(learning: Learning, request: GrowthInput): Promise<Learning> {
  const { points, nextPoints } = learning;
  if (points < nextPoints) return learning;
  const { settings, intervalMs, nowAt, train } = request;
  try {
    await train(settings.name, nowAt - coldStartRange(intervalMs, settings.features.length));
  } catch (error) {
    if (!(error instanceof TorusError)) throw error;
    // A training that runs has these points, or nearly.
    if (error.code !== "training_active") return learning;
  }
  return { points, nextPoints: pointsOfNext(points) };
}
