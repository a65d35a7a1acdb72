// Fills in the missing one of the min and max thresholds; pure.
import type { Thresholds } from "./state.ts";

/** Replaces `max`; `min` keeps its share of it, rounded to a tenth, never above it. */
export function withMax({ min, max }: Thresholds, wanted: number): Thresholds {
  const share = max > 0 ? (min / max) * wanted : 0;
  return { max: wanted, min: Math.min(Math.round(share * 10) / 10 || share, wanted) };
}

/**
 * Completes thresholds (0..100) from `base`: an absent `min` keeps its share of the given `max`, an absent `max` is at
 * least the given `min`.
 */
export function completeThresholds(
  { min, max }: { readonly min?: number | undefined; readonly max?: number | undefined },
  base: Thresholds,
): Thresholds {
  if (max !== undefined) return { max, min: min ?? withMax(base, max).min };
  return min === undefined ? base : { max: Math.max(base.max, min), min };
}
