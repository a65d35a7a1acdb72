// Assessment of a fleet's window: each series by itself, those that are gone, and the counts that `state` shows.
import { quietUntil } from "../../core/model/mute.ts";
import { watchesOf } from "../../core/model/watch-forecast.ts";
import type { LastValues } from "../../core/series/last-values.ts";
import type { Point } from "../../core/series/query.ts";
import type { FleetCounts } from "../../core/series/series-status.ts";
import { runInSteps } from "../../runtime/steps.ts";
import type { EpisodeChange } from "../../store/anomalies/episodes.ts";
import { type PlannedEvent, planEvent } from "../../store/anomalies/outbox.ts";
import type { SeriesChange } from "../../store/fleets/live-series.ts";
import { assess, assessUnscored } from "../assessment.ts";
import { endAll } from "../conditions/index.ts";
import type { WatchedForecasts } from "../conditions/run-forecasts.ts";
import { endEvent } from "../episodes/episode-events.ts";
import type { EpisodeNotice } from "../episodes/episode-tracker.ts";
import { outputOf } from "../outcome.ts";
import { toRun } from "../score-history.ts";
import type { ScoredWindow } from "../score-window.ts";
import type { LiveState } from "../state.ts";
import type { EvaluationDeps, Task } from "../task.ts";
import { decisivePart, type FleetSeries, type LiveFleet, remainingPart, statusOf } from "./live-fleet.ts";
import type { ScoredFleet, SeriesWindow } from "./score-fleet.ts";

/** Some 10 ms. */
const SERIES_PER_STEP = 128;
/** One evaluation in this many stores the memory of a series. */
const MEMORY_TURNS = 10;

export interface FleetAssessment {
  /** Highest of the series; null where none was scored. */
  readonly score: number | null;
  readonly counts: FleetCounts;
  /** The series after the window, those that are gone left out. */
  readonly series: ReadonlyMap<string, FleetSeries>;
  readonly changes: readonly SeriesChange[];
  readonly episodes: readonly EpisodeChange[];
  readonly events: readonly PlannedEvent[];
  readonly notices: readonly EpisodeNotice[];
  /** Of the output bucket, where there is one. */
  readonly output: readonly Point[];
  /** End of the newest interval of any series, ms since the epoch. */
  readonly newestAt: number | undefined;
}

/** A part of an assessment, of one series. */
type Part = Pick<FleetAssessment, "changes" | "episodes" | "events" | "notices" | "output"> & {
  /** Absent: it is gone. */
  readonly series?: FleetSeries;
};

type FleetDeps = Pick<EvaluationDeps, "newId" | "keepsScores">;

interface FleetInput {
  readonly fleet: LiveFleet;
  readonly scored: ScoredFleet;
  /** Time without a point after which a series is gone. */
  readonly ttlMs: number;
  readonly signal: AbortSignal;
}

/**
 * Assesses all series of a window; yields to the event loop between steps.
 * @throws TorusError `canceled`
 */
export async function assessFleet(
  deps: FleetDeps,
  task: Task,
  { fleet, scored, ttlMs, signal }: FleetInput,
): Promise<FleetAssessment> {
  const counts = { new: 0, watched: 0, anomalous: 0, silent: 0, failed: 0, unwatched: scored.unwatched };
  const series = new Map<string, FleetSeries>();
  const parts: Part[] = [];
  const { windows } = scored;
  await runInSteps(windows.length, { part: SERIES_PER_STEP, signal }, (from, to) => {
    for (const window of windows.slice(from, to)) {
      const part = isGone(window, task, ttlMs)
        ? forget(task, window.series)
        : assessSeries(deps, task, { fleet, window });
      parts.push(part);
      if (window.error) counts.failed++;
      if (!part.series) continue;
      series.set(part.series.key, part.series);
      counts[statusOf(part.series, fleet.fits.has(part.series.key))]++;
    }
  });
  const scores = [...series.values()].flatMap(({ score }) => score ?? []);
  const newest = scored.windows.flatMap(({ newestAt }) => newestAt ?? []);
  return {
    score: scores.length > 0 ? maxOf(scores) : null,
    counts,
    series,
    changes: parts.flatMap(({ changes }) => changes),
    episodes: parts.flatMap(({ episodes }) => episodes),
    events: parts.flatMap(({ events }) => events),
    notices: parts.flatMap(({ notices }) => notices),
    output: parts.flatMap(({ output }) => output),
    newestAt: newest.length > 0 ? maxOf(newest) : undefined,
  };
}

/** Not by spread: a fleet may have more series than a call takes arguments. */
function maxOf(values: readonly number[]): number {
  return values.reduce((most, value) => Math.max(most, value), -Infinity);
}

interface SeriesInput {
  readonly fleet: LiveFleet;
  readonly window: SeriesWindow;
}

function assessSeries(deps: FleetDeps, task: Task, { fleet, window }: SeriesInput): Part {
  const { series: before, scored, newestAt } = window;
  const own = taskOf(task, before, fleet);
  if (!scored) {
    const { state, events } = assessUnscored(deps, own, newestAt);
    const series = moveSeries(window, { state: grow(state, window), score: null });
    return { ...unchanged, events, series, changes: changesOf(task, { before, series, fleet }) };
  }
  const { episodes, events, notices, active, score, state } = assess(deps, own, {
    scored,
    newestAt,
    forecasts: forecastsOf(own, before, fleet),
  });
  const series = moveSeries(window, { state, score });
  return {
    series,
    changes: changesOf(task, { before, series, fleet, ...(deps.keepsScores() && { scored }) }),
    episodes,
    events,
    notices,
    output: task.row.options.save ? outputOf(own, { ...scored, active }) : [],
  };
}

const unchanged = { changes: [], episodes: [], events: [], notices: [], output: [] } as const;

/** The watched forecasts of a series, made beside the loop. */
function forecastsOf({ effective }: Task, { key, state }: FleetSeries, fleet: LiveFleet): WatchedForecasts {
  const known = fleet.forecasts.get(key) ?? state.forecasts ?? {};
  const keys = new Set(watchesOf(effective.settings).map((watch) => watch.key));
  return Object.fromEntries(Object.entries(known).filter(([watch]) => keys.has(watch)));
}

/** The task of one series: its state, and its fit in place of the version's. */
export function taskOf(task: Task, { key, tags, state }: FleetSeries, { fits }: LiveFleet): Task {
  const fit = fits.get(key);
  const version = task.version &&
    fit && {
      ...task.version,
      createdAt: fit.fittedAt,
      summary: { points: fit.points },
    };
  return { ...task, row: { ...task.row, state }, version: version ?? null, series: tags };
}

/** Counts the points of a series that nothing scores yet. */
function grow(state: LiveState, { points }: SeriesWindow): LiveState {
  const { learning } = state;
  return {
    ...state,
    learning: { points: (learning?.points ?? 0) + points, nextPoints: learning?.nextPoints ?? 0 },
  };
}

function moveSeries(
  { series, newestAt, memory = series.memory }: SeriesWindow,
  { state, score }: Pick<FleetSeries, "state" | "score">,
): FleetSeries {
  const newest = Math.max(series.newestAt ?? -Infinity, newestAt ?? -Infinity);
  return { ...series, state, memory, score, newestAt: Number.isFinite(newest) ? newest : null };
}

interface Moved {
  readonly before: FleetSeries;
  readonly series: FleetSeries;
  readonly fleet: LiveFleet;
  /** Present where its scores are kept. */
  readonly scored?: ScoredWindow;
}

function changesOf(
  { tick, window, effective }: Task,
  { before, series, fleet, scored }: Moved,
): SeriesChange[] {
  const { key, tags, firstSeenAt, newestAt, score } = series;
  const state = decisivePart(series);
  const isChanged = !before.isStored || !Bun.deepEquals(decisivePart(before), state);
  const isTurn = (tick.slot + placeOf(key)) % MEMORY_TURNS === 0;
  return [
    {
      key,
      tags,
      status: statusOf(series, fleet.fits.has(key)),
      score,
      firstSeenAt,
      newestAt,
      windowAt: window.range.toAt,
      last: score === null ? null : lastValues(series),
      ...(isChanged && { state }),
      ...(isTurn && { memory: remainingPart(series) }),
      ...(scored && {
        scores: toRun(scored.evaluation, { version: fleet.version.name, settings: effective.settings }),
      }),
    },
  ];
}

function lastValues({ state: { last } }: FleetSeries): LastValues | null {
  if (!last) return null;
  const { score: _, ...values } = last;
  return values;
}

/** Spreads the turns of the series. */
function placeOf(key: string): number {
  return Bun.hash.crc32(key) % MEMORY_TURNS;
}

function isGone({ series, newestAt }: SeriesWindow, { window }: Task, ttlMs: number): boolean {
  if (newestAt !== undefined) return false;
  return window.range.toAt - (series.newestAt ?? series.firstSeenAt) > ttlMs;
}

/** Ends what is in progress in a series that is gone. */
function forget({ row, window, effective, nowAt, calendars }: Task, { key, tags, state }: FleetSeries): Part {
  const reason = "the series has no points any more";
  const { settings } = effective;
  const subject = { model: row.model, series: tags };
  const muted = () => quietUntil(settings, nowAt, { series: tags, calendars });
  const { episode } = state;
  const at = Math.max(window.range.toAt, episode?.startedAt ?? 0);
  const end = episode && { at, score: 0, closedBy: reason };
  return {
    ...unchanged,
    changes: [{ key, gone: true }],
    episodes: episode ? [{ change: "close", id: episode.id, endAt: at, closedBy: reason }] : [],
    events: [
      ...(episode?.announced && end ? [planEvent(endEvent(subject, episode, end), muted())] : []),
      ...endAll(state, { ...subject, at: nowAt, mutedUntil: muted, reason }),
    ],
    notices: episode
      ? [
          {
            change: "ended",
            ...subject,
            id: episode.id,
            score: episode.peakScore,
            features: episode.features,
            durationMs: at - episode.startedAt,
            closedBy: reason,
          },
        ]
      : [],
  };
}
