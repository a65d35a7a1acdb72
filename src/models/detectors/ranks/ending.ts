// End of an anomaly: after some usual values, more the more it flickers; a spike ends with the first one; pure.
import type { Thresholds } from "../../../core/anomaly/state.ts";

/** Points of an anomaly that tell how much it flickers. */
const RECENT_POINTS = 8;
/** Usual values beyond the first that end an anomaly: a clear one, and one that never is. */
const HELD = { clear: 1, doubtful: 4 };
/** Longest time that they take, ms. */
const MOST_HELD_MS = 20 * 60_000;

/** How near an anomaly is to its end; JSON. */
export interface Ending {
  /** Share of its recent points below the threshold at which anomalies start, 0..1. */
  readonly doubtful: number;
  /** Usual values since the last clear one. */
  readonly usual: number;
}

export const freshEnding: Ending = { doubtful: 0, usual: 0 };

/** After one point more. @param score of its value alone, 0..100 */
export function stepEnding({ doubtful, usual }: Ending, score: number, { min, max }: Thresholds): Ending {
  if (score < min) return { doubtful, usual: usual + 1 };
  const isDoubtful = score < max;
  return {
    doubtful: doubtful + (Number(isDoubtful) - doubtful) / RECENT_POINTS,
    usual: isDoubtful ? usual : 0,
  };
}

/** Whether one more usual value ends an anomaly of so many points, the usual ones among them. */
export function endsWithNext({ doubtful, usual }: Ending, points: number, intervalMs: number): boolean {
  const held = Math.round(HELD.clear + (HELD.doubtful - HELD.clear) * doubtful);
  // A spike of one or two intervals is over when the next one is usual.
  return usual >= Math.min(held, Math.floor((points - usual - 1) / 2), Math.floor(MOST_HELD_MS / intervalMs));
}
