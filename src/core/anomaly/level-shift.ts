// Step of a feature to another level, which is its normal level from then on.
import { HOUR_MS } from "../time/time.ts";

/** How far the start of a step may be from `sinceAt`. */
export const SINCE_SLACK_MS = 3 * HOUR_MS;

export interface LevelShift {
  readonly feature: string;
  /** Start of the first interval of which the new level is the normal one, ms since the epoch. */
  readonly at: number;
  /** Start of the step, ms since the epoch; known to three hours. */
  readonly sinceAt: number;
  /** Usual value at that time before and after, in units of the data. */
  readonly from: number;
  readonly to: number;
}
