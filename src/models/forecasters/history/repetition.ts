// Whether a history of two cycles repeats itself rather than breaks, as two weeks with weekends do; pure.

/** Numbers of a segment: its line, and its place among the values. */
const SEGMENT_NUMBERS = 3;
/** Pairs of values a cycle apart that tell. */
const MIN_PAIRS = 5;

/**
 * Compares a cycle that repeats, at a level that may change from one to the next, with the segments of a history, each as
 * likely as the values make it for the numbers that it takes (Schwarz 1978).
 * @param column NaN = missing
 * @param length of the cycle, in intervals
 * @param rest distances of the values from the segments; NaN where they are missing
 * @param segments number of these
 */
export function repeats(
  column: Float64Array,
  {
    length,
    rest,
    segments,
  }: { readonly length: number; readonly rest: Float64Array; readonly segments: number },
): boolean {
  const lag = Math.round(length);
  const changes = column.subarray(lag).map((value, i) => value - column[i]!);
  const present = changes.filter(Number.isFinite);
  const values = rest.filter(Number.isFinite);
  if (present.length < MIN_PAIRS) return false;
  const mean = present.reduce((sum, value) => sum + value, 0) / present.length;
  // Of a pair each value is half of the change away from their mean.
  const ofPairs = present.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 2;
  const ofSegments = values.reduce((sum, value) => sum + value ** 2, 0);
  const price = (squares: number, numbers: number) =>
    values.length * Math.log(Math.max(squares, Number.MIN_VALUE)) + numbers * Math.log(values.length);
  return price(ofPairs, lag + 1) < price(ofSegments, SEGMENT_NUMBERS * segments);
}
