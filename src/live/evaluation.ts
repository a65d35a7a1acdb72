// One evaluation of a live model: plan the window that is due, score it, detect in it, record the result.
import { TorusError } from "../core/errors.ts";
import { watchedCalendars } from "../core/model/calendar-references.ts";
import { startsUntrained } from "../core/model/cold-start.ts";
import { slotAt, type TickSchedule } from "../core/time/tick.ts";
import { abortable } from "../runtime/abortable.ts";
import { loadCalendars } from "../store/calendars.ts";
import { loadDue } from "../store/live.ts";
import { countPoints } from "./cold-start.ts";
import { findNewestPoint } from "./conditions/newest-point.ts";
import { runForecasts } from "./conditions/run-forecasts.ts";
import { evaluateFleet } from "./fleet/evaluate-fleet.ts";
import {
  assessPoints,
  assessScores,
  type Evaluated,
  type EvaluationEnd,
  missedBefore,
  record,
  recordFailure,
} from "./outcome.ts";
import { scoreWindow } from "./score-window.ts";
import { stateOf } from "./state.ts";
import { type StoredSettings, storedSettings } from "./stored-settings.ts";
import type { DueTick, EvaluationDeps, Task } from "./task.ts";
import { planWindow } from "./window.ts";

export interface EvaluationResult {
  readonly end: EvaluationEnd;
  /** Windows skipped before the one that was recorded; 0 where nothing was. */
  readonly missed: number;
  /** Those the evaluation used; absent where there was nothing to evaluate. */
  readonly settings?: StoredSettings;
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
  if (!task) return { end: "nothing", missed: 0 };
  const settings = task.effective;
  const { signal } = input;
  const evaluated = await abortable(evaluate(deps, task, signal), signal).catch((error: unknown) => ({
    error,
  }));
  if ("error" in evaluated && (await isOutdated(deps, task, evaluated.error)))
    return runEvaluation(deps, input);
  const end = await ("error" in evaluated
    ? recordFailure(deps, task, evaluated.error)
    : record(deps, task, evaluated));
  const missed = end === "nothing" ? 0 : missedBefore(task);
  if (end !== "refused") return { end, missed, settings };
  // The window is still due if options or state were changed, and not if it was recorded by another evaluation.
  return signal.aborted ? { end: "nothing", missed: 0, settings } : runEvaluation(deps, input);
}

/** @returns undefined where no interval was completed since the last window, or the model is not live any more */
async function plan(
  { clock, store, models }: EvaluationDeps,
  { model, tick, schedule }: EvaluationInput,
): Promise<Task | undefined> {
  const nowAt = clock.now();
  const due = await loadDue(store, model);
  if (!due) return undefined;
  const { row, revision } = due;
  const stored = await models.load(model, revision);
  const effective = storedSettings(stored);
  const window = planWindow({
    nowAt,
    offsetMs: effective.offsetMs ?? stateOf(row).offsetMs ?? 0,
    intervalMs: effective.intervalMs,
    lastWindowAt: row.lastWindowAt,
  });
  if (!window) return undefined;
  const calendars = await loadCalendars(store, watchedCalendars(effective.settings));
  const own = { tick: moveOn(tick, slotAt(schedule, nowAt)), schedule, nowAt };
  return { row, revision, effective, calendars, version: stored.version, window, ...own };
}

/** The newest slot: others have passed where an evaluation was refused, and its window is due anew. */
function moveOn(tick: DueTick, slot: number): DueTick {
  return slot > tick.slot ? { ...tick, slot, missed: tick.missed + slot - tick.slot } : tick;
}

function evaluate(deps: EvaluationDeps, task: Task, signal: AbortSignal): Promise<Evaluated> {
  const { settings } = task.effective;
  if (!task.version && startsUntrained(settings)) return count(deps, task, signal);
  return settings.group_by && task.version ? evaluateFleet(deps, task, signal) : score(deps, task, signal);
}

/** Scores a window of a model of one series. */
async function score(deps: EvaluationDeps, task: Task, signal: AbortSignal): Promise<Evaluated> {
  const { row, effective, version: active, nowAt } = task;
  const { range } = task.window;
  const { model } = row;
  const { settings, intervalMs } = effective;
  if (!active) throw new TorusError("not_trained", `model ${model} is not trained: train it first`);
  const version = await deps.versions.load(model, active);
  const openBucket = deps.bucketWatch.of(model, deps.openBucket);
  const state = stateOf(row);
  const own = { ...deps, openBucket };
  const changes = await deps.recentChanges.of(settings);
  const scored = await scoreWindow(own, { settings, version, range, intervalMs, state, changes }, signal);
  const { forecasts: before = {} } = state;
  const run = { settings, version, intervalMs, fromAt: range.toAt, before, nowAt };
  const sighting = { settings, newestAt: scored.newestAt, windowAt: range.toAt, before: state, intervalMs };
  const newestAt = await findNewestPoint(openBucket, sighting, signal);
  const forecasts = await runForecasts(own, run, signal);
  return assessScores(deps, task, { scored, newestAt, forecasts });
}

/** Counts the points of a window that nothing can score yet. */
async function count(deps: EvaluationDeps, task: Task, signal: AbortSignal): Promise<Evaluated> {
  const { row, effective, window } = task;
  const { settings, intervalMs } = effective;
  const { range } = window;
  const openBucket = deps.bucketWatch.of(row.model, deps.openBucket);
  const before = stateOf(row);
  const counted = await countPoints(
    openBucket,
    { settings, intervalMs, range, before: before.learning },
    signal,
  );
  const sighting = { settings, newestAt: counted.newestAt, windowAt: range.toAt, before, intervalMs };
  const newestAt = await findNewestPoint(openBucket, sighting, signal);
  return assessPoints(deps, task, { ...counted, newestAt });
}

/** Whether the version was removed because there are newer ones, or the settings changed: then they are read again. */
async function isOutdated({ store }: EvaluationDeps, { row, revision }: Task, error: unknown) {
  if (!(error instanceof TorusError && error.code === "not_found")) return false;
  const due = await loadDue(store, row.model);
  return due !== undefined && due.revision !== revision;
}
