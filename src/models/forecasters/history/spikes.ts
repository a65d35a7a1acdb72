// Spikes of a history: runs of one or two values far from their neighbours, replaced by a local median or line; pure.
import { medianOf } from "../../stats/median.ts";
import { noiseOf } from "./noise.ts";

/** Neighbours on either side; a run of three values outweighs two. */
const REACH = 2;
/** Values before the last two, through which a line is laid. */
const END_REACH = 7;
/** Least distance from the neighbours, in deviations. */
const AWAY = 5;

/** Share of spikes in a column from which they are usual. */
export const USUAL = 0.05;
/** Least height of an odd one, in deviations: what is left of a season is less. */
const HIGH = 10;
/** Share of the height of a spike that a value a cycle before or after has, too, above which it is a season. */
const SAME_HEIGHT = 0.5;

/**
 * Indices of high spikes; none where spikes are usual, or come a cycle later.
 * @param column NaN = missing
 * @param cycles in values
 */
export function oddSpikes(column: Float64Array, cycles: readonly number[]): readonly number[] {
  const clean = replaceSpikes(column);
  const heightAt = (i: number, k = i) => column[i]! - clean[k]!;
  const spikes = [...column.keys()].filter((i) => Math.abs(heightAt(i)) > 0);
  if (spikes.length > USUAL * column.length) return [];
  const high = HIGH * noiseOf(column.filter((value) => !Number.isNaN(value)));
  const comesAgain = (i: number) =>
    cycles
      .flatMap((cycle) => [i - cycle, i + cycle])
      .some((other) => heightAt(Math.round(other), i) / heightAt(i) > SAME_HEIGHT);
  return spikes.filter((i) => Math.abs(heightAt(i)) > high && !comesAgain(i));
}

/** The column with its spikes replaced, itself without any; NaN stay. */
export function replaceSpikes(column: Float64Array): Float64Array {
  const places = [...column.keys()].filter((i) => !Number.isNaN(column[i]!));
  const known = Float64Array.from(places, (i) => column[i]!);
  const away = AWAY * noiseOf(known);
  if (!(away > 0)) return column;
  const values = replaceAmong(known, places, away);
  if (values.every((value, k) => value === known[k])) return column;
  const clean = column.slice();
  for (const [k, i] of places.entries()) clean[i] = values[k]!;
  return clean;
}

/** @param values finite @param places of the values, ascending */
function replaceAmong(values: Float64Array, places: readonly number[], away: number): Float64Array {
  const clean = values.slice();
  for (let i = REACH; i < values.length - REACH; i++) {
    let near = 0;
    for (let k = i - REACH; k <= i + REACH; k++) if (Math.abs(values[i]! - values[k]!) <= away) near++;
    // Itself and one neighbour: a run of three is a level.
    if (near <= REACH) clean[i] = medianOf(values.subarray(i - REACH, i + REACH + 1));
  }
  replaceAtEnd(clean, places, away);
  clean.reverse();
  replaceAtEnd(clean, places.map((place) => -place).reverse(), away);
  return clean.reverse();
}

/** One or two of the last two values away from the line of those before them; three are a new level. */
function replaceAtEnd(values: Float64Array, places: readonly number[], away: number): void {
  const { length } = values;
  const end = length - REACH;
  if (end < REACH + 1) return;
  const from = Math.max(0, end - END_REACH);
  const before = { values: values.subarray(from, end), places: places.slice(from, end) };
  // After a gap a line is less certain, the further it is.
  const gap = places[end]! - before.places.at(-1)!;
  const most = away * Math.max(1, gap / END_REACH);
  const isAway = (i: number) => Math.abs(values[i]! - robustLineAt(before, places[i]!)) > most;
  const isRun = Math.abs(values[length - 1]! - values[end - 1]!) <= away;
  const isBack = isAway(length - 2) && !isAway(length - 1);
  if (isAway(end - 1) || (!isBack && (isRun || !isAway(length - 1)))) return;
  for (let i = end; i < length; i++) if (isAway(i)) values[i] = robustLineAt(before, places[i]!);
}

/** Line of the median slope (Theil 1950, Sen 1968) at a place. */
function robustLineAt(
  { values, places }: { readonly values: Float64Array; readonly places: readonly number[] },
  at: number,
): number {
  const slopes: number[] = [];
  for (let late = 1; late < values.length; late++)
    for (let early = 0; early < late; early++)
      slopes.push((values[late]! - values[early]!) / (places[late]! - places[early]!));
  const slope = medianOf(slopes) || 0;
  return medianOf(values.map((value, k) => value + slope * (at - places[k]!)));
}
