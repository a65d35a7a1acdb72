// Rest of a series: one value for a day or longer, as of a service that is off, which its seasons would wake again; pure.

/** Least number of values. */
const MIN_VALUES = 12;
/** Least length as a multiple of the longest earlier run of one value. */
const LONGER = 2;
/** Runs up to this length are chance. */
const CHANCE_RUN = 2;
/** Least number of days: of a series that rests at times, as at weekends, no day of rest is the last. */
const MIN_DAYS = { busy: 1, resting: 3 };

/**
 * The value that a series rests at, by far longer than ever before.
 * @param column NaN = missing
 * @param day length of the daily season, in intervals
 * @returns undefined where it does not rest
 */
export function restOf(column: Float64Array, day: number): number | undefined {
  let [value, run, longest] = [Number.NaN, 0, 0];
  for (const own of column) {
    if (Number.isNaN(own)) continue;
    if (own === value) run++;
    else {
      longest = Math.max(longest, run);
      [value, run] = [own, 1];
    }
  }
  const days = longest <= CHANCE_RUN ? MIN_DAYS.busy : MIN_DAYS.resting;
  const isRest = longest > 0 && run >= Math.max(MIN_VALUES, days * day, LONGER * longest);
  return isRest ? value : undefined;
}
