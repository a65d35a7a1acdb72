// Blocks: points of one field, packed into one blob that fits a page of the file. Pure.
//
// Packing is what makes the store fast: a row per point costs SQLite ten times the time of a scan over packed
// arrays, and what does not fit a page is put together from several for every read. A blob holds the values as
// float64, then the instants: of points that are evenly spaced the step in ms as uint32 and a byte of 0, of others
// uint32 milliseconds since the block's start. So the length tells which: 8n + 5 bytes or 12n.

/** A page of 4096 bytes takes 4061 of a row; these are left when its other columns have theirs. */
const BLOB_BYTES = 4037;
const VALUE_BYTES = 8;
const OFFSET_BYTES = 4;
const STEP_BYTES = 5;
/** As many points fit a block if they are evenly spaced, or if not. */
const EVEN_POINTS = Math.floor((BLOB_BYTES - STEP_BYTES) / VALUE_BYTES);
const UNEVEN_POINTS = Math.floor(BLOB_BYTES / (VALUE_BYTES + OFFSET_BYTES));
/** Most points of any block: files of the first version have as many, also where they are uneven. */
export const BLOCK_POINTS = 512;
const MAX_SPAN_MS = 2 ** 32 - 1;

/** Points of one field, ascending in time, one per instant. */
export interface FieldPoints {
  /** ms since the epoch. */
  readonly times: Float64Array;
  /** NaN where the value is not a number. */
  readonly values: Float64Array;
  /** Texts and booleans by time. */
  readonly others: ReadonlyMap<number, string | boolean>;
}

/** A block as it is kept in the table. */
export interface BlockRow {
  readonly start_at: number;
  readonly end_at: number;
  readonly data: Uint8Array;
  readonly others: string | null;
}

/** The numbers of a block without copying: instants are `startAt + offsets[i]`. */
export interface BlockView {
  readonly startAt: number;
  readonly offsets: Uint32Array;
  /** NaN where the value is not a number. */
  readonly values: Float64Array;
  /** ms between two points where they are evenly spaced, for sure. */
  readonly step: number | undefined;
  /** True where all values are numbers, for sure. */
  readonly isNumeric: boolean;
}

/** Packs a run that `splitRun` made, or any of at most 2^32 ms. */
export function encodeBlock({ times, values, others }: FieldPoints): BlockRow {
  const count = times.length;
  const isEven = countEven(times, 0, count) === count;
  const data = new Uint8Array(count * VALUE_BYTES + (isEven ? STEP_BYTES : count * OFFSET_BYTES));
  new Float64Array(data.buffer, 0, count).set(values);
  const startAt = times[0]!;
  const offsets = new Uint32Array(data.buffer, count * VALUE_BYTES, isEven ? 1 : count);
  if (isEven) offsets[0] = count > 1 ? times[1]! - startAt : 0;
  else for (let i = 0; i < count; i++) offsets[i] = times[i]! - startAt;
  return {
    start_at: startAt,
    end_at: times[count - 1]!,
    data,
    others: others.size > 0 ? JSON.stringify([...others]) : null,
  };
}

/** How many points from number `from` on, `most` at most, are evenly spaced. */
function countEven(times: Float64Array, from: number, most: number): number {
  const end = Math.min(from + most, times.length);
  const step = times[from + 1]! - times[from]!;
  let to = Math.min(from + 2, end);
  while (to < end && times[to]! - times[to - 1]! === step) to++;
  return to - from;
}

/** Looks into the blob of a block. */
export function viewBlock({ start_at, data, others }: Omit<BlockRow, "end_at">): BlockView {
  const { buffer, byteOffset, byteLength } = data.byteOffset % VALUE_BYTES === 0 ? data : data.slice();
  const isEven = byteLength % OFFSET_BYTES !== 0;
  const count = isEven ? (byteLength - STEP_BYTES) / VALUE_BYTES : byteLength / (VALUE_BYTES + OFFSET_BYTES);
  const offsetsAt = count * VALUE_BYTES;
  const step = isEven ? readUint32(data, offsetsAt) : undefined;
  return {
    startAt: start_at,
    offsets:
      step === undefined ? new Uint32Array(buffer, byteOffset + offsetsAt, count) : spaceEvenly(step, count),
    values: new Float64Array(buffer, byteOffset, count),
    step,
    isNumeric: others === null,
  };
}

/** A block without its texts and booleans. */
export function keepNumbers(view: BlockView): BlockView {
  if (view.isNumeric) return view;
  const isNumber = (_: number, i: number) => !Number.isNaN(view.values[i]!);
  const { startAt, offsets, values } = view;
  return {
    startAt,
    offsets: offsets.filter(isNumber),
    values: values.filter(isNumber),
    step: undefined,
    isNumeric: true,
  };
}

/** As the typed arrays have it: the least byte first. */
function readUint32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

/** The last ones are kept: neighbours in a field, and often the fields of a bucket, have the same step. */
let even = { step: 0, offsets: new Uint32Array(EVEN_POINTS) };

function spaceEvenly(step: number, count: number): Uint32Array {
  if (step !== even.step) even = { step, offsets: Uint32Array.from(even.offsets, (_, i) => i * step) };
  return count === EVEN_POINTS ? even.offsets : even.offsets.subarray(0, count);
}

/** The part of a block from `fromAt` (inclusive) to `toAt` (exclusive). */
export function clipBlock(view: BlockView, fromAt: number, toAt: number): BlockView {
  const from = findOffset(view.offsets, fromAt - view.startAt);
  const to = findOffset(view.offsets, toAt - view.startAt);
  if (from === 0 && to === view.offsets.length) return view;
  return { ...view, offsets: view.offsets.subarray(from, to), values: view.values.subarray(from, to) };
}

/** Index of the first offset at or after `target`, by bisection; not before index `low`. */
export function findOffset(offsets: Uint32Array, target: number, low = 0): number {
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! < target) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Instants of a view, ms since the epoch. */
export function timesOf({ startAt, offsets }: BlockView): Float64Array {
  const times = new Float64Array(offsets.length);
  for (let i = 0; i < times.length; i++) times[i] = startAt + offsets[i]!;
  return times;
}

/** Unpacks a block. */
export function decodeBlock(row: BlockRow): FieldPoints {
  const view = viewBlock(row);
  const others = new Map(row.others === null ? [] : (JSON.parse(row.others) as [number, string | boolean][]));
  return { times: timesOf(view), values: view.values, others };
}

/** Both runs in one; where both have a point at the same instant, the newer one's counts. */
export function mergeRuns(older: FieldPoints, newer: FieldPoints): FieldPoints {
  const total = older.times.length + newer.times.length;
  const times = new Float64Array(total);
  const values = new Float64Array(total);
  let [a, b, n] = [0, 0, 0];
  while (a < older.times.length || b < newer.times.length) {
    const oldAt = older.times[a] ?? Infinity;
    const newAt = newer.times[b] ?? Infinity;
    const at = Math.min(oldAt, newAt);
    times[n] = at;
    values[n++] = newAt === at ? newer.values[b]! : older.values[a]!;
    if (oldAt === at) a++;
    if (newAt === at) b++;
  }
  return { times: times.subarray(0, n), values: values.subarray(0, n), others: mergeOthers(older, newer) };
}

function mergeOthers(older: FieldPoints, newer: FieldPoints): FieldPoints["others"] {
  if (older.others.size === 0) return newer.others;
  const others = new Map(older.others);
  for (const at of newer.times) others.delete(at);
  for (const [at, value] of newer.others) others.set(at, value);
  return others;
}

/**
 * Cuts a run into runs that fit a block each. At the end of a series (`atEnd`) blocks are filled up, because points
 * arrive in order; in the middle they are cut evenly, to leave room for what may still come between.
 */
export function splitRun(run: FieldPoints, atEnd: boolean): FieldPoints[] {
  const { times } = run;
  const total = times.length;
  const capacity = countEven(times, 0, total) === total ? EVEN_POINTS : UNEVEN_POINTS;
  const equal = Math.ceil(total / Math.ceil(total / capacity));
  const pieces: FieldPoints[] = [];
  for (let from = 0, to = 0; from < total; from = to) {
    const size = atEnd ? countFitting(times, from) : equal;
    const lastAt = times[from]! + MAX_SPAN_MS;
    while (to < total && to - from < size && times[to]! <= lastAt) to++;
    pieces.push(sliceRun(run, from, to));
  }
  return pieces;
}

/** How many points from number `from` on to fill a block with: evenly spaced ones where they fill it better. */
function countFitting(times: Float64Array, from: number): number {
  const count = countEven(times, from, EVEN_POINTS);
  return from + count === times.length ? count : Math.max(count, UNEVEN_POINTS);
}

/** The points number `from` (inclusive) to `to` (exclusive) of a run. */
export function sliceRun({ times, values, others }: FieldPoints, from: number, to: number): FieldPoints {
  if (from === 0 && to === times.length) return { times, values, others };
  const kept = times.subarray(from, to);
  const [firstAt, lastAt] = [kept[0]!, kept[kept.length - 1]!];
  return {
    times: kept,
    values: values.subarray(from, to),
    others: others.size === 0 ? others : new Map([...others].filter(([at]) => at >= firstAt && at <= lastAt)),
  };
}
