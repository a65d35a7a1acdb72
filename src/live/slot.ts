// Slot of a live model: one evaluation within a deadline; its result moves the schedule on.
import { TorusError } from "../core/errors.ts";
import { moveSlot, startOfSlot } from "../core/time/tick.ts";
import { type EvaluationResult, runEvaluation } from "./evaluation.ts";
import { applyResult, type LiveModel } from "./live-model.ts";
import type { DueTick, EvaluationDeps } from "./task.ts";

/** How one evaluation went. */
export interface EvaluationReport {
  readonly end: EvaluationResult["end"];
  /** From the start of its slot to its own, ms. */
  readonly lateMs: number;
  readonly durationMs: number;
  /** Windows skipped before it, counted once: by the evaluation that is recorded. */
  readonly missed: number;
}

export interface SlotDeps extends Pick<EvaluationDeps, "clock" | "onError"> {
  readonly shared: EvaluationDeps;
  /** Longest evaluation, ms. */
  readonly deadlineMs: number;
  readonly onEvaluation?: (report: EvaluationReport) => void;
}

/** Evaluates a model for a slot, within its deadline. Never rejects. */
export async function evaluateSlot(
  entry: LiveModel,
  tick: DueTick,
  { clock, shared, onError, onEvaluation, ...own }: SlotDeps,
): Promise<void> {
  const { model, schedule } = entry;
  // A fleet has the time until its next evaluation, as single models in its place would.
  const deadlineMs = Math.max(own.deadlineMs, entry.isFleet ? schedule.intervalMs : 0);
  const startedAt = clock.now();
  const controller = new AbortController();
  entry.controller = controller;
  const expire = () =>
    controller.abort(new TorusError("deadline", `the evaluation took longer than ${deadlineMs / 1000} s`));
  const clearTimer = clock.setTimer(expire, deadlineMs);
  let result: EvaluationResult = { end: "failed", missed: 0 };
  try {
    result = await runEvaluation(shared, { model, tick, schedule, signal: controller.signal });
    entry.unrecorded = result.end === "nothing" ? tick.missed : 0;
  } catch (error) {
    entry.unrecorded = tick.missed + 1;
    onError(error, model);
  }
  clearTimer();
  const durationMs = clock.now() - startedAt;
  const lateMs = Math.max(0, startedAt - startOfSlot(schedule, tick.slot));
  onEvaluation?.({ end: result.end, lateMs, durationMs, missed: result.missed });
  entry.controller = undefined;
  entry.lastSlot = moveSlot(tick.slot, schedule, entry.schedule);
  applyResult(entry, result);
}
