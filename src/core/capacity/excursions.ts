// Excursions of a column: short ways off its course and back, as temporary files or an outage that is read as 0; pure.
import { noiseOf } from "./jumps.ts";
import { quantile } from "./numbers.ts";

/** Least distance, in deviations of the noise and as a share of the range. */
const LEAST = { deviations: 8, share: 0.015 };
/** Greatest length, as a share of the column. */
const MAX_SHARE = 0.1;
/** Of one that is back: distance from the value before, least and greatest change of its end; shares of its beginning. */
const BACK = { within: 0.3, least: 0.5, most: 2 };
/** Changes of at least half the size in the column: more of them, as two for each excursion, are its course. */
const MOST_CHANGES = 12;

/** The column with its excursions missing. @param column NaN = missing */
export function withoutExcursions(column: Float64Array): Float64Array {
  const known = [...column.keys()].filter((i) => !Number.isNaN(column[i]!));
  const values = Float64Array.from(known, (i) => column[i]!);
  const changes = values.map((value, k) => (k === 0 ? 0 : value - values[k - 1]!));
  const range = quantile(values, 0.99) - quantile(values, 0.01);
  const least = Math.max(LEAST.deviations * noiseOf(values), LEAST.share * range);
  const sizes = changes.map(Math.abs).sort();
  const isCourse = (size: number) => sizes.at(-MOST_CHANGES - 1)! >= size / 2;
  const rest = column.slice();
  for (let k = 1; k < values.length; k++) {
    const size = Math.abs(changes[k]!);
    const back = size > least && !isCourse(size) ? backAt(k, values, changes) : undefined;
    if (back === undefined) continue;
    rest.fill(Number.NaN, known[k]!, known[back]!);
    k = back;
  }
  return rest;
}

/** Index of the first value that is back; undefined: it does not come back soon. */
function backAt(from: number, values: Float64Array, changes: Float64Array): number | undefined {
  const change = changes[from]!;
  const longest = Math.max(1, Math.floor(MAX_SHARE * values.length));
  const isEnd = (k: number) => -changes[k]! / change > BACK.least;
  for (let k = from + 1; k <= Math.min(values.length - 1, from + longest); k++) {
    if (!isEnd(k)) continue;
    const off = Math.abs(values[k]! - values[from - 1]!);
    return -changes[k]! / change < BACK.most && off < BACK.within * Math.abs(change) ? k : undefined;
  }
  return undefined;
}
