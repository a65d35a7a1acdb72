// Fit of the joint detector to the columns that the features of one training were fitted to.
import type { Grid } from "../../../core/series/grid.ts";
import { finishInSteps } from "../../../runtime/steps.ts";
import { type Joint, jointSteps } from "../../joint/joint.ts";
import { MAX_STANDARDISED, type Standardisation } from "../../series.ts";

/** Training column of a feature, in units of the data; its range may be a part of the training's. */
export interface TrainedColumn {
  readonly startAt: number;
  /** NaN = missing. */
  readonly column: Float64Array;
  readonly standardisation: Standardisation;
}

/** @returns undefined of one feature, and of too few points @throws TorusError `canceled` */
export async function fitJoint(
  features: readonly TrainedColumn[],
  { startAt, intervalMs, length }: Pick<Grid, "startAt" | "intervalMs" | "length">,
  signal: AbortSignal,
): Promise<Joint | undefined> {
  if (features.length < 2) return undefined;
  const columns = features.map((feature) => {
    const whole = new Float64Array(length).fill(Number.NaN);
    const from = (feature.startAt - startAt) / intervalMs;
    for (const [i, value] of feature.column.entries())
      whole[from + i] = toStandardised(value, feature.standardisation);
    return whole;
  });
  return await finishInSteps(jointSteps({ startAt, intervalMs, columns }), signal);
}

/** In deviations of the training, limited as the input of the network is; NaN = missing. */
export function toStandardised(value: number, { mean, deviation }: Standardisation): number {
  return Math.max(-MAX_STANDARDISED, Math.min(MAX_STANDARDISED, (value - mean) / deviation));
}
