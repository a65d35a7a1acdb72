// A live model in the loop's memory: its schedule, the slot evaluated last, and its back-off after failures.
import { moveSlot, phaseOf, startOfSlot, type TickSchedule } from "../core/time/tick.ts";
import type { LiveRow } from "../store/live.ts";
import type { EvaluationResult } from "./evaluation.ts";
import type { StoredSettings } from "./stored-settings.ts";

/** Longest back-off after failures, unless the interval is longer. */
const MAX_BACKOFF_MS = 60_000;

export interface LiveModel {
  readonly model: string;
  /** One life from start to stop, see `KeptState`. */
  run: string;
  schedule: TickSchedule;
  /** Whether it has series: an evaluation takes longer. */
  isFleet: boolean;
  /** Names of its buckets: models with the same ones share a limit of evaluations. */
  buckets: readonly string[];
  lastSlot: number | undefined;
  /** Slots that were missed, or evaluated while the store could not be used, and not recorded since. */
  unrecorded: number;
  /** Failed evaluations in a row. */
  failures: number;
  /** After failures: not before this instant. */
  retryAt: number;
  /** Queued or being evaluated: never twice at once. */
  isTaken: boolean;
  /** Since when, ms since the epoch. */
  takenAt: number;
  controller: AbortController | undefined;
}

type Placement = Pick<StoredSettings, "schedule" | "buckets" | "settings">;

export function makeLiveModel(row: LiveRow, { schedule, buckets, settings }: Placement): LiveModel {
  return {
    model: row.model,
    run: row.state.run,
    schedule,
    isFleet: settings.group_by !== undefined,
    buckets,
    lastSlot: lastSlotOf(row, schedule),
    unrecorded: 0,
    failures: row.failures,
    retryAt: -Infinity,
    isTaken: false,
    takenAt: -Infinity,
    controller: undefined,
  };
}

/** The slot evaluated last, counted in the current schedule. */
function lastSlotOf({ model, lastSlot, state }: LiveRow, schedule: TickSchedule): number | undefined {
  if (lastSlot === null) return undefined;
  const { intervalMs } = state;
  if (intervalMs === undefined) return lastSlot;
  return moveSlot(lastSlot, { intervalMs, phaseMs: phaseOf(model, intervalMs) }, schedule);
}

/** Applies changed settings: no slot is repeated or skipped. */
export function updateSchedule(entry: LiveModel, { schedule, buckets, settings }: Placement): void {
  entry.buckets = buckets;
  entry.isFleet = settings.group_by !== undefined;
  if (entry.lastSlot !== undefined) entry.lastSlot = moveSlot(entry.lastSlot, entry.schedule, schedule);
  entry.schedule = schedule;
}

/** Applies the result of an evaluation: the schedule of a retrained model, or a back-off that doubles with each failure. */
export function applyResult(entry: LiveModel, { end, settings }: EvaluationResult): void {
  if (settings) updateSchedule(entry, settings);
  if (end === "recorded") Object.assign(entry, { failures: 0, retryAt: -Infinity });
  if (end !== "failed") return;
  const { schedule, failures, lastSlot = 0 } = entry;
  const maxSlots = Math.max(1, Math.floor(MAX_BACKOFF_MS / schedule.intervalMs));
  entry.failures++;
  entry.retryAt = startOfSlot(schedule, lastSlot + Math.min(2 ** Math.min(failures, 20), maxSlots));
}
