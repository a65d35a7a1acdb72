// Medians of values by their place, as in a season; pure.

/**
 * Median of the present values of each place, sorted in one buffer, for there are many places of few values.
 * @param values NaN: missing
 * @returns `count` medians; NaN at places without a value
 */
export function mediansByPlace(
  values: Float64Array,
  count: number,
  placeOf: (i: number) => number,
): Float64Array {
  const ends = new Int32Array(count + 1);
  const places = new Int32Array(values.length);
  for (let i = 0; i < values.length; i++) {
    places[i] = placeOf(i);
    if (!Number.isNaN(values[i]!)) ends[places[i]! + 1]!++;
  }
  for (let place = 0; place < count; place++) ends[place + 1]! += ends[place]!;
  const sorted = new Float64Array(ends[count]!);
  const next = ends.slice();
  for (let i = 0; i < values.length; i++)
    if (!Number.isNaN(values[i]!)) sorted[next[places[i]!]!++] = values[i]!;
  return Float64Array.from({ length: count }, (_, place) => {
    const [from, to] = [ends[place]!, ends[place + 1]!];
    if (from === to) return Number.NaN;
    sorted.subarray(from, to).sort();
    const middle = (from + to) >> 1;
    return (to - from) % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
  });
}
