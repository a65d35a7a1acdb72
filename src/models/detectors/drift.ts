// Drift: whether a series still looks as it did in training, by how many of its last points are rare; pure.

/** How far back the share looks, ms: most of what it weighs is from the last day. */
const MEMORY_MS = 43_200_000;
/** Fewer points say little: the share then looks back further. */
const MIN_POINTS = 48;
/** Fewer known points do not tell what is rare: an anomaly of some hours, taken for drift, would make all else odd. */
const MIN_POINTS_KEPT = 500;
/** Decades of rarity that count: one normal point in a hundred has them. */
const RARE_DECADES = 2;
/** Drift begins above this share of rare points, where a hundredth is normal, and is over below the lower one. */
const START_SHARE = 0.2;
const END_SHARE = 0.1;

/** JSON; what is remembered of the points so far. */
export interface DriftMemory {
  /** Decayed share of rare points, 0..1: what is half a day old counts for a third. */
  readonly share: number;
  /** Start of the interval with which drift began, ms since the epoch; absent while there is none. */
  readonly sinceAt?: number;
}

export const noDrift: DriftMemory = { share: 0 };

export interface ScoredRarity {
  /** Start of the interval, ms since the epoch. */
  readonly at: number;
  /** Decades. */
  readonly rarity: number;
  readonly intervalMs: number;
}

/** Points that the share looks back over. */
function memoryPoints(intervalMs: number): number {
  return Math.max(MIN_POINTS, MEMORY_MS / intervalMs);
}

/** When drift begins, all that was before says no more than so many points. */
export function pointsKeptAtDrift(intervalMs: number): number {
  return Math.max(MIN_POINTS_KEPT, memoryPoints(intervalMs));
}

/**
 * One point on. Rarity is by rank among all points before it, so the share of rare ones falls again by itself as the
 * series gets to look like that.
 */
export function stepDrift(memory: DriftMemory, { at, rarity, intervalMs }: ScoredRarity): DriftMemory {
  const points = memoryPoints(intervalMs);
  const share = memory.share + (Number(rarity > RARE_DECADES) - memory.share) / points;
  const { sinceAt } = memory;
  if (sinceAt === undefined) return share > START_SHARE ? { share, sinceAt: at } : { share };
  return share < END_SHARE ? { share } : { share, sinceAt };
}
