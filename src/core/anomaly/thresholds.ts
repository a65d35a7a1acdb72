// Thresholds of which only one is said: what the other is then; pure.
import type { Thresholds } from "./state.ts";

/** Thresholds with another `max`; `min` keeps its share of it, rounded to a tenth, never above it. */
export function withMax({ min, max }: Thresholds, wanted: number): Thresholds {
  const share = max > 0 ? (min / max) * wanted : 0;
  return { max: wanted, min: Math.min(Math.round(share * 10) / 10 || share, wanted) };
}

/**
 * What is not given is as in `base`: `min` with its share of the given `max`, `max` at least at the given `min`.
 * @param given 0..100, each may be absent
 */
export function completeThresholds(
  { min, max }: { readonly min?: number | undefined; readonly max?: number | undefined },
  base: Thresholds,
): Thresholds {
  if (max !== undefined) return { max, min: min ?? withMax(base, max).min };
  return min === undefined ? base : { max: Math.max(base.max, min), min };
}
