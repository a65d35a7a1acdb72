// Drift detection by the decayed share of rare points, with hysteresis; pure.

/** Time constant of the share, ms. */
const MEMORY_MS = 43_200_000;
/** Least time constant in points, for long intervals. */
const MIN_POINTS = 48;
/** Least number of points kept when drift starts: with fewer, an anomaly of hours would redefine rarity. */
const MIN_POINTS_KEPT = 500;
/** Rarity of a rare point: one normal point in a hundred, in decades. */
const RARE_DECADES = 2;
/** Shares of rare points above which drift starts, and below which it ends; 0.01 is normal. */
const START_SHARE = 0.2;
const END_SHARE = 0.1;

/** State of the drift detection; JSON. */
export interface DriftMemory {
  /** Exponentially decayed share of rare points, 0..1. */
  readonly share: number;
  /** Start of the first interval of the drift, ms since the epoch; absent without drift. */
  readonly sinceAt?: number;
}

export const noDrift: DriftMemory = { share: 0 };

interface ScoredRarity {
  /** Start of the interval, ms since the epoch. */
  readonly at: number;
  /** Decades. */
  readonly rarity: number;
  readonly intervalMs: number;
}

/** Time constant of the share, in points. */
function memoryPoints(intervalMs: number): number {
  return Math.max(MIN_POINTS, MEMORY_MS / intervalMs);
}

/** Weight of all earlier points once drift starts, in points. */
export function pointsKeptAtDrift(intervalMs: number): number {
  return Math.max(MIN_POINTS_KEPT, memoryPoints(intervalMs));
}

/**
 * Advances by one point. Rarity is the rank among all earlier points, so the share of rare points falls again as the
 * ranks adapt to the new behaviour.
 */
export function stepDrift(memory: DriftMemory, { at, rarity, intervalMs }: ScoredRarity): DriftMemory {
  const points = memoryPoints(intervalMs);
  const share = memory.share + (Number(rarity > RARE_DECADES) - memory.share) / points;
  const { sinceAt } = memory;
  if (sinceAt === undefined) return share > START_SHARE ? { share, sinceAt: at } : { share };
  return share < END_SHARE ? { share } : { share, sinceAt };
}
