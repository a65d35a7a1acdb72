// End of an anomaly: after some usual values, more the more it flickers; a spike ends with the first one; pure.
import type { Thresholds } from "../../../core/anomaly/state.ts";

/** Points of an anomaly that tell how much it flickers. */
const RECENT_POINTS = 8;
/** Usual values beyond the first that end an anomaly: a clear one, and one that never is. */
const HELD = { clear: 1, doubtful: 4 };
/** Longest time that they take, ms. */
export const MOST_HELD_MS = 20 * 60_000;

/**
 * Longest gap between two anomalies that may be parts of one incident, ms: a leak shows at the summits of a sawtooth.
 * The third of three, after a gap of at most `MOST_UNEVEN` times the one before, ends after usual values for `LONGER`
 * times its gap.
 */
const MAX_GAP_MS = 60 * 60_000;
const MOST_UNEVEN = 4;
const LONGER = 1.5;

/** How near an anomaly is to its end; JSON. */
export interface Ending {
  /** Share of its recent points below the threshold at which anomalies start, 0..1. */
  readonly doubtful: number;
  /** Usual values since the last clear one. */
  readonly usual: number;
  /** Usual values between it and the anomaly before, until as many in a row were not; absent where that is long ago. */
  readonly gap?: number;
  /** Whether the anomaly before began after a gap like this one. */
  readonly comesAgain?: true;
  /** Points of it in a row, as long as there is a gap. */
  readonly inRow?: number;
}

export const freshEnding: Ending = { doubtful: 0, usual: 0 };

/** Of an anomaly that begins after so many usual values since the end of one. */
export function endingAfter({ usual, gap: before = 0 }: Ending, since: number, intervalMs: number): Ending {
  const gap = usual + since;
  if (gap * intervalMs > MAX_GAP_MS) return freshEnding;
  return { ...freshEnding, gap, inRow: 0, ...(gap <= MOST_UNEVEN * before && { comesAgain: true }) };
}

/** After one point more. @param score of its value alone, 0..100 */
export function stepEnding(
  { doubtful, usual, gap, inRow = 0, comesAgain }: Ending,
  score: number,
  { min, max }: Thresholds,
): Ending {
  const before = gap && { gap, ...(comesAgain && { comesAgain }) };
  if (score < min) return { doubtful, usual: usual + 1, ...(before && { ...before, inRow: 0 }) };
  const isDoubtful = score < max;
  return {
    ...(before && inRow < before.gap && { ...before, inRow: inRow + 1 }),
    doubtful: doubtful + (Number(isDoubtful) - doubtful) / RECENT_POINTS,
    usual: isDoubtful ? usual : 0,
  };
}

/** Whether one more usual value ends an anomaly of so many points, the usual ones among them. */
export function endsWithNext(
  { doubtful, usual, gap = 0, comesAgain }: Ending,
  points: number,
  intervalMs: number,
): boolean {
  if (comesAgain && usual < Math.round(LONGER * gap)) return false;
  const held = Math.round(HELD.clear + (HELD.doubtful - HELD.clear) * doubtful);
  // A spike of one or two intervals is over when the next one is usual.
  return usual >= Math.min(held, Math.floor((points - usual - 1) / 2), Math.floor(MOST_HELD_MS / intervalMs));
}
