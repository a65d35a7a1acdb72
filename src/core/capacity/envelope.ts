// Upper envelope of a column: peaks of cycles between clean-ups, tops of steps, daily peaks, or means; pure.
import { findJumps, type Jump, noiseOf } from "./jumps.ts";
import { fitCurve, median, type Place, valueAt } from "./numbers.ts";

/** Clean-ups from which a column is one of cycles, and two of like size; fewer start it anew. */
const MIN_DROPS = 3;
/** Clean-ups are of like size up to this multiple. */
const ALIKE = 1.25;
/** Rises from which a column is one of steps. */
const MIN_RISES = 4;
/** Share of the whole rise that the jumps of a stepped column make. */
const STEPPED_SHARE = 0.6;
/** A cycle or a step that lasts longer than this many times the longest one before has ended. */
const MAX_OVERTIME = 1.6;
/** Values after a reset that are judged. */
const MIN_VALUES = 12;
/** Values that a peak rests on. */
const MIN_PEAK = 4;
/** Jumps of one rhythm are off by so many values. */
const MAX_UNSTEADY = 1.2;
/** Means of a column without cycles, at most. */
const BLOCKS = 60;
/** Parts of a day. */
const PARTS = 12;
/** Height of the shape of a day, in deviations of its parts: noise alone has half of it. */
const MIN_SHAPE = 12;
/** Cycles that show what a day, or what lies between two clean-ups, looks like. */
const MIN_CYCLES = 3;
/** Clean-ups whose peaks are enough for a trend. */
const FEW_CYCLES = 9;

/** What the envelope of a column rests on, in indices of the column. */
export interface Envelope {
  readonly places: readonly Place[];
  /** Newest peak. */
  readonly peakAt: number;
  /** Distance of two peaks. */
  readonly pitch: number;
  /** How the value rises to each of them: by so much, over so long. 0: at once. */
  readonly rise: { readonly height: number; readonly length: number };
  /** Whether values change at the places alone. */
  readonly isStepped: boolean;
  /** Noise of a place, of short range. */
  readonly noise: number;
}

/** @param perDay values of a day. @returns undefined where too few values are left */
export function findEnvelope(column: Float64Array, perDay: number): Envelope | undefined {
  if (column.length < MIN_VALUES) return undefined;
  const jumps = findJumps(column, perDay);
  const drops = jumps.filter(({ size }) => size < 0);
  const last = drops.at(-1)?.index ?? 0;
  if (areCycles(drops) && !hasEnded(drops, column.length))
    return ofFewCycles(column, drops) ?? ofCycles(column, drops);
  if (last > 0) return shift(findEnvelope(column.slice(last), perDay), last);
  const rises = jumps.filter(({ size }) => size > 0);
  if (isStepped(column, rises)) return ofSteps(column, rises);
  return ofShape(column, perDay) ?? ofBlocks(column);
}

function shift(envelope: Envelope | undefined, by: number): Envelope | undefined {
  if (!envelope) return undefined;
  const places = envelope.places.map(({ at, value }) => ({ at: at + by, value }));
  return { ...envelope, places, peakAt: envelope.peakAt + by };
}

const gapsOf = (jumps: readonly Jump[]) => jumps.slice(1).map(({ index }, i) => index - jumps[i]!.index);

/** Two clean-ups by as much are a habit: what rises since the second is expected to be cleaned up, too. */
export function areCycles(drops: readonly Jump[]): boolean {
  return drops.length === 2 ? areAlike(drops) : drops.length >= MIN_DROPS;
}

function areAlike(drops: readonly Jump[]): boolean {
  const sizes = drops.map(({ size }) => Math.abs(size));
  return Math.max(...sizes) <= ALIKE * Math.min(...sizes);
}

/** Whether the clean-ups have stopped. */
function hasEnded(drops: readonly Jump[], length: number): boolean {
  return length - drops.at(-1)!.index > MAX_OVERTIME * Math.max(...gapsOf(drops));
}

function ofCycles(column: Float64Array, drops: readonly Jump[]): Envelope {
  const { pitch, ends } = rhythmOf(drops);
  const places = drops.map(({ index }, i) => {
    const from = i === 0 ? 0 : drops[i - 1]!.index;
    // The last value of a cycle is half a value before its end.
    const at = ends[i]! - 0.5;
    return { at, value: peakOf(column, { from, to: index, at }) };
  });
  const lows = drops.map(({ index }, i) => places[i]!.value - Math.min(...column.subarray(index, index + 2)));
  const height = median(lows);
  // A line through a quarter of the cycle, at its end.
  const noise = (2 * noiseOf(column)) / Math.sqrt(Math.max(1, pitch / 4));
  return {
    places,
    peakAt: places.at(-1)!.at,
    pitch,
    rise: { height, length: pitch },
    isStepped: false,
    noise,
  };
}

interface Rhythm {
  readonly isRegular: boolean;
  readonly pitch: number;
  readonly ends: readonly number[];
}

/** Mean distance of jumps, and when they happen: between two values, as their rhythm says where they have one. */
function rhythmOf(jumps: readonly Jump[]): Rhythm {
  const gaps = gapsOf(jumps);
  const usual = median(gaps);
  let count = 0;
  const places = jumps.map(({ index }, i) => {
    if (i > 0) count += Math.max(1, Math.round(gaps[i - 1]! / usual));
    return { at: count, value: index };
  });
  const line = fitCurve(places, 1);
  const isRegular =
    line && places.every(({ at, value }) => Math.abs(valueAt(line, at) - value) <= MAX_UNSTEADY);
  if (isRegular)
    return { isRegular, pitch: line.slope, ends: places.map(({ at }) => valueAt(line, at) - 0.5) };
  return { isRegular: false, pitch: mean(gaps), ends: jumps.map(({ index }) => index - 0.5) };
}

interface Cycle {
  readonly from: number;
  readonly to: number;
  /** Where its peak is looked for. */
  readonly at: number;
}

/** Value of a cycle at its end, by a line through its last part. */
function peakOf(column: Float64Array, { from, to, at }: Cycle): number {
  const length = Math.max(MIN_PEAK, Math.floor((to - from) / 4));
  // Means have the peak and what follows it in one value.
  const last = to - from > 2 * MIN_PEAK ? to - 1 : to;
  const start = Math.max(from, last - length);
  const places = Array.from(column.subarray(start, last), (value, i) => ({ at: start + i, value }));
  const line = places.length >= MIN_PEAK ? fitCurve(places, 1) : undefined;
  return line ? valueAt(line, at) : Math.max(...places.map(({ value }) => value));
}

export function isStepped(column: Float64Array, rises: readonly Jump[]): boolean {
  if (rises.length < MIN_RISES) return false;
  const part = Math.max(1, Math.floor(column.length / 20));
  const whole = median(column.subarray(-part)) - median(column.subarray(0, part));
  return rises.reduce((sum, { size }) => sum + size, 0) >= STEPPED_SHARE * whole && whole > 0;
}

function ofSteps(column: Float64Array, rises: readonly Jump[]): Envelope {
  const starts = rises.map(({ index }) => index);
  const levels = starts.map((from, i) => median(column.subarray(from, starts[i + 1] ?? column.length)));
  const { pitch, ends } = rhythmOf(rises);
  const places = levels.map((value, i) => ({ at: ends[i]! + 0.5, value }));
  const overdue = column.length - starts.at(-1)!;
  // A step that does not come: the level goes on, at each place where one was due.
  if (overdue > MAX_OVERTIME * Math.max(...gapsOf(rises)))
    for (let at = starts.at(-1)! + pitch; at < column.length; at += pitch)
      places.push({ at, value: levels.at(-1)! });
  const noise = noiseOf(column) / Math.sqrt(Math.max(1, pitch));
  return { places, peakAt: places.at(-1)!.at, pitch, rise: { height: 0, length: 0 }, isStepped: true, noise };
}

/** Of cycles of one length that are too few for a trend of their peaks. */
function ofFewCycles(column: Float64Array, drops: readonly Jump[]): Envelope | undefined {
  if (drops.length >= FEW_CYCLES || !areAlike(drops)) return undefined;
  const { pitch, isRegular } = rhythmOf(drops);
  return isRegular ? ofShape(column, pitch) : undefined;
}

/** Level of the peaks of a cycle, as of a day, where cycles have a shape. @param pitch values of a cycle */
function ofShape(column: Float64Array, pitch: number): Envelope | undefined {
  const cycles = Math.floor(column.length / pitch);
  const parts = Math.min(PARTS, Math.floor(pitch));
  if (parts < 4 || cycles < MIN_CYCLES) return undefined;
  const first = column.length - cycles * pitch;
  const size = pitch / parts;
  const means = Array.from({ length: cycles * parts }, (_, k) =>
    mean(column.subarray(Math.round(first + k * size), Math.round(first + (k + 1) * size))),
  );
  const level = means.map((_, k) => mean(means.slice(Math.max(0, k - parts / 2), k + parts / 2 + 1)));
  const inner = Array.from({ length: parts }, (_, part) => partDeviations(means, level, { part, parts }));
  const shape = inner.map((values) => median(values));
  const spreadOfPart = median(inner.map((values) => median(values.map((v) => Math.abs(v - median(values))))));
  const top = shape.indexOf(Math.max(...shape));
  const low = shape.indexOf(Math.min(...shape));
  const height = shape[top]! - shape[low]!;
  if (height < (MIN_SHAPE * spreadOfPart) / Math.sqrt(cycles) || height === 0) return undefined;
  // The level of the peaks: what each part shows without the shape of the cycle.
  const levels = means.map((value, k) => value + shape[top]! - shape[k % parts]!);
  const places = placesOf(levels).map(({ at, value }) => ({ at: first + (at + 0.5) * size - 0.5, value }));
  const length = ((top - low + parts) % parts) * size;
  return {
    places,
    peakAt: first + ((cycles - 1) * parts + top + 0.5) * size,
    pitch,
    rise: { height, length },
    isStepped: false,
    noise: noiseOf(column) / Math.sqrt(size),
  };
}

function partDeviations(
  means: readonly number[],
  level: readonly number[],
  { part, parts }: { readonly part: number; readonly parts: number },
): number[] {
  const found: number[] = [];
  for (let k = part; k < means.length; k += parts)
    if (k >= parts / 2 && k < means.length - parts / 2) found.push(means[k]! - level[k]!);
  return found;
}

function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum / values.length;
}

function ofBlocks(column: Float64Array): Envelope {
  const places = placesOf(column);
  const pitch = column.length / places.length;
  return {
    places,
    peakAt: places.at(-1)!.at,
    pitch,
    rise: { height: 0, length: 0 },
    isStepped: false,
    noise: noiseOf(column) / Math.sqrt(pitch),
  };
}

/** Means of parts of equal length, as many as a trend needs. */
function placesOf(values: ArrayLike<number>): Place[] {
  const all = Float64Array.from(values);
  const count = Math.min(BLOCKS, all.length);
  const edges = Array.from({ length: count + 1 }, (_, k) => Math.round((k * all.length) / count));
  return edges.slice(1).map((to, k) => {
    const from = edges[k]!;
    return { at: (from + to - 1) / 2, value: mean(all.subarray(from, to)) };
  });
}
