// Bound of windows: deviations up to which windows compare values, where values beyond them came often; pure.

/** Values of the training at the bound and beyond. */
const POINTS_BEYOND = 20;
/** Least bound, in deviations: normal noise has none. */
const MIN_BOUND = 4;

/**
 * The bound of a training. A window that holds a spike is as far from others as the spike is high, for as many points as
 * the window is long: where spikes are usual, they alone would decide how rare windows are. How rare a height is, the
 * detectors of values tell.
 * @param column in units of the data; NaN = missing
 * @param location median and deviation of the column
 * @returns in deviations; undefined: windows compare values as high as they are
 */
export function findBound(
  column: Float64Array,
  { center, scale }: { readonly center: number; readonly scale: number },
): number | undefined {
  const distances = column.filter(Number.isFinite).map((value) => Math.abs(value - center) / scale);
  const bound = distances.sort()[distances.length - POINTS_BEYOND];
  return bound !== undefined && bound >= MIN_BOUND ? bound : undefined;
}
