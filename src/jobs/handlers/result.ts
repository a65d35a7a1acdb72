// API view of predictions: arrays of equal length by feature, null in place of NaN.
import type { PredictionView } from "../../api/prediction.ts";
import { type Grid, sliceGrid, timestampsOf, toNullable } from "../../core/series/grid.ts";
import type { Prediction } from "../../models/kind.ts";
import { runInSteps } from "../../runtime/steps.ts";

/** @param observed observed values, as long as the prediction */
export function viewPrediction(prediction: Prediction, observed: Grid): PredictionView {
  const predicted: Record<string, readonly number[]> = {};
  for (const name of Object.keys(prediction.predicted)) {
    predicted[name] = Array.from(prediction.predicted[name]!);
    predicted[`lower_${name}`] = Array.from(prediction.lower[name]!);
    predicted[`upper_${name}`] = Array.from(prediction.upper[name]!);
  }
  const columns = Object.entries(observed.columns).map(
    ([name, column]) => [name, toNullable(column)] as const,
  );
  return { timestamps: timestampsOf(prediction.grid), observed: Object.fromEntries(columns), predicted };
}

/** Key of a level in answers: percent, as in "95". @param level share, 0..1 */
export function levelKey(level: number): string {
  return String(Math.round(level * 1e6) / 1e4);
}

/** Intervals of a prediction converted between two yields to the event loop. */
const STEP_INTERVALS = 50_000;
/** Values of a grid converted between two yields: some milliseconds of work. */
const STEP_VALUES = 50_000;

/** View of a grid; yields to the event loop between steps. @throws TorusError `canceled` */
export async function viewGridInSteps(
  grid: Grid,
  signal: AbortSignal,
): Promise<Pick<PredictionView, "timestamps" | "observed">> {
  const timestamps: number[] = [];
  const observed: Record<string, (number | null)[]> = {};
  for (const name of Object.keys(grid.columns)) observed[name] = [];
  const step = Math.max(1, Math.floor(STEP_VALUES / Object.keys(observed).length));
  await runInSteps(grid.length, { part: step, signal }, (from, to) => {
    const part = sliceGrid(grid, from, to);
    append(timestamps, timestampsOf(part));
    for (const [name, column] of Object.entries(part.columns)) append(observed[name]!, toNullable(column));
  });
  return { timestamps, observed };
}

/** As `viewPrediction`; yields to the event loop between steps. @throws TorusError `canceled` */
export async function viewPredictionInSteps(
  prediction: Prediction,
  observed: Grid,
  signal: AbortSignal,
): Promise<PredictionView> {
  if (observed.length <= STEP_INTERVALS) return viewPrediction(prediction, observed);
  const view = { timestamps: [] as number[], observed: {}, predicted: {} };
  await runInSteps(observed.length, { part: STEP_INTERVALS, signal }, (from, to) => {
    const { timestamps, ...columns } = viewPrediction(
      cutPrediction(prediction, from, to),
      sliceGrid(observed, from, to),
    );
    append(view.timestamps, timestamps);
    for (const kind of ["observed", "predicted"] as const)
      for (const [name, column] of Object.entries(columns[kind])) {
        const whole: Record<string, (number | null)[]> = view[kind];
        whole[name] ??= [];
        append(whole[name], column);
      }
  });
  return view;
}

function append<T>(list: T[], more: readonly T[]): void {
  for (const item of more) list.push(item);
}

function cutPrediction({ grid, predicted, lower, upper }: Prediction, from: number, to: number): Prediction {
  const cut = (columns: Prediction["predicted"]) =>
    Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, column.subarray(from, to)]));
  return {
    grid: sliceGrid(grid, from, to),
    predicted: cut(predicted),
    lower: cut(lower),
    upper: cut(upper),
  };
}
