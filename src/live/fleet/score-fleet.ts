// Scores of a fleet's window: one grouped read, then each series by itself; the failure of one does not concern others.

import { TorusError } from "../../core/errors.ts";
import { type FleetRules, MAX_SERIES, type SeriesTags, seriesKeyOf } from "../../core/model/fleet.ts";
import { bucketOf, type ModelSettings } from "../../core/model/model.ts";
import { countPresent, type Grid, type Range, sliceGrid } from "../../core/series/grid.ts";
import { fillDefault } from "../../models/series.ts";
import { countMostObserved, findExtent } from "../../models/stats/extent.ts";
import { emptyFeatures, readFeatureGroups } from "../../points/features.ts";
import { mapConcurrently } from "../../runtime/concurrent.ts";
import { assertComplete, type ScoreDeps, type ScoredWindow, scoreGrid } from "../score-window.ts";
import {
  type FittedSeries,
  type FleetSeries,
  type LiveFleet,
  newSeries,
  type PackedMemory,
  packMemory,
  unpackMemory,
} from "./live-fleet.ts";

/** Series evaluated at a time: the worker never waits for the next. */
const CONCURRENCY = 8;

interface FleetWindow {
  readonly settings: ModelSettings;
  readonly rules: FleetRules;
  readonly range: Range;
  readonly intervalMs: number;
  readonly nowAt: number;
  /** See `EvaluateInput`, by the tags of a series. */
  readonly changesOf: (series: SeriesTags) => readonly number[];
}

/** A series of a window. */
export interface SeriesWindow {
  readonly series: FleetSeries;
  /** Absent: it is not fitted yet, has no values in the window, or its evaluation failed. */
  readonly scored?: ScoredWindow;
  /** After the window; absent: as before. */
  readonly memory?: PackedMemory;
  /** Its settled fit, see `FittedSeries`; absent: as before. */
  readonly fit?: FittedSeries;
  /** End of the newest interval with points in the window or its history, ms since the epoch. */
  readonly newestAt: number | undefined;
  /** Intervals with points: of the window, at first those of its history, too. */
  readonly points: number;
  /** Why it was not scored although it should have been. */
  readonly error?: TorusError;
}

export interface ScoredFleet {
  readonly windows: readonly SeriesWindow[];
  /** Series with points that are not watched, because there are `max_series` already. */
  readonly unwatched: number;
}

type Deps = ScoreDeps & { readonly onError: (error: unknown, model: string | null) => void };

/**
 * Reads and scores a window of all series.
 * @throws TorusError `not_supported`, `not_found`, `bucket_*`, `canceled`
 */
export async function scoreFleet(
  deps: Deps,
  fleet: LiveFleet,
  window: FleetWindow,
  signal: AbortSignal,
): Promise<ScoredFleet> {
  const { settings, rules, range, intervalMs, nowAt, changesOf } = window;
  const history = longestHistory(deps, fleet);
  const { features } = settings;
  const whole = { fromAt: range.fromAt - history * intervalMs, toAt: range.toAt };
  const read = { features, bucket: bucketOf(settings) ?? "", range: whole, intervalMs };
  const { groupBy, maxSeries } = rules;
  // Also those beyond `max_series`: they are counted.
  const answer = await readFeatureGroups(
    deps.openBucket,
    { ...read, groupBy, maxSeries: MAX_SERIES },
    signal,
  );
  const grids = new Map<string, { readonly tags: SeriesTags; readonly grid: Grid }>();
  for (const { tags, grid } of answer.series) {
    assertComplete(grid, read);
    grids.set(seriesKeyOf(groupBy, tags), { tags, grid });
  }
  const known = [...fleet.series.values()];
  const fresh = [...grids.keys()].filter((key) => !fleet.series.has(key));
  const added = fresh.slice(0, Math.max(0, maxSeries - known.length)).map((key) => {
    return newSeries(key, grids.get(key)!.tags, { run: fleet.run, at: nowAt });
  });
  const empty = emptyFeatures(read);
  const windows = await mapConcurrently([...known, ...added], CONCURRENCY, (series) => {
    const grid = grids.get(series.key)?.grid ?? empty;
    return scoreSeries(deps, { fleet, series, settings, grid, history, changesOf }, signal);
  });
  return { windows, unwatched: fresh.length - added.length };
}

/** Intervals before the window that the series with the longest network needs. */
function longestHistory({ kind }: Deps, { version, fits }: LiveFleet): number {
  let longest = kind.historyOf(version);
  for (const fit of fits.values()) longest = Math.max(longest, fit.history);
  return longest;
}

interface SeriesInput extends Pick<FleetWindow, "changesOf"> {
  readonly fleet: LiveFleet;
  readonly series: FleetSeries;
  readonly settings: ModelSettings;
  /** Starts `history` intervals before the window. */
  readonly grid: Grid;
  readonly history: number;
}

async function scoreSeries(
  deps: Deps,
  { fleet, series, settings, grid, history, changesOf }: SeriesInput,
  signal: AbortSignal,
): Promise<SeriesWindow> {
  const { features } = settings;
  const extent = findExtent(grid, features);
  const counted = series.newestAt === null ? grid : sliceGrid(grid, history, grid.length);
  const seen = {
    series,
    newestAt: extent && grid.startAt + extent.to * grid.intervalMs,
    points: countMostObserved(counted, features),
  };
  const fit = fleet.fits.get(series.key);
  if (!fit || !hasValues(grid, settings)) return seen;
  const { history: own } = fit;
  const input = {
    settings,
    model: fit.makeModel(),
    grid: own < history ? sliceGrid(grid, history - own, grid.length) : grid,
    history: own,
    changes: changesOf(series.tags),
    state: {
      rejected: series.state.rejected,
      ...(series.memory && { memory: unpackMemory(series.memory) }),
    },
  };
  try {
    const scored = await scoreGrid(deps, input, signal);
    const { memory, ...evaluation } = scored.evaluation;
    const settled = memory && fit.settle?.(memory);
    return {
      ...seen,
      scored: { ...scored, evaluation },
      ...(memory && { memory: packMemory(memory) }),
      ...(settled && { fit: settled }),
    };
  } catch (error) {
    if (signal.aborted) throw error;
    if (error instanceof TorusError) return { ...seen, error };
    deps.onError(error, settings.name);
    return { ...seen, error: new TorusError("internal", "the series could not be evaluated") };
  }
}

/** Whether there is a value to evaluate, or one that stands for an empty interval. */
function hasValues(grid: Grid, { features }: ModelSettings): boolean {
  return features.some(
    ({ name, default: fallback }) => countPresent(fillDefault(grid.columns[name]!, fallback)) > 0,
  );
}
