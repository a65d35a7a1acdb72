// Outages of a series: runs of one value beside all others, as of a source that answers 0 for hours; pure.
import type { Cycles } from "../season/cycles.ts";
import { noiseOf } from "./noise.ts";

/** Least values of a run. */
const MIN_LENGTH = 3;
/** Most runs: more of them are how the series goes. */
export const MAX_OUTAGES = 3;
/** Greatest share of the values that they are. */
const MAX_SHARE = 1 / 4;
/** Least distance of the value from the others, in deviations of their noise. */
const BESIDE = 8;
/** Share of the others that may lie beyond the value: spikes. */
const SPIKES = 0.01;
/** Share of a run that has the value a cycle before or after, too, where it comes again. */
const ALIKE = 0.5;
/** Distance of a length from whole days, in days, at which it may be a weekend. */
const WHOLE = 0.05;

/** Indices of its first value and of the one after its last. */
export type Run = readonly [from: number, to: number];

/** The column with its outages missing. See `outagesOf`. */
export function withoutOutages(column: Float64Array, cycles: Cycles): Float64Array {
  return withoutRuns(column, outagesOf(column, cycles));
}

/** A copy of the column in which runs are missing. */
export function withoutRuns(column: Float64Array, runs: readonly Run[]): Float64Array {
  const rest = column.slice();
  for (const [from, to] of runs) rest.fill(Number.NaN, from, to);
  return rest;
}

/**
 * Outages that are over, the oldest first.
 * @param column by local time; NaN = missing
 * @param cycles a run that may be a part of one, as a night or a weekend without a second one, is no outage
 */
export function outagesOf(column: Float64Array, cycles: Cycles): Run[] {
  const known = [...column.keys()].filter((i) => Number.isFinite(column[i]!));
  const runs = longestRuns(column, known);
  if (runs.length === 0 || runs.length > MAX_OUTAGES) return [];
  const value = column[runs[0]![0]]!;
  const others = column.filter((own) => Number.isFinite(own) && own !== value);
  if (known.length - others.length > MAX_SHARE * known.length || !isBeside(value, others)) return [];
  const isOver = ([from, to]: Run) => from > known[0]! && to <= known.at(-1)!;
  return runs.every((run) => isOver(run) && !mayRepeat(run, column, cycles)) ? runs : [];
}

/** Runs of the value that has the longest one; none where no value has one of the least length. */
function longestRuns(column: Float64Array, known: readonly number[]): Run[] {
  const runs: Run[] = [];
  let longest = MIN_LENGTH - 1;
  let value = Number.NaN;
  for (let k = 0; k < known.length; ) {
    const own = column[known[k]!]!;
    let end = k + 1;
    while (end < known.length && column[known[end]!] === own) end++;
    if (end - k > longest) [longest, value] = [end - k, own];
    if (end - k >= MIN_LENGTH) runs.push([known[k]!, known[end - 1]! + 1]);
    k = end;
  }
  return runs.filter(([from]) => column[from] === value);
}

/** Whether a value lies beside others, but for spikes, by more than their noise. */
function isBeside(value: number, others: Float64Array): boolean {
  const sorted = others.toSorted();
  const edge = Math.floor(SPIKES * sorted.length);
  const distance = Math.max(sorted[edge]! - value, value - sorted[sorted.length - 1 - edge]!);
  return distance > BESIDE * noiseOf(others);
}

/** Whether a run comes again with a cycle, or whether that cannot be known of days, and of weeks where it is of days. */
function mayRepeat([from, to]: Run, column: Float64Array, { day, week, year }: Cycles): boolean {
  const repeats = (cycle: number) => {
    const places = Array.from({ length: to - from }, (_, k) => from + k)
      .flatMap((i) => [i - Math.round(cycle), i + Math.round(cycle)])
      .filter((i) => (i < from || i >= to) && Number.isFinite(column[i]));
    const alike = places.filter((i) => column[i] === column[from]).length;
    return places.length === 0 ? undefined : alike >= ALIKE * places.length;
  };
  const days = day ? (to - from) / day : 0;
  const isOfDays = days > ALIKE && Math.abs(days - Math.round(days)) < WHOLE;
  return (
    (day !== undefined && repeats(day) !== false) ||
    (week !== undefined && (repeats(week) ?? isOfDays)) ||
    (year !== undefined && repeats(year) === true)
  );
}
