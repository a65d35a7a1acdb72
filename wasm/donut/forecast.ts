// Forecasts by imputation: future points are missing points at the end of a window.
import { Canceled, type Control } from "../control.ts";
import type { DonutShape, ForecastResult, ForecastTask } from "../protocol.ts";
import type { SessionCache } from "../sessions.ts";
import { createPredictor } from "./predictor.ts";
import { createRows, type MaskedSeries, type Rows, toMasked } from "./windows.ts";

/** Share of a window that is imputed at once; longer horizons continue from the forecast. */
const BLOCK_SHARE = 0.5;

/** @throws Canceled */
export async function forecast(
  task: ForecastTask,
  sessions: SessionCache,
  control: Control,
): Promise<ForecastResult> {
  const { shape, horizon, count = 1, conditionsAhead: ahead = new Float32Array(0) } = task;
  const { window, condition: size = 0 } = shape;
  const block = Math.max(1, Math.floor(window * BLOCK_SHARE));
  const predictor = await createPredictor(sessions, { ...task, columns: "all" }, task.options);
  const rows = lastWindows(toMasked(task.series), shape, count);
  const mean = new Float32Array(count * horizon);
  const deviation = new Float32Array(count * horizon);
  for (let done = 0; done < horizon; ) {
    if (control.isCanceled()) throw new Canceled();
    const length = Math.min(block, horizon - done);
    const last = done + length - 1;
    for (let row = 0; row < count; row++) {
      shiftLeft(rowOf(rows, row, window), length);
      const from = (row * horizon + last) * size;
      rows.condition.set(ahead.subarray(from, from + size), row * size);
    }
    const distribution = await predictor.run(rows);
    for (let row = 0; row < count; row++)
      for (let k = 0; k < length; k++) {
        const [at, lead] = [window - length + k, row * horizon + done + k];
        // Point-major: the first points of all windows, then the second ones.
        const found = at * count + row;
        mean[lead] = distribution.mean[found]!;
        deviation[lead] = distribution.deviation[found]!;
        rows.x[row * window + at] = mean[lead]!;
        rows.mask[row * window + at] = 1;
      }
    done += length;
    control.report({ step: done, maxSteps: horizon });
  }
  return { mean, deviation };
}

/** The last window of each of the series that are joined; points before them are missing. */
function lastWindows(source: MaskedSeries, shape: DonutShape, count: number): Rows {
  const rows = createRows(count, shape);
  const length = source.values.length / count;
  const kept = Math.min(shape.window, length);
  for (let row = 0; row < count; row++) {
    const end = (row + 1) * length;
    const at = (row + 1) * shape.window - kept;
    rows.x.set(source.values.subarray(end - kept, end), at);
    rows.mask.set(source.mask.subarray(end - kept, end), at);
  }
  return rows;
}

function rowOf({ x, mask }: Rows, row: number, width: number): MaskedSeries {
  const [from, to] = [row * width, (row + 1) * width];
  return { values: x.subarray(from, to), mask: mask.subarray(from, to) };
}

/** Appends `count` missing points, dropping the oldest. */
function shiftLeft({ values, mask }: MaskedSeries, count: number): void {
  values.copyWithin(0, count);
  mask.copyWithin(0, count);
  values.fill(0, values.length - count);
  mask.fill(0, mask.length - count);
}
