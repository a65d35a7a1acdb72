// A live model in the loop's memory: its rhythm, its place in it, and how failures in a row slow it down.
import type { ModelSettings } from "../core/model/model.ts";
import { moveSlot, phaseOf, startOfSlot, type TickSchedule } from "../core/time/tick.ts";
import type { LiveRow } from "../store/live.ts";
import { bucketsOf, type EvaluationResult, tickScheduleOf } from "./evaluation.ts";

/** Longest pause after failures, unless the interval is longer. */
const LONGEST_BACKOFF_MS = 60_000;

export interface LiveModel {
  readonly model: string;
  run: string;
  rhythm: TickSchedule;
  lane: string;
  lastSlot: number | undefined;
  failures: number;
  /** After failures: not before this instant. */
  retryAt: number;
  /** Waits for its lane or is evaluated: never twice at once. */
  taken: boolean;
  /** Since when, ms since the epoch. */
  takenAt: number;
  controller: AbortController | undefined;
}

/** An entry for a row of the store. */
export function makeEntry(row: LiveRow, settings: ModelSettings): LiveModel {
  const rhythm = tickScheduleOf(settings);
  return {
    model: row.model,
    run: row.state.run,
    rhythm,
    lane: laneOf(settings),
    lastSlot: lastSlotOf(row, rhythm),
    failures: row.failures,
    retryAt: -Infinity,
    taken: false,
    takenAt: -Infinity,
    controller: undefined,
  };
}

/** Models that read from the same buckets share a lane. */
function laneOf(settings: ModelSettings): string {
  return bucketsOf(settings).join(";");
}

/** The slot evaluated last, in the rhythm of now. */
function lastSlotOf({ model, lastSlot, state }: LiveRow, rhythm: TickSchedule): number | undefined {
  if (lastSlot === null) return undefined;
  const { intervalMs } = state;
  if (intervalMs === undefined) return lastSlot;
  return moveSlot(lastSlot, { intervalMs, phaseMs: phaseOf(model, intervalMs) }, rhythm);
}

/** Takes changed settings over: nothing is repeated or skipped. */
export function updateSchedule(entry: LiveModel, settings: ModelSettings): void {
  const rhythm = tickScheduleOf(settings);
  entry.lane = laneOf(settings);
  if (entry.lastSlot !== undefined) entry.lastSlot = moveSlot(entry.lastSlot, entry.rhythm, rhythm);
  entry.rhythm = rhythm;
}

/** What follows from a round: a retraining may have changed how often; failures in a row double the pause. */
export function settle(entry: LiveModel, { end, settings }: EvaluationResult): void {
  if (settings) updateSchedule(entry, settings);
  if (end === "recorded") Object.assign(entry, { failures: 0, retryAt: -Infinity });
  if (end !== "failed") return;
  const { rhythm, failures, lastSlot = 0 } = entry;
  const mostSlots = Math.max(1, Math.floor(LONGEST_BACKOFF_MS / rhythm.intervalMs));
  entry.failures++;
  entry.retryAt = startOfSlot(rhythm, lastSlot + Math.min(2 ** Math.min(failures, 20), mostSlots));
}
