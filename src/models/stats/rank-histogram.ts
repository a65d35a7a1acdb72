// Histogram of magnitudes on a logarithmic scale, which forgets: how rare a magnitude is among those seen; pure.

/** Bins per decade, and the range that they cover: beyond it, the outermost bin. */
const PER_DECADE = 16;
const LOWEST = 0.01;
const DECADES = 6;
const BINS = PER_DECADE * DECADES;
/** Weight above which all counts are halved, so that old values count less. */
const MAX_WEIGHT = 200_000;

/** JSON: counts by bin, without the empty bins at the end. */
export type RankHistogram = readonly number[];

/**
 * Share of the values at least as large.
 * @returns in (0, 1): never rarer than the number of values can show
 */
export function shareAbove(histogram: RankHistogram, magnitude: number): number {
  const bin = binOf(magnitude);
  let above = 0;
  let total = 0;
  for (const [i, count] of histogram.entries()) {
    total += count;
    if (i >= bin) above += count;
  }
  return (above + 1) / (total + 2);
}

/** Number of values, old ones counting less. */
export function weightOf(histogram: RankHistogram): number {
  return histogram.reduce((sum, count) => sum + count, 0);
}

/** The histogram with further magnitudes. */
export function addMagnitudes(histogram: RankHistogram, magnitudes: readonly number[]): RankHistogram {
  const counts = [...histogram];
  for (const magnitude of magnitudes) {
    const bin = binOf(magnitude);
    while (counts.length <= bin) counts.push(0);
    counts[bin]!++;
  }
  const isHeavy = weightOf(counts) > MAX_WEIGHT;
  return isHeavy ? counts.map((count) => Math.round(count / 2)) : counts;
}

function binOf(magnitude: number): number {
  if (!(magnitude > LOWEST)) return 0;
  return Math.min(BINS - 1, Math.floor(Math.log10(magnitude / LOWEST) * PER_DECADE));
}
