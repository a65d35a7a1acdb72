// Peer: seasonal median residual. How far a value lies from the median of its time of day in the training part.
import type { Grid } from "../series.ts";
import { medianOf } from "./median.ts";

const DAY_SECONDS = 86_400;

/** @param trainTo end of the training part. @returns absolute residuals in units of the data; NaN = missing */
export function seasonalMedian({ values, step, startAt }: Grid, trainTo: number): Float64Array {
  const slots = Math.max(1, Math.round(DAY_SECONDS / step));
  const first = Math.round(startAt / step);
  const slotOf = (i: number) => (first + i) % slots;
  const seen = Array.from({ length: slots }, (): number[] => []);
  for (let i = 0; i < trainTo; i++) if (Number.isFinite(values[i]!)) seen[slotOf(i)]!.push(values[i]!);
  const overall = medianOf(seen.flat());
  const medians = seen.map((slot) => (slot.length > 0 ? medianOf(slot) : overall));
  return values.map((value, i) => Math.abs(value - medians[slotOf(i)]!));
}
