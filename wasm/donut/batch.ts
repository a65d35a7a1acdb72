// Batch scoring: every point at every position of the windows that hold it, later points included.
import { Canceled, type Control } from "../control.ts";
import type { BatchResult, BatchTask } from "../protocol.ts";
import type { SessionCache } from "../sessions.ts";
import { createPredictor } from "./predictor.ts";
import { copyWindow, RowBuffer, toMasked } from "./windows.ts";

/** Windows of one run. */
const MAX_WINDOWS = 64;

/**
 * Scores a point by its median over the windows that hold it, so that no single window decides.
 * @throws Canceled
 */
export async function scoreBatch(
  task: BatchTask,
  sessions: SessionCache,
  control: Control,
): Promise<BatchResult> {
  const { shape, series, stride } = task;
  const { window } = shape;
  const length = series.values.length;
  const predictor = await createPredictor(sessions, { ...task, columns: "all" }, task.options);
  const masked = toMasked(series);
  const seen = new WindowDensities(length, Math.ceil(window / stride) + 1);
  const starts = startsOf(length, window, stride);
  const rows = Math.min(MAX_WINDOWS, predictor.capacity);
  const buffer = new RowBuffer(shape);
  for (let done = 0; done < starts.length; done += rows) {
    if (control.isCanceled()) throw new Canceled();
    const batch = starts.subarray(done, done + rows);
    const input = buffer.take(batch.length);
    for (const [row, start] of batch.entries()) copyWindow(masked, input, { start, row, shape });
    const { nll } = await predictor.run(input);
    // Point-major: the first points of all windows, then the second ones.
    for (const [row, start] of batch.entries())
      for (let k = 0; k < window; k++)
        if (series.observed[start + k] === 1) seen.add(start + k, nll[k * batch.length + row]!);
    control.report({ step: done + batch.length, maxSteps: starts.length });
  }
  return { nll: seen.medians() };
}

/** Every `stride`-th window, and the last one. */
function startsOf(length: number, window: number, stride: number): Int32Array {
  const last = length - window;
  if (last < 0) return new Int32Array(0);
  const count = Math.floor(last / stride) + 1;
  const starts = Array.from({ length: count }, (_, i) => i * stride);
  if (starts.at(-1) !== last) starts.push(last);
  return Int32Array.from(starts);
}

/** Negative log densities of each point, one per window that holds it. */
class WindowDensities {
  readonly #values: Float32Array;
  readonly #counts: Uint16Array;

  constructor(
    private readonly length: number,
    private readonly most: number,
  ) {
    this.#values = new Float32Array(length * most);
    this.#counts = new Uint16Array(length);
  }

  add(point: number, value: number): void {
    const count = this.#counts[point]!;
    if (count === this.most) return;
    this.#values[point * this.most + count] = value;
    this.#counts[point] = count + 1;
  }

  /** Median per point; NaN without windows. */
  medians(): Float32Array {
    return Float32Array.from({ length: this.length }, (_, point) => {
      const count = this.#counts[point]!;
      if (count === 0) return Number.NaN;
      const sorted = this.#values.slice(point * this.most, point * this.most + count).sort();
      const middle = count >> 1;
      return count % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
    });
  }
}
