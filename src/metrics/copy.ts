// Copies of an interval's values, which a reducer may put in another order.

/** Larger copies are not kept. */
const MAX_KEPT = 65_536;
let kept = new Float64Array(1024);

/** A copy that holds until the next one is made. */
export function copyValues(values: Float64Array): Float64Array {
  const { length } = values;
  if (length > MAX_KEPT) return values.slice();
  if (length > kept.length) kept = new Float64Array(Math.min(2 * length, MAX_KEPT));
  kept.set(values);
  return kept.subarray(0, length);
}
