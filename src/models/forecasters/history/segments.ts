// Segments of a history: straight lines between breaks of level or slope, the fewest that explain it; pure.
import { type Blocks, blocksOf } from "./blocks.ts";
import { LineSums, spreadOf } from "./line-sums.ts";
import { noiseOfChanges } from "./noise.ts";
import { replaceSpikes } from "./spikes.ts";

/** Newest values whose spikes are replaced. */
const CLEANED = 400;
/** Least number of blocks of a segment. */
const MIN_BLOCKS = 3;
/** Price of a further segment, in squared deviations of the noise: two numbers of a line and a place among the blocks. */
const BREAK_PRICE = { fixed: 10, perLog: 4 };
/** Blocks between the values of a second difference, at most: noise may persist over some of them. */
const MAX_LAG = 6;
/** Passes, and least rise of the persistence from one to the next. */
const MAX_PASSES = 4;
const MIN_RISE = 1.15;
const MAX_CORRELATION = 0.99;
/** Least number of blocks of similar size that a noise is measured of. */
const MIN_SAMPLE = 25;
/** Least noise, as a share of the spread of the values. */
const LEAST_NOISE = 1e-3;
/** Most segments: a history with more of them wanders, and none of them is a level that lasts. */
const MAX_SEGMENTS = { least: 5, perBlock: 1 / 24 };
/** Least slope, in standard errors, that goes on; of a segment shorter than `SHORT`, in blocks, none of its own does. */
const MIN_SLOPE = 3.5;
const SHORT = 8;

export interface Segment {
  /** Index of its first value. */
  readonly from: number;
  /** Its line at index 0 of the column, and per index. */
  readonly level: number;
  readonly slope: number;
}

export interface Structure {
  /** Ascending; one without a break. */
  readonly segments: readonly Segment[];
  /** Change per index that is expected to go on; 0 where none is certain. */
  readonly slope: number;
  /** Standard error of the slope. */
  readonly error: number;
  /** Squared errors around the segments, as a share of those around a single line: the less, the plainer the breaks. */
  readonly rest: number;
  /** That of the values before an index: later ones tell only how the values are grouped, and their noise. */
  readonly until: (end: number) => Structure;
}

/**
 * The segments of a column without season; empty where it has no value, one where it wanders.
 * @param leastSpan indices of the shortest segment that tells a slope; of a shorter one the segments before it tell it
 */
export function segmentsOf(column: Float64Array, leastSpan = 0): Structure {
  const blocks = blocksOf(cleanEnd(column));
  const count = blocks.values.length;
  if (count < MIN_BLOCKS) return standStill(blocks.values.at(-1));
  return structureOf({ ...blocks, leastSpan }, cutByNoise(blocks, noiseOfBlocks(blocks)), count);
}

/** The structure of the first blocks. */
function structureOf(blocks: Blocks & { readonly leastSpan: number }, found: Cut, count: number): Structure {
  if (count < MIN_BLOCKS) return standStill(blocks.values[count - 1]);
  const { sums } = found;
  const starts = startsIn(found, count);
  const most = Math.max(MAX_SEGMENTS.least, MAX_SEGMENTS.perBlock * count);
  const kept = starts.length > most ? [0] : starts;
  const bounds = kept.map((start, k) => [start, kept[k + 1] ?? count] as const);
  // A slope of a part of a cycle may be one of the season; the segment before tells more.
  const isLong = ([from, to]: readonly [number, number]) =>
    blocks.from[to - 1]! + blocks.sizes[to - 1]! - blocks.from[from]! >= blocks.leastSpan;
  const told = bounds.slice(0, bounds.findLastIndex(isLong) + 1);
  const { slope, error } = lastingSlope(sums, told.length > 0 ? told : bounds);
  const segments = bounds.map(([start, end]): Segment => {
    const line = sums.line(start, end);
    return { from: start === 0 ? 0 : blocks.from[start]!, level: line.level, slope: line.slope };
  });
  const costs = bounds.reduce((sum, [start, end]) => sum + sums.cost(start, end), 0);
  const whole = sums.cost(0, count);
  const until = (end: number) => structureOf(blocks, found, countUntil(blocks, end));
  return { segments, slope, error, rest: whole > 0 ? Math.min(1, costs / whole) : 1, until };
}

/** Blocks that end before an index, or at it. */
function countUntil({ from, sizes }: Blocks, end: number): number {
  let count = from.length;
  while (count > 0 && from[count - 1]! + sizes[count - 1]! > end) count--;
  return count;
}

function standStill(level: number | undefined): Structure {
  const segments = level === undefined ? [] : [{ from: 0, level, slope: 0 }];
  return { segments, slope: 0, error: 0, rest: 1, until: () => standStill(level) };
}

/** The line of the segments at an index. */
export function lineAt({ level, slope }: Segment, i: number): number {
  return level + slope * i;
}

/** First indices of the segments in a column from `from` on. */
export function startsOf(segments: readonly Segment[], from: number): number[] {
  const later = segments.slice(1).map((segment) => segment.from - from);
  return [0, ...later.filter((start) => start > 0)];
}

/** Older values are medians of blocks, which spikes do not move. */
function cleanEnd(column: Float64Array): Float64Array {
  if (column.length <= CLEANED) return replaceSpikes(column);
  const whole = column.slice();
  whole.set(replaceSpikes(column.subarray(-CLEANED)), column.length - CLEANED);
  return whole;
}

/** Deviation of the noise of each block, by size: it may persist, and is then as large in larger blocks. */
function noiseOfBlocks({ values, sizes }: Blocks): Float64Array {
  const lag = Math.max(1, Math.min(MAX_LAG, Math.floor(values.length / 10)));
  const changes: { readonly size: number; readonly change: number }[] = [];
  for (let k = lag; k + lag < values.length; k++) {
    const change = Math.abs(values[k - lag]! - 2 * values[k]! + values[k + lag]!);
    changes.push({ size: Math.floor(Math.log2(sizes[k]!)), change });
  }
  const deviation = (own: typeof changes) => noiseOfChanges(Float64Array.from(own, ({ change }) => change));
  const bySize = Map.groupBy(changes, ({ size }) => size);
  const whole = deviation(changes);
  const floor = LEAST_NOISE * spreadOf(values);
  const known = new Map(
    [...bySize].map(([size, own]) => [size, own.length < MIN_SAMPLE ? whole : deviation(own)]),
  );
  return Float64Array.from(sizes, (size) => {
    const own = known.get(Math.floor(Math.log2(size))) ?? whole;
    return Math.max(own, floor, Number.MIN_VALUE);
  });
}

/** Segments of each number of first blocks. */
interface Cut {
  readonly sums: LineSums;
  /** First block of the last segment of the blocks before an index. */
  readonly lastStarts: Int32Array;
}

/** The segments, judged by how long the noise around them persists: what wanders has fewer. */
function cutByNoise(blocks: Blocks, noise: Float64Array): Cut {
  const count = noise.length;
  let found = cut(new LineSums(blocks, noise), count);
  for (let factor = 1, pass = 0; pass < MAX_PASSES; pass++) {
    const next = persistence(blocks, found.sums, startsIn(found, count));
    if (next < MIN_RISE * factor) break;
    factor = next;
    const longer = noise.map((own) => factor * own);
    found = cut(new LineSums(blocks, longer), count);
  }
  return found;
}

/** Factor by which persisting noise moves the mean of many values more than independent noise does; at least 1. */
function persistence({ at, values }: Blocks, sums: LineSums, starts: readonly number[]): number {
  const rest = new Float64Array(values.length);
  for (const [k, start] of starts.entries()) {
    const end = starts[k + 1] ?? values.length;
    const { level, slope } = sums.line(start, end);
    for (let i = start; i < end; i++) rest[i] = values[i]! - level - slope * at[i]!;
  }
  let [product, square] = [0, 0];
  for (let i = 1; i < rest.length; i++) {
    product += rest[i]! * rest[i - 1]!;
    square += (rest[i]! ** 2 + rest[i - 1]! ** 2) / 2;
  }
  const correlation = square > 0 ? Math.min(MAX_CORRELATION, product / square) : 0;
  return correlation > 0 ? Math.sqrt((1 + correlation) / (1 - correlation)) : 1;
}

/** Segments with the least sum of squared errors and prices (Jackson et al. 2005). */
function cut(sums: LineSums, count: number): Cut {
  const price = BREAK_PRICE.fixed + BREAK_PRICE.perLog * Math.log(count);
  const best = new Float64Array(count + 1).fill(Number.POSITIVE_INFINITY);
  const lastStarts = new Int32Array(count + 1);
  // A segment costs no less with each further block: its last known cost is a bound.
  const least = new Float64Array(count + 1);
  best[0] = -price;
  for (let end = MIN_BLOCKS; end <= count; end++) {
    // The last segment mostly begins where it began a block before.
    let from = lastStarts[end - 1]!;
    let total = best[from]! + price + sums.cost(from, end);
    for (let start = 0; start <= end - MIN_BLOCKS; start++) {
      const others = best[start]! + price;
      if (!(others + least[start]! < total)) continue;
      least[start] = sums.cost(start, end);
      if (others + least[start]! < total) [total, from] = [others + least[start]!, start];
    }
    best[end] = total;
    lastStarts[end] = from;
  }
  return { sums, lastStarts };
}

/** First blocks of the segments of the first blocks. */
function startsIn({ lastStarts }: Cut, count: number): number[] {
  const starts: number[] = [];
  for (let end = count; end > 0; end = lastStarts[end]!) starts.push(lastStarts[end]!);
  return starts.reverse();
}

/** The slope that goes on: one of all segments, of the newest two, or of the last alone, where it is certain. */
function lastingSlope(
  sums: LineSums,
  bounds: readonly (readonly [number, number])[],
): { readonly slope: number; readonly error: number } {
  const isCertain = ({ slope, error }: { slope: number; error: number }) =>
    Math.abs(slope) > MIN_SLOPE * error;
  for (const size of [bounds.length, 2]) {
    const own = bounds.slice(-size);
    if (own.length < 2) continue;
    const common = sums.common(own);
    const apart = own.reduce((sum, [from, to]) => sum + sums.cost(from, to), 0);
    const price = 2 * Math.log(own.at(-1)![1] - own[0]![0]) * (own.length - 1);
    if (common.cost - apart > 2 * price) continue;
    return isCertain(common) ? common : { ...common, slope: 0 };
  }
  const [from, to] = bounds.at(-1)!;
  const own = sums.line(from, to);
  const isLong = bounds.length === 1 || to - from >= SHORT;
  return isLong && isCertain(own) ? own : { slope: 0, error: own.error };
}
