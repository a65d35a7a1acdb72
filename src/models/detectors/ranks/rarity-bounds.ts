// Rarity bounds: the least and greatest rarity of a point, applied to its ranks; pure.
import type { RarityBounds } from "../usual-outliers.ts";
import type { Ranked } from "./normal-ranks.ts";

/** Factor by which a rarity is raised at most: what became normal to all detectors stays so. */
const MAX_RAISE = 2;

/** The rarity within bounds, decades. */
export function boundTo(bounds: RarityBounds | undefined, rarity: number): number {
  if (!bounds) return rarity;
  const { least, most } = bounds;
  return Math.max(Math.min(least, MAX_RAISE * rarity), Math.min(most, rarity));
}

/** Every rarity of a point within bounds, but those of its detectors; and what bounds it. */
export function boundRanked(ranked: Ranked, bounds: RarityBounds | undefined): Ranked {
  if (!bounds) return ranked;
  const { rarity, peak, ofValue } = ranked;
  return {
    ...ranked,
    rarity: boundTo(bounds, rarity),
    boundBy: bounds.by,
    peak: boundTo(bounds, peak),
    ...(ofValue !== undefined && { ofValue: boundTo(bounds, ofValue) }),
  };
}
