// Late points: follows the delay of the newest points and derives the offset at which windows are complete; pure.
import { ceilTo } from "./grid.ts";

/** Consecutive late evaluations before points count as late: one may be chance. */
const LATE_EVALUATIONS = 3;
/** Granularity of proposed offsets, or the interval if that is shorter. */
const STEP_MS = 10_000;

/** JSON, stored with the state of live detection. */
export interface Arrival {
  /** End of the newest interval that holds points, ms since the epoch. */
  readonly newestAt: number;
  /** Consecutive evaluations with an empty window although points had arrived since the previous one. */
  readonly lateCount: number;
  /** Largest offset that would have filled one of these windows, ms. */
  readonly neededMs: number;
}

interface Sighting {
  /** End of the newest interval that holds points, ms since the epoch. */
  readonly newestAt: number;
  /** End of the evaluated window. */
  readonly windowAt: number;
  readonly nowAt: number;
  readonly intervalMs: number;
}

/** Updates the arrival after an evaluation. Points that stopped are not late: their newest time does not advance. */
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

/** The newest interval may still be filling, so the window has to end with the one before. */
function offsetFor({ newestAt, nowAt, intervalMs }: Sighting): number {
  return roundUp(nowAt - newestAt + intervalMs, intervalMs);
}

/** Offset that windows need, ms; undefined if points are on time. */
export function neededOffset(arrival: Arrival | undefined): number | undefined {
  return arrival && arrival.lateCount >= LATE_EVALUATIONS ? arrival.neededMs : undefined;
}

/** Observation of the newest points. */
interface ArrivalSample {
  /** End of the newest bin that holds points, ms since the epoch. */
  readonly newestAt: number;
  /** Usual distance between points, ms. */
  readonly spacingMs: number;
  readonly binMs: number;
  readonly nowAt: number;
  readonly intervalMs: number;
}

/** Arrival from one observation: late if the newest point is older than two distances between points. */
export function arrivalOf({ newestAt, spacingMs, binMs, nowAt, intervalMs }: ArrivalSample): Arrival {
  const ageMs = nowAt - newestAt;
  if (ageMs <= 2 * spacingMs + binMs) return { newestAt, lateCount: 0, neededMs: 0 };
  return { newestAt, lateCount: LATE_EVALUATIONS, neededMs: roundUp(ageMs + binMs, intervalMs) };
}

function roundUp(ms: number, intervalMs: number): number {
  return ceilTo(ms, Math.min(intervalMs, STEP_MS));
}
