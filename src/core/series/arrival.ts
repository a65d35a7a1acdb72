// Arrival of points: how far behind now the newest ones are, and the offset with which windows are full; pure.
import { ceilTo } from "./grid.ts";

/** Evaluations in a row that must find points behind their window: one may be chance. */
const LATE_EVALUATIONS = 3;
/** Offsets are proposed in steps of this, or of the interval where that is shorter, ms. */
const STEP_MS = 10_000;

/** JSON, kept with the state of live detection. */
export interface Arrival {
  /** End of the newest interval that holds points, ms since the epoch. */
  readonly newestAt: number;
  /** Evaluations in a row whose window was empty although points had come since the one before. */
  readonly lateCount: number;
  /** Offset with which they would not have been, ms; the largest of them. */
  readonly neededMs: number;
}

export interface Sighting {
  /** End of the newest interval that holds points, ms since the epoch. */
  readonly newestAt: number;
  /** End of the window that was evaluated. */
  readonly windowAt: number;
  readonly nowAt: number;
  readonly intervalMs: number;
}

/** Follows the newest points from one evaluation to the next. Points that stop are not late: then nothing advances. */
export function followArrival(before: Arrival | undefined, sighting: Sighting): Arrival {
  const { newestAt, windowAt } = sighting;
  if (newestAt >= windowAt) return { newestAt, lateCount: 0, neededMs: 0 };
  const { lateCount = 0, neededMs = 0 } = before ?? {};
  if (!before || newestAt <= before.newestAt) return { newestAt, lateCount, neededMs };
  return {
    newestAt,
    lateCount: Math.min(lateCount + 1, LATE_EVALUATIONS),
    neededMs: Math.max(neededMs, offsetFor(sighting)),
  };
}

/** The newest interval may still fill up, so the window has to end with the one before. */
function offsetFor({ newestAt, nowAt, intervalMs }: Sighting): number {
  return roundUp(nowAt - newestAt + intervalMs, intervalMs);
}

/** Offset that windows need, ms; undefined where points are in time. */
export function neededOffset(arrival: Arrival | undefined): number | undefined {
  return arrival && arrival.lateCount >= LATE_EVALUATIONS ? arrival.neededMs : undefined;
}

/** Arrival as a look at the newest points shows it. */
export interface Look {
  /** End of the newest bin that holds points, ms since the epoch. */
  readonly newestAt: number;
  /** Usual distance of points, ms. */
  readonly spacingMs: number;
  readonly binMs: number;
  readonly nowAt: number;
  readonly intervalMs: number;
}

/** Arrival by a close look: late where the newest point is older than two distances of points explain. */
export function arrivalOf({ newestAt, spacingMs, binMs, nowAt, intervalMs }: Look): Arrival {
  const ageMs = nowAt - newestAt;
  if (ageMs <= 2 * spacingMs + binMs) return { newestAt, lateCount: 0, neededMs: 0 };
  return { newestAt, lateCount: LATE_EVALUATIONS, neededMs: roundUp(ageMs + binMs, intervalMs) };
}

function roundUp(ms: number, intervalMs: number): number {
  return ceilTo(ms, Math.min(intervalMs, STEP_MS));
}
