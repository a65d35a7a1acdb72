// Causal scoring: the last point of every window, from the past alone, as in live detection.
import { Canceled, type Control } from "../control.ts";
import type { ScoreResult, ScoreTask } from "../protocol.ts";
import type { SessionCache } from "../sessions.ts";
import { createPredictor, type Distribution } from "./predictor.ts";
import { copyWindow, type MaskedSeries, RowBuffer, toMasked } from "./windows.ts";

/** Windows after a rejection depend on it: batches start small, and double while no point is rejected. */
const FIRST_BATCH = 4;
/**
 * A point is rejected only if at least this share of its window is observed and accepted. Otherwise a lasting change of
 * level would be rejected for good, and few points predict poorly.
 */
const MIN_ACCEPTED_SHARE = 0.5;

/** @throws Canceled */
export async function score(task: ScoreTask, sessions: SessionCache, control: Control): Promise<ScoreResult> {
  const { shape, series } = task;
  const length = series.values.length;
  const predictor = await createPredictor(sessions, { ...task, columns: "last" }, task.options);
  const masked = toMasked(series);
  const result = emptyResult(length);
  for (const [at, flag] of (task.rejected ?? []).entries()) if (flag === 1) reject(result, masked, at);
  let batch = task.rejectAbove === undefined || task.clean ? predictor.capacity : FIRST_BATCH;
  const buffer = new RowBuffer(shape);
  for (let end = shape.window - 1; end < length; ) {
    if (control.isCanceled()) throw new Canceled();
    const count = Math.min(batch, predictor.capacity, length - end);
    const rows = buffer.take(count);
    for (let row = 0; row < count; row++)
      copyWindow(masked, rows, { start: end - shape.window + 1 + row, row, shape });
    const distribution = await predictor.run(rows);
    const accepted = acceptRows(task, { result, masked, distribution, end, count });
    batch = accepted < count ? FIRST_BATCH : batch * 2;
    end += accepted;
    control.report({ step: end, maxSteps: length });
  }
  return result;
}

function emptyResult(length: number): ScoreResult {
  const nan = () => new Float32Array(length).fill(Number.NaN);
  return { mean: nan(), deviation: nan(), nll: nan(), rejected: new Uint8Array(length) };
}

interface BatchOutcome {
  readonly result: ScoreResult;
  readonly masked: MaskedSeries;
  readonly distribution: Distribution;
  readonly end: number;
  readonly count: number;
}

/** Keeps results up to the first rejected point, which is missing for later windows. @returns the number kept */
function acceptRows(task: ScoreTask, { result, masked, distribution, end, count }: BatchOutcome): number {
  for (let row = 0; row < count; row++) {
    const at = end + row;
    const nll = task.series.observed[at] === 1 ? distribution.nll[row]! : Number.NaN;
    result.mean[at] = distribution.mean[row]!;
    result.deviation[at] = distribution.deviation[row]!;
    result.nll[at] = nll;
    if (
      task.rejectAbove !== undefined &&
      nll > task.rejectAbove &&
      mayReject(masked, at, task.shape.window)
    ) {
      reject(result, masked, at);
      return row + 1;
    }
  }
  return count;
}

function reject({ rejected }: ScoreResult, masked: MaskedSeries, at: number): void {
  rejected[at] = 1;
  masked.values[at] = 0;
  masked.mask[at] = 0;
}

function mayReject({ mask }: MaskedSeries, at: number, window: number): boolean {
  let accepted = 0;
  for (let i = Math.max(0, at - window + 1); i < at; i++) accepted += mask[i]!;
  return accepted >= window * MIN_ACCEPTED_SHARE;
}
