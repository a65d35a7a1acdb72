// End of an anomaly: after some usual values, more the more it flickers; a spike ends with the first one; pure.
import type { Thresholds } from "../../../core/anomaly/state.ts";

/** Points of an anomaly that tell how much it flickers. */
const RECENT_POINTS = 8;
/** Usual values beyond the first that end an anomaly: a clear one, and one that never is. */
const HELD = { clear: 1, doubtful: 4 };
/** Longest time that they take, ms. */
export const MOST_HELD_MS = 20 * 60_000;

/**
 * Longest time between an anomaly and the next one at which they are parts of one incident, ms, and how much longer than
 * that the usual values after the next one have to be: a leak shows at the summits of a sawtooth.
 */
const MAX_GAP_MS = 60 * 60_000;
const LONGER = 1.5;

/** How near an anomaly is to its end; JSON. */
export interface Ending {
  /** Share of its recent points below the threshold at which anomalies start, 0..1. */
  readonly doubtful: number;
  /** Usual values since the last clear one. */
  readonly usual: number;
  /** Usual values between it and the anomaly before, until as many in a row were not; absent where that is long ago. */
  readonly gap?: number;
  /** Points of it in a row, as long as there is a gap. */
  readonly inRow?: number;
}

export const freshEnding: Ending = { doubtful: 0, usual: 0 };

/** Of an anomaly that begins after so many usual values since the end of one. */
export function endingAfter({ usual }: Ending, since: number, intervalMs: number): Ending {
  const gap = usual + since;
  return gap * intervalMs <= MAX_GAP_MS ? { ...freshEnding, gap, inRow: 0 } : freshEnding;
}

/** After one point more. @param score of its value alone, 0..100 */
export function stepEnding(
  { doubtful, usual, gap, inRow = 0 }: Ending,
  score: number,
  { min, max }: Thresholds,
): Ending {
  if (score < min) return { doubtful, usual: usual + 1, ...(gap && { gap, inRow: 0 }) };
  const isDoubtful = score < max;
  return {
    ...(gap && inRow < gap && { gap, inRow: inRow + 1 }),
    doubtful: doubtful + (Number(isDoubtful) - doubtful) / RECENT_POINTS,
    usual: isDoubtful ? usual : 0,
  };
}

/** Whether one more usual value ends an anomaly of so many points, the usual ones among them. */
export function endsWithNext(
  { doubtful, usual, gap = 0 }: Ending,
  points: number,
  intervalMs: number,
): boolean {
  if (usual < Math.round(LONGER * gap)) return false;
  const held = Math.round(HELD.clear + (HELD.doubtful - HELD.clear) * doubtful);
  // A spike of one or two intervals is over when the next one is usual.
  return usual >= Math.min(held, Math.floor((points - usual - 1) / 2), Math.floor(MOST_HELD_MS / intervalMs));
}
