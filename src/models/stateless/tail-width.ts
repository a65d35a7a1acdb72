// Width of the band of noise with a heavy tail, as of latencies: as few points lie beyond as of other noise; pure.
import { medianOf } from "../stats/median.ts";
import { quantileOf } from "../stats/outliers.ts";
import { bandWidthOf } from "./tolerance-band.ts";

/** Sensitivity at which tails are measured, whichever is asked for: a narrower band finds no fewer anomalies. */
const MEASURED_SENSITIVITY = 95;
/** Share of normal noise beyond that width. */
const NORMAL_SHARE = 1.4e-4;
/** Least number of separate stretches beyond the width, and their share of the points, with which they are not rare. */
const RECURRENCE = { count: 5, share: 0.005 };
/** That share where most of them are single points, as of noise: an anomaly mostly lasts. */
const SINGLE_SHARE = 0.001;
/** Points within the width after which a stretch has ended. */
const QUIET_POINTS = 5;
/** Multiple of the width up to which a tail begins, and its least share there: anomalies lie further out, beyond a gap. */
const NEAR = { width: 1.7, share: 1 / 2 };

/**
 * Factor by which the band of normal noise is too narrow: 1, or where an exponential tail is as rare as normal noise.
 * @param sizes residuals in deviations; NaN = missing
 */
export function tailFactor(sizes: Float64Array): number {
  const width = bandWidthOf(MEASURED_SENSITIVITY);
  const stretches = stretchesBeyond(width, sizes);
  const peaks = Float64Array.from(stretches, ({ peak }) => peak);
  const share = peaks.length / sizes.length;
  const isSingle = medianOf(Float64Array.from(stretches, ({ points }) => points)) === 1;
  if (peaks.length < RECURRENCE.count || share < (isSingle ? SINGLE_SHARE : RECURRENCE.share)) return 1;
  if (quantileOf(peaks.toSorted(), NEAR.share) > NEAR.width * width) return 1;
  const perHalving = medianOf(peaks) - width;
  return 1 + (perHalving * Math.log2(share / NORMAL_SHARE)) / width;
}

interface Stretch {
  /** Largest size in it. */
  readonly peak: number;
  readonly points: number;
}

/** Stretches beyond the width: a burst counts once. */
function stretchesBeyond(width: number, sizes: Float64Array): readonly Stretch[] {
  const stretches: Stretch[] = [];
  let last = Number.NEGATIVE_INFINITY;
  for (const [i, size] of sizes.entries()) {
    if (!(size > width)) continue;
    const isNew = i - last > QUIET_POINTS;
    const { peak, points } = isNew ? { peak: 0, points: 0 } : stretches.pop()!;
    stretches.push({ peak: Math.max(size, peak), points: points + 1 });
    last = i;
  }
  return stretches;
}
