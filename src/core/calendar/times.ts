// Times that lists of a recurrence rule make together, in order: each is computed when it is asked for, none is stored.

/** A sorted list. */
export interface Times {
  readonly length: number;
  at(index: number): number;
}

/** Sums of one value of each list, the last list varying fastest. @param lists sorted; a sum of later ones is less than a step of those before */
export function sumsOf(lists: readonly (readonly number[])[]): Times {
  const reversed = lists.toReversed();
  return {
    length: lists.reduce((product, list) => product * list.length, 1),
    at: (index) => {
      let [sum, rest] = [0, index];
      for (const list of reversed) {
        sum += list[rest % list.length]!;
        rest = Math.floor(rest / list.length);
      }
      return sum;
    },
  };
}

/** Those of a period that BYSETPOS names, counted from its end where negative. */
export function pick(times: Times, positions: readonly number[]): Times {
  const indexes = sorted(
    positions
      .map((position) => (position > 0 ? position - 1 : times.length + position))
      .filter((index) => index >= 0 && index < times.length),
  );
  return { length: indexes.length, at: (index) => times.at(indexes[index]!) };
}

/** Index of the first one at or after a time. */
export function firstFrom(times: Times, time: number): number {
  let [low, high] = [0, times.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (times.at(middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Without repetitions. */
export function sorted(numbers: readonly number[]): number[] {
  return [...new Set(numbers)].sort((a, b) => a - b);
}
