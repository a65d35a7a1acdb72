// Forecasts by imputation: future points are missing points at the end of a window.
import { Canceled, type Control } from "../control.ts";
import type { ForecastResult, ForecastTask } from "../protocol.ts";
import type { SessionCache } from "../sessions.ts";
import { createPredictor } from "./predictor.ts";
import { type MaskedSeries, toMasked } from "./windows.ts";

/** Share of a window that is imputed at once; longer horizons continue from the forecast. */
const BLOCK_SHARE = 0.5;

/** @throws Canceled */
export async function forecast(
  task: ForecastTask,
  sessions: SessionCache,
  control: Control,
): Promise<ForecastResult> {
  const { shape, horizon, conditionsAhead: ahead = new Float32Array(0) } = task;
  const { condition: size = 0 } = shape;
  const block = Math.max(1, Math.floor(shape.window * BLOCK_SHARE));
  const predictor = await createPredictor(sessions, { ...task, columns: "all" }, task.options);
  const window = lastWindow(toMasked(task.series), shape.window);
  const mean = new Float32Array(horizon);
  const deviation = new Float32Array(horizon);
  for (let done = 0; done < horizon; ) {
    if (control.isCanceled()) throw new Canceled();
    const count = Math.min(block, horizon - done);
    shiftLeft(window, count);
    const last = done + count - 1;
    const condition = ahead.subarray(last * size, (last + 1) * size);
    const rows = { x: window.values, mask: window.mask, condition };
    const distribution = await predictor.run(rows);
    const from = shape.window - count;
    mean.set(distribution.mean.subarray(from), done);
    deviation.set(distribution.deviation.subarray(from), done);
    window.values.set(distribution.mean.subarray(from), from);
    window.mask.fill(1, from);
    done += count;
    control.report({ step: done, maxSteps: horizon });
  }
  return { mean, deviation };
}

/** The last `width` points; those before the series are missing. */
function lastWindow(source: MaskedSeries, width: number): MaskedSeries {
  const window = { values: new Float32Array(width), mask: new Float32Array(width) };
  const kept = Math.min(width, source.values.length);
  window.values.set(source.values.subarray(source.values.length - kept), width - kept);
  window.mask.set(source.mask.subarray(source.mask.length - kept), width - kept);
  return window;
}

/** Appends `count` missing points, dropping the oldest. */
function shiftLeft({ values, mask }: MaskedSeries, count: number): void {
  values.copyWithin(0, count);
  mask.copyWithin(0, count);
  values.fill(0, values.length - count);
  mask.fill(0, mask.length - count);
}
