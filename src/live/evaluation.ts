// One evaluation of a live model: plan the window that is due, score it, detect in it, record the result.
import { sourcesOf } from "../core/anomaly/event.ts";
import { describeError, TorusError } from "../core/errors.ts";
import { startsUntrained } from "../core/model/cold-start.ts";
import { mutedUntil } from "../core/model/mute.ts";
import { nextAutoOffset } from "../core/model/offset.ts";
import { followArrival } from "../core/series/arrival.ts";
import type { Grid } from "../core/series/grid.ts";
import type { Tick, TickSchedule } from "../core/time/tick.ts";
import { toPoints } from "../jobs/handlers/save.ts";
import { abortable } from "../runtime/abortable.ts";
import type { Clock } from "../runtime/clock.ts";
import type { Store } from "../store/db/open.ts";
import { type LiveRow, loadDue } from "../store/live.ts";
import { loadModel, type ModelRow } from "../store/models.ts";
import type { BucketWatch } from "./bucket-watch.ts";
import { countPoints, growState } from "./cold-start.ts";
import { cover } from "./coverage.ts";
import { type Advance, advance, type EpisodeNotice } from "./episode-tracker.ts";
import { confidenceNow, learn } from "./learned.ts";
import { planLevelShifts } from "./level-shifts.ts";
import type { Output } from "./output.ts";
import type { Recorder } from "./recorder.ts";
import { toRun } from "./score-history.ts";
import { type ScoreDeps, type ScoredWindow, scoreWindow } from "./score-window.ts";
import { type LastInterval, type LiveState, stateOf } from "./state.ts";
import { type StoredSettings, storedSettings } from "./stored-settings.ts";
import type { VersionCache } from "./versions.ts";
import { planWindow, type Window } from "./window.ts";

export interface EvaluationDeps extends ScoreDeps {
  readonly store: Store;
  readonly clock: Clock;
  readonly versions: VersionCache;
  readonly recorder: Recorder;
  /** Whether scores are recorded for the history. */
  readonly keepsScores: () => boolean;
  /** Called after events were put into the outbox. */
  readonly onEvents: () => void;
  /** Called for every anomaly that started or ended. */
  readonly onEpisode?: (notice: EpisodeNotice) => void;
  readonly bucketWatch: BucketWatch;
  readonly output: Pick<Output, "save" | "forget" | "stop">;
  /** Submits a training from an instant (ms) on. @throws TorusError `training_active`, `overloaded`, `not_found` */
  readonly train: (model: string, fromAt: number) => Promise<unknown>;
  /** @returns a fresh UUID */
  readonly newId: () => string;
  /** Called for bugs: anything thrown that is no TorusError. */
  readonly onError: (error: unknown, model: string | null) => void;
}

export type DueTick = Tick & { readonly slot: number };

export interface EvaluationResult {
  /** `nothing`: no interval was completed, or the result came too late to count. */
  readonly end: "recorded" | "failed" | "nothing";
  /** Those the evaluation used; absent where there was nothing to evaluate. */
  readonly settings?: StoredSettings;
}

/** An evaluation with a window to score. */
interface Task {
  readonly row: LiveRow;
  /** Of the settings, see `DueRow`. */
  readonly revision: string;
  readonly effective: StoredSettings;
  readonly version: ModelRow["version"];
  readonly window: Window;
  readonly tick: DueTick;
  readonly schedule: TickSchedule;
  readonly nowAt: number;
}

interface EvaluationInput {
  readonly model: string;
  readonly tick: DueTick;
  readonly schedule: TickSchedule;
  /** Aborted when the model stops, the server stops, or the deadline has passed. */
  readonly signal: AbortSignal;
}

/** Runs one evaluation. @throws only where the store cannot be used; nothing has changed then */
export async function runEvaluation(deps: EvaluationDeps, input: EvaluationInput): Promise<EvaluationResult> {
  const task = await plan(deps, input);
  if (!task) return { end: "nothing" };
  const settings = task.effective;
  const isUntrained = !task.version && startsUntrained(settings.settings);
  let evaluated: ScoredWindow | number;
  try {
    const evaluate = isUntrained ? count : score;
    evaluated = await abortable<ScoredWindow | number>(evaluate(deps, task, input.signal), input.signal);
  } catch (error) {
    if (await isOutdated(deps, task, error)) return runEvaluation(deps, input);
    return { end: await recordFailure(deps, task, error), settings };
  }
  const end =
    typeof evaluated === "number"
      ? await recordPoints(deps, task, evaluated)
      : await record(deps, task, evaluated);
  return { end, settings };
}

/** @returns undefined where no interval was completed since the last window, or the model is not live any more */
async function plan(
  { clock, store }: EvaluationDeps,
  { model, tick, schedule }: EvaluationInput,
): Promise<Task | undefined> {
  const nowAt = clock.now();
  const due = await loadDue(store, model);
  if (!due) return undefined;
  const { row, revision } = due;
  const stored = await loadModel(store, model);
  const effective = storedSettings(stored);
  const window = planWindow({
    nowAt,
    offsetMs: effective.offsetMs ?? stateOf(row).offsetMs ?? 0,
    intervalMs: effective.intervalMs,
    lastWindowAt: row.lastWindowAt,
  });
  return window && { row, revision, effective, version: stored.version, window, tick, schedule, nowAt };
}

async function score(
  deps: EvaluationDeps,
  { row, effective, version: active, window: { range } }: Task,
  signal: AbortSignal,
): Promise<ScoredWindow> {
  const { model } = row;
  const { settings, intervalMs } = effective;
  if (!active) throw new TorusError("not_trained", `model ${model} is not trained: train it first`);
  const version = await deps.versions.load(model, active);
  const openBucket = deps.bucketWatch.of(model, deps.openBucket);
  const input = { settings, version, range, intervalMs, state: stateOf(row) };
  return scoreWindow({ ...deps, openBucket }, input, signal);
}

/** Points of a window that nothing can score yet. */
function count(
  deps: EvaluationDeps,
  { row, effective: { settings, intervalMs }, window: { range } }: Task,
  signal: AbortSignal,
): Promise<number> {
  const openBucket = deps.bucketWatch.of(row.model, deps.openBucket);
  return countPoints(openBucket, { settings, intervalMs, range, before: stateOf(row).learning }, signal);
}

/** Whether the version was removed because there are newer ones, or the settings changed: then they are read again. */
async function isOutdated({ store }: EvaluationDeps, { row, revision }: Task, error: unknown) {
  if (!(error instanceof TorusError && error.code === "not_found")) return false;
  const due = await loadDue(store, row.model);
  return due !== undefined && due.revision !== revision;
}

async function record(
  deps: EvaluationDeps,
  task: Task,
  scored: ScoredWindow,
): Promise<EvaluationResult["end"]> {
  const { points } = scored;
  const { episodes, events, notices, active, ...moved } = detect(deps, task, scored);
  const score = points.findLast((point) => point.score !== undefined)?.score ?? null;
  const last = { score, values: lastValues(scored.observed) };
  const state = await grow(deps, task, { ...moved.state, last });
  const outcome = score === null ? "no_data" : "ok";
  const scores = deps.keepsScores() ? toRun(scored.evaluation, task.version!.name) : undefined;
  const result = { ...basicsOf(deps, task), outcome, score, state, episodes, events, scores } as const;
  if (!(await deps.recorder.record(result))) return "nothing";
  if (events.length > 0) deps.onEvents();
  for (const notice of notices) deps.onEpisode?.(notice);
  save(deps, task, { ...scored, active });
  return "recorded";
}

function lastValues({ columns }: Grid): LastInterval["values"] {
  const values = Object.entries(columns).map(([name, column]) => {
    const value = column.at(-1);
    return [name, value !== undefined && Number.isFinite(value) ? value : null] as const;
  });
  return Object.fromEntries(values);
}

/** Records an evaluation before the first version. */
async function recordPoints(
  deps: EvaluationDeps,
  task: Task,
  points: number,
): Promise<EvaluationResult["end"]> {
  const state = await grow(deps, task, stateOf(task.row), points);
  const outcome = points > 0 ? "learning" : "no_data";
  const result = { ...basicsOf(deps, task), outcome, score: null, state, episodes: [], events: [] } as const;
  return (await deps.recorder.record(result)) ? "recorded" : "nothing";
}

function grow({ train }: EvaluationDeps, task: Task, state: LiveState, added = 0): Promise<LiveState> {
  const { effective, version, nowAt } = task;
  const { settings, intervalMs } = effective;
  return growState(state, { settings, intervalMs, version, nowAt, added, train });
}

/** Writes what was predicted and observed to the output bucket, where there is one. */
function save(
  { output }: EvaluationDeps,
  { row: { model, options }, effective: { settings } }: Task,
  { evaluation: prediction, observed, points, active }: ScoredWindow & Pick<Advance, "active">,
): void {
  const { save: target, detect } = options;
  if (!target) return;
  const { features } = settings;
  const stats = active.map((anomaly, i) => ({ score: points[i]!.score ?? 0, anomaly }));
  const input = { model, features, prediction, observed, ...(detect && { stats }) };
  output.save({ model, points: toPoints(input), target });
}

/**
 * Takes the state over the scored intervals. Without detection scores change neither anomaly nor episodes; nor do those
 * of intervals that were scored before the clock was set back.
 */
function detect(deps: EvaluationDeps, task: Task, scored: ScoredWindow): Advance {
  const { row, effective, version, window, nowAt } = task;
  const { settings, rules, intervalMs } = effective;
  const before = nextState(task, scored);
  if (!row.options.detect) return { state: before, episodes: [], events: [], notices: [], active: [] };
  const { points } = scored;
  const coverage = before.scored ?? [];
  const isScored = points.some(({ score }) => score !== undefined);
  const context = {
    model: row.model,
    sources: () => sourcesOf(settings),
    mutedUntil: () => mutedUntil(settings.mute ?? [], nowAt, settings.timezone),
    newId: deps.newId,
  };
  const confidence = version && { confidence: confidenceNow(before.learned, { version, intervalMs }) };
  const moved = advance(before, points, { ...context, rules, ...confidence });
  const shifts = planLevelShifts(scored.evaluation.levelShifts ?? [], {
    ...context,
    points,
    episode: before.episode?.id,
  });
  const covered = isScored ? cover(coverage, window.range, intervalMs) : coverage;
  return { ...moved, events: [...moved.events, ...shifts], state: { ...moved.state, scored: covered } };
}

/** The state with what the model kind remembers, and how late points arrive. */
function nextState(
  { row, effective: { intervalMs }, version, window, nowAt }: Task,
  { evaluation: { rejected, memory, drift, levelShifts = [] }, points, newestAt }: ScoredWindow,
): LiveState {
  const before = stateOf(row);
  const { drift: _, levelShift: known, ...rest } = before;
  const learned = version && { learned: learn(before.learned, points, { version, intervalMs }) };
  const isSame = learned?.learned.version === before.learned?.version;
  const levelShift = levelShifts.at(-1) ?? (isSame ? known : undefined);
  const remembered = {
    rejected,
    ...(memory && { memory }),
    ...(drift && { drift }),
    ...(levelShift && { levelShift }),
    ...learned,
  };
  const state = { ...rest, ...remembered } as LiveState;
  if (newestAt === undefined) return state;
  const sighting = { newestAt, windowAt: window.range.toAt, nowAt, intervalMs };
  const arrival = followArrival(before.arrival, sighting);
  return { ...state, arrival, offsetMs: nextAutoOffset(before.offsetMs ?? 0, arrival) };
}

async function recordFailure(
  deps: EvaluationDeps,
  task: Task,
  error: unknown,
): Promise<EvaluationResult["end"]> {
  if (error instanceof TorusError && error.code === "canceled") return "nothing";
  if (!(error instanceof TorusError)) deps.onError(error, task.row.model);
  const failure = { ...basicsOf(deps, task), outcome: "failed", error: describeError(error) } as const;
  return (await deps.recorder.record(failure)) ? "failed" : "nothing";
}

function basicsOf({ clock }: EvaluationDeps, { row, window, tick, schedule, nowAt }: Task) {
  // Neither slots skipped by a back-off nor slots without a completed interval count as missed.
  const missed = row.failures > 0 ? 0 : Math.min(tick.missed, window.behind - 1);
  return {
    model: row.model,
    before: row,
    slot: tick.slot,
    intervalMs: schedule.intervalMs,
    windowAt: window.range.toAt,
    evaluatedAt: nowAt,
    durationMs: Math.max(0, clock.now() - nowAt),
    missed,
  };
}
