// Matrix profile (Yeh et al., ICDM 2016) within a lag: distances of windows from the nearest earlier or later one.
import { createYielder } from "../../runtime/steps.ts";
import { MAX_LAG } from "./neighbours/quanta.ts";
import { MIN_LAG, toDistance } from "./neighbours/windows.ts";

interface ProfileOptions {
  /** Length of the windows, in points. */
  readonly span: number;
  /** 1 = no window ends here that others may be compared with; as long as the series. */
  readonly barred: Uint8Array;
  readonly signal: AbortSignal;
}

/**
 * Mean distance of the windows that contain a point, each from the nearest window that does not overlap with it, at most
 * `MAX_LAG` points earlier or later: a window that merely ends in an anomaly says less about its other points.
 * @param quanta the series without gaps, see `quantise`; sums of integers are exact, whatever their order
 * @returns by point, in deviations; NaN where no window has another to be compared with
 * @throws TorusError `canceled` or `deadline` if the signal is aborted
 */
export async function profileOf(quanta: Float64Array, options: ProfileOptions): Promise<Float64Array> {
  const least = await nearestSums(quanta, options);
  const { span } = options;
  const distances = least.map((sum) =>
    sum === Number.POSITIVE_INFINITY ? Number.NaN : toDistance(sum, span),
  );
  return meansAround(distances, span);
}

/** Least sums of squared differences by the last point of a window; infinite where there is nothing to compare with. */
async function nearestSums(
  quanta: Float64Array,
  { span, barred, signal }: ProfileOptions,
): Promise<Float64Array> {
  const least = new Float64Array(quanta.length).fill(Number.POSITIVE_INFINITY);
  const yieldIfDue = createYielder(signal);
  const end = Math.min(MAX_LAG, quanta.length - span);
  for (let lag = Math.max(MIN_LAG, span); lag <= end; lag++) {
    compareAtLag(quanta, { lag, span, barred, least });
    await yieldIfDue();
  }
  return least;
}

interface Lag {
  readonly lag: number;
  readonly span: number;
  readonly barred: Uint8Array;
  /** Updated in place. */
  readonly least: Float64Array;
}

/** Compares all windows that are `lag` points apart. */
function compareAtLag(quanta: Float64Array, { lag, span, barred, least }: Lag): void {
  let sum = 0;
  for (let k = lag; k < lag + span - 1; k++) {
    const difference = quanta[k]! - quanta[k - lag]!;
    sum += difference * difference;
  }
  for (let later = lag + span - 1; later < quanta.length; later++) {
    const earlier = later - lag;
    const difference = quanta[later]! - quanta[earlier]!;
    sum += difference * difference;
    if (sum < least[later]! && barred[earlier] === 0) least[later] = sum;
    if (sum < least[earlier]! && barred[later] === 0) least[earlier] = sum;
    const leaving = quanta[later - span + 1]! - quanta[earlier - span + 1]!;
    sum -= leaving * leaving;
  }
}

/** Mean of the values from a point to `span - 1` points later, NaN left out. */
function meansAround(values: Float64Array, span: number): Float64Array {
  const sums = new Float64Array(values.length + 1);
  const counts = new Float64Array(values.length + 1);
  for (const [i, value] of values.entries()) {
    const isKnown = !Number.isNaN(value);
    sums[i + 1] = sums[i]! + (isKnown ? value : 0);
    counts[i + 1] = counts[i]! + Number(isKnown);
  }
  return values.map((_, i) => {
    const end = Math.min(values.length, i + span);
    return (sums[end]! - sums[i]!) / (counts[end]! - counts[i]!);
  });
}
