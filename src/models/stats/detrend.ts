// Detrending: a column without its line, its moving mean or its outliers; NaN = missing; pure.
import { fitLine } from "./line.ts";
import { MAD_TO_DEVIATION, medianOf } from "./median.ts";

/** Distance from the median at which values are clipped, in robust deviations. */
const CLIP_DEVIATIONS = 6;
/** Most that is clipped on either side: of a series that rests most of the time, all that happens is away from the median. */
const MAX_CLIPPED_SHARE = 0.05;
/** Differences up to this share of the largest value are rounding errors: some 45 units of a double's last place. */
export const ROUNDING_SHARE = 1e-14;

/** Subtracts the mean of the present values over one period around each point. */
export function removeMovingMean(column: Float64Array, period: number): Float64Array {
  const n = column.length;
  const sums = new Float64Array(n + 1);
  const counts = new Float64Array(n + 1);
  for (let i = 0; i < n; i++) {
    const present = !Number.isNaN(column[i]!);
    sums[i + 1] = sums[i]! + (present ? column[i]! : 0);
    counts[i + 1] = counts[i]! + Number(present);
  }
  // A whole period at the ends too: part of a season would bias the mean.
  const clampStart = (from: number) => Math.max(0, Math.min(n - period, from));
  const rest = new Float64Array(n);
  for (let i = 0; i < n; i++) {
    // Two windows, centred on the point also for an even period.
    const early = clampStart(i - (period >> 1));
    const late = clampStart(i - ((period - 1) >> 1));
    const sum = sums[early + period]! - sums[early]! + (sums[late + period]! - sums[late]!);
    const count = counts[early + period]! - counts[early]! + (counts[late + period]! - counts[late]!);
    rest[i] = count > 0 ? column[i]! - sum / count : Number.NaN;
  }
  return rest;
}

/** Subtracts the fitted line; rounding errors become 0. */
export function removeTrend(column: Float64Array): Float64Array {
  const line = fitLine(column);
  const largest = column.reduce((max, value) => (Math.abs(value) > max ? Math.abs(value) : max), 0);
  return column.map((value, i) => {
    const rest = value - line[i]!;
    return Math.abs(rest) <= ROUNDING_SHARE * largest ? 0 : rest;
  });
}

/** Clips outliers, which would hide every season. */
export function clipOutliers(column: Float64Array): Float64Array {
  const center = medianOf(column);
  const deviation = MAD_TO_DEVIATION * medianOf(column.map((value) => Math.abs(value - center)));
  if (!(deviation > 0)) return column;
  const sorted = column.filter((value) => !Number.isNaN(value)).sort();
  const clipped = Math.floor(MAX_CLIPPED_SHARE * sorted.length);
  const low = Math.min(center - CLIP_DEVIATIONS * deviation, sorted[clipped]!);
  const high = Math.max(center + CLIP_DEVIATIONS * deviation, sorted[sorted.length - 1 - clipped]!);
  return column.map((value) => (Number.isNaN(value) ? value : Math.min(high, Math.max(low, value))));
}
