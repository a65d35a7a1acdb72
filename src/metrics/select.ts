// Selection: the value that would stand at a place if the values were sorted, without sorting them all.

/**
 * The value at `place` (from 0) if the first `count` values were in ascending order, -0 before 0. Moves them about:
 * none before `place` is greater than the answer, none behind it less.
 * @param values no NaN among them
 * @param count more than `place`; absent: all
 */
export function selectValue(values: Float64Array, place: number, count = values.length): number {
  let low = 0;
  let high = count - 1;
  // Values laid out to defeat the choice of the pivot would take quadratic time.
  let rounds = 2 * Math.ceil(Math.log2(count + 1));
  while (low < high) {
    if (rounds-- === 0) {
      values.subarray(low, high + 1).sort();
      break;
    }
    const pivot = middleOf(values[low]!, values[(low + high) >> 1]!, values[high]!);
    let i = low;
    let j = high;
    while (i <= j) {
      while (values[i]! < pivot) i++;
      while (values[j]! > pivot) j--;
      if (i > j) break;
      const value = values[i]!;
      values[i++] = values[j]!;
      values[j--] = value;
    }
    if (place <= j) high = j;
    else if (place >= i) low = i;
    else break;
  }
  const found = values[place]!;
  return found === 0 ? zeroAt(values, place, count) : found;
}

function middleOf(a: number, b: number, c: number): number {
  if (a < b) return b < c ? b : Math.max(a, c);
  return a < c ? a : Math.max(b, c);
}

/** Zeros compare as equal; in order, those with a sign come first. */
function zeroAt(values: Float64Array, place: number, count: number): number {
  let before = 0;
  for (let i = 0; i < count; i++) if (values[i]! < 0 || Object.is(values[i], -0)) before++;
  return place < before ? -0 : 0;
}
