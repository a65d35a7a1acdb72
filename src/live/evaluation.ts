// One round of a live model: find the window that is due, evaluate it, record what came of it, in this order.
import { sourcesOf } from "../core/anomaly/event.ts";
import { mutedUntil } from "../core/anomaly/mute.ts";
import { describeError, TorusError } from "../core/errors.ts";
import { bucketIntervalOf } from "../core/model/bucket-interval.ts";
import { bucketOf, type ModelSettings } from "../core/model/model.ts";
import { nextAutoOffset, offsetOf } from "../core/model/offset.ts";
import { followArrival } from "../core/series/arrival.ts";
import { phaseOf, type Tick, type TickSchedule } from "../core/time/tick.ts";
import { parseDuration } from "../core/time/time.ts";
import { rulesOf } from "../models/scoring/detect.ts";
import { abortable } from "../runtime/abortable.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/db/open.ts";
import { type LiveRow, loadDue } from "../store/live.ts";
import type { BucketWatch } from "./bucket-watch.ts";
import { cover, isCovered } from "./coverage.ts";
import { type Advance, advance, type EpisodeNotice } from "./episode-tracker.ts";
import type { Output } from "./output.ts";
import type { Recorder } from "./recorder.ts";
import { type ScoreDeps, type ScoredWindow, scoreWindow } from "./score-window.ts";
import type { EffectiveSettings, SettingsCache } from "./settings-cache.ts";
import { type LiveState, stateOf } from "./state.ts";
import type { VersionCache } from "./versions.ts";
import { planWindow, type Window } from "./window.ts";

export interface EvaluationDeps extends ScoreDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly versions: VersionCache;
  readonly settings: SettingsCache;
  readonly recorder: Recorder;
  /** Told that events were put into the outbox. */
  readonly onEvents: () => void;
  /** Called for every anomaly that started or ended. */
  readonly onEpisode?: (notice: EpisodeNotice) => void;
  readonly bucketWatch: BucketWatch;
  readonly output: Pick<Output, "save" | "forget" | "stop">;
  readonly newId: () => string;
  /** Told of bugs: anything thrown that is no TorusError. */
  readonly onError: (error: unknown, model: string | null) => void;
}

export type DueTick = Tick & { readonly slot: number };

export interface EvaluationResult {
  /** `nothing`: no interval was completed, or the result came too late to count. */
  readonly end: "recorded" | "failed" | "nothing";
  /** Those in force when it began, where there was something to evaluate. */
  readonly settings?: ModelSettings;
}

/** What one round works on. */
interface Task extends EffectiveSettings {
  /** Of the settings, see `DueRow`. */
  readonly revision: string;
  readonly row: LiveRow;
  readonly window: Window;
  readonly tick: DueTick;
  readonly schedule: TickSchedule;
  readonly nowAt: number;
}

export interface EvaluationInput {
  readonly model: string;
  readonly tick: DueTick;
  readonly schedule: TickSchedule;
  /** Aborted when the model stops, the server stops, or time is up. */
  readonly signal: AbortSignal;
}

/** How often a model is evaluated, and where in the interval. */
export function tickScheduleOf(settings: ModelSettings): TickSchedule {
  const { name, interval } = settings;
  const intervalMs =
    interval === undefined ? bucketIntervalOf(settings) : parseDuration(interval, "interval");
  return { intervalMs, phaseMs: phaseOf(name, intervalMs) };
}

/** Names of the buckets a model reads from. */
export function bucketsOf(settings: ModelSettings): string[] {
  const names = settings.features.map(({ bucket }) => bucket || bucketOf(settings));
  return [...new Set(names.filter((name) => name !== undefined))].sort();
}

/** Runs one round. @throws only where the store cannot be used; nothing has changed then */
export async function runEvaluation(deps: EvaluationDeps, input: EvaluationInput): Promise<EvaluationResult> {
  const task = await prepare(deps, input);
  if (!task) return { end: "nothing" };
  const { settings } = task;
  let evaluated: ScoredWindow;
  try {
    evaluated = await abortable(evaluate(deps, task, input.signal), input.signal);
  } catch (error) {
    if (await isOutdated(deps, task, error)) return runEvaluation(deps, input);
    return { end: await fail(deps, task, error), settings };
  }
  return { end: await record(deps, task, evaluated), settings };
}

async function prepare(
  deps: EvaluationDeps,
  { model: name, tick, schedule: rhythm }: EvaluationInput,
): Promise<Task | undefined> {
  const nowAt = deps.clock.now();
  const due = await loadDue(deps.store, name);
  if (!due) return undefined;
  const { row, revision: stamp } = due;
  const { settings, version } = await deps.settings.load(name, stamp);
  const window = planWindow({
    nowAt,
    offsetMs: offsetOf(settings, stateOf(row).offsetMs),
    intervalMs: bucketIntervalOf(settings),
    lastWindowAt: row.lastWindowAt,
  });
  return window && { row, revision: stamp, settings, version, window, tick, schedule: rhythm, nowAt };
}

async function evaluate(deps: EvaluationDeps, task: Task, signal: AbortSignal): Promise<ScoredWindow> {
  const { settings, window, row } = task;
  if (!task.version) throw new TorusError("not_trained", `model ${row.model} is not trained: train it first`);
  const version = await deps.versions.load(row.model, task.version);
  const intervalMs = bucketIntervalOf(settings);
  const { range } = window;
  const state = stateOf(row);
  const { detect } = row.options;
  const openBucket = deps.bucketWatch.of(row.model, deps.openBucket);
  return scoreWindow(
    { ...deps, openBucket },
    { settings, version, range, intervalMs, state, detect },
    signal,
  );
}

/** What was not found was removed since: a version gives way to newer ones. What is in force now is asked instead. */
async function isOutdated(
  { store }: EvaluationDeps,
  { row, revision: stamp }: Task,
  error: unknown,
): Promise<boolean> {
  if (!(error instanceof TorusError && error.code === "not_found")) return false;
  const due = await loadDue(store, row.model);
  return due !== undefined && due.revision !== stamp;
}

async function record(
  deps: EvaluationDeps,
  task: Task,
  evaluated: ScoredWindow,
): Promise<EvaluationResult["end"]> {
  const { row, settings } = task;
  const { points, rejected, memory, drift, view } = evaluated;
  const { drift: _, ...before } = { ...stateOf(row), ...followPoints(task, evaluated) };
  const known = { ...before, rejected, ...(memory && { memory }), ...(drift && { drift }) } as LiveState;
  const { state, episodes, events, notices } = detectIn(deps, task, known, points);
  const score = points.findLast((point) => point.score !== undefined)?.score ?? null;
  const outcome = score === null ? "no_data" : "ok";
  const made = { ...basicsOf(deps, task), outcome, score, state, episodes, events } as const;
  if (!(await deps.recorder.record(made))) return "nothing";
  if (events.length > 0) deps.onEvents();
  for (const notice of notices) deps.onEpisode?.(notice);
  const { save } = row.options;
  if (save) deps.output.save({ model: row.model, features: settings.features, view, target: save });
  return "recorded";
}

/** How late points come, and what `offset: auto` makes of it. */
function followPoints(
  { row, settings, window, nowAt }: Task,
  { newestAt }: ScoredWindow,
): Pick<LiveState, "arrival" | "offsetMs"> {
  if (newestAt === undefined) return {};
  const { arrival: before, offsetMs = 0 } = stateOf(row);
  const intervalMs = bucketIntervalOf(settings);
  const arrival = followArrival(before, { newestAt, windowAt: window.range.toAt, nowAt, intervalMs });
  return { arrival, offsetMs: nextAutoOffset(offsetMs, arrival) };
}

/** Without detection, scores move nothing; nor do those of intervals scored before the clock was set back. */
function detectIn(
  deps: EvaluationDeps,
  { row, settings, window, nowAt }: Task,
  before: LiveState,
  points: ScoredWindow["points"],
): Advance {
  if (!row.options.detect) return { state: before, episodes: [], events: [], notices: [] };
  const coverage = before.scored ?? [];
  const isScored = points.some(({ score }) => score !== undefined);
  const scored = isScored ? cover(coverage, window.range, bucketIntervalOf(settings)) : coverage;
  const fresh = points.filter(({ at }) => !isCovered(coverage, at));
  return advance({ ...before, scored }, fresh, {
    model: row.model,
    rules: rulesOf(settings),
    sources: () => sourcesOf(settings),
    mutedUntil: () => mutedUntil(settings.mute ?? [], nowAt, settings.timezone),
    newId: deps.newId,
  });
}

async function fail(deps: EvaluationDeps, task: Task, error: unknown): Promise<EvaluationResult["end"]> {
  if (error instanceof TorusError && error.code === "canceled") return "nothing";
  if (!(error instanceof TorusError)) deps.onError(error, task.row.model);
  const failure = { ...basicsOf(deps, task), outcome: "failed", error: describeError(error) } as const;
  return (await deps.recorder.record(failure)) ? "failed" : "nothing";
}

function basicsOf({ clock }: EvaluationDeps, { row, window, tick, schedule: rhythm, nowAt }: Task) {
  // What a back-off left out on purpose was not missed; nor was a slot in which no interval was completed.
  const missed = row.failures > 0 ? 0 : Math.min(tick.missed, window.behind - 1);
  return {
    model: row.model,
    before: row,
    slot: tick.slot,
    intervalMs: rhythm.intervalMs,
    windowAt: window.range.toAt,
    evaluatedAt: nowAt,
    durationMs: Math.max(0, clock.now() - nowAt),
    missed,
  };
}
