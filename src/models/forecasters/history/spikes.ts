// Spikes of a history: runs of one or two values far from their neighbours, replaced by a local median or line; pure.
import { medianOf } from "../../stats/median.ts";
import { noiseOf } from "./noise.ts";

/** Neighbours on either side; a run of three values outweighs two. */
const REACH = 2;
/** Values before the last two, through which a line is laid. */
const END_REACH = 7;
/** Least distance from the neighbours, in deviations. */
const AWAY = 5;

/** Newest values of which spikes are looked for, and the share of spikes in a column from which they are usual. */
export const NEWEST = 6;
const USUAL = 0.05;
/** Least height of one of them, in deviations: what is left of a season is less. */
const HIGH = 10;
/** Share of the height of a spike that came a cycle ago, too, above which it is a season. */
const SAME_HEIGHT = 0.5;

/**
 * Indices of the spikes among the newest values; none where they are usual, or came a cycle ago.
 * @param column NaN = missing
 * @param cycles in values
 */
export function newestSpikes(column: Float64Array, cycles: readonly number[]): readonly number[] {
  const clean = replaceSpikes(column);
  const heightAt = (i: number, k = i) => column[i]! - clean[k]!;
  const spikes = [...column.keys()].filter((i) => Math.abs(heightAt(i)) > 0);
  if (spikes.length > USUAL * column.length) return [];
  const high = HIGH * noiseOf(column.filter((value) => !Number.isNaN(value)));
  return spikes
    .filter((i) => i >= column.length - NEWEST && Math.abs(heightAt(i)) > high)
    .filter((i) => !cycles.some((cycle) => heightAt(Math.round(i - cycle), i) / heightAt(i) > SAME_HEIGHT));
}

/** The column with its spikes replaced, itself without any; NaN stay. */
export function replaceSpikes(column: Float64Array): Float64Array {
  const known = column.filter((value) => !Number.isNaN(value));
  const away = AWAY * noiseOf(known);
  if (!(away > 0)) return column;
  const values = replaceAmong(known, away);
  if (values.every((value, i) => value === known[i])) return column;
  let k = 0;
  return column.map((value) => (Number.isNaN(value) ? value : values[k++]!));
}

/** @param values finite */
function replaceAmong(values: Float64Array, away: number): Float64Array {
  const clean = values.slice();
  for (let i = REACH; i < values.length - REACH; i++) {
    let near = 0;
    for (let k = i - REACH; k <= i + REACH; k++) if (Math.abs(values[i]! - values[k]!) <= away) near++;
    // Itself and one neighbour: a run of three is a level.
    if (near <= REACH) clean[i] = medianOf(values.subarray(i - REACH, i + REACH + 1));
  }
  replaceAtEnd(clean, away);
  clean.reverse();
  replaceAtEnd(clean, away);
  return clean.reverse();
}

/** One or two of the last two values away from the line of those before them; three are a new level. */
function replaceAtEnd(column: Float64Array, away: number): void {
  const { length } = column;
  const end = length - REACH;
  if (end < REACH + 1) return;
  const before = column.subarray(Math.max(0, end - END_REACH), end);
  const isAway = (i: number) => Math.abs(column[i]! - robustLineAt(before, before.length + i - end)) > away;
  const isRun = Math.abs(column[length - 1]! - column[end - 1]!) <= away;
  const isBack = isAway(length - 2) && !isAway(length - 1);
  if (isAway(end - 1) || (!isBack && (isRun || !isAway(length - 1)))) return;
  for (let i = end; i < length; i++) if (isAway(i)) column[i] = robustLineAt(before, before.length + i - end);
}

/** Line of the median slope (Theil 1950, Sen 1968) at an index. */
function robustLineAt(values: Float64Array, at: number): number {
  const slopes: number[] = [];
  for (let late = 1; late < values.length; late++)
    for (let early = 0; early < late; early++) slopes.push((values[late]! - values[early]!) / (late - early));
  const slope = medianOf(slopes) || 0;
  return medianOf(values.map((value, k) => value + slope * (at - k)));
}
