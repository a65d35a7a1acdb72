// Blocks: up to 512 points of one field, packed into one blob. Pure.
//
// Packing is what makes the store fast: a row per point costs SQLite ten times the time of a scan over packed
// arrays. A blob holds the values as float64, then the times as uint32 milliseconds since the block's start.

export const BLOCK_POINTS = 512;
const BYTES_PER_POINT = 12;
const MAX_SPAN_MS = 2 ** 32 - 1;

/** Points of one field, ascending in time, one per instant. */
export interface Run {
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
  readonly values: Float64Array;
}

/** Packs a run that `splitRun` made, or any of at most 2^32 ms. */
export function encodeBlock({ times, values, others }: Run): BlockRow {
  const count = times.length;
  const startAt = times[0]!;
  const buffer = new ArrayBuffer(count * BYTES_PER_POINT);
  new Float64Array(buffer, 0, count).set(values);
  const offsets = new Uint32Array(buffer, count * 8, count);
  for (let i = 0; i < count; i++) offsets[i] = times[i]! - startAt;
  return {
    start_at: startAt,
    end_at: times[count - 1]!,
    data: new Uint8Array(buffer),
    others: others.size > 0 ? JSON.stringify([...others]) : null,
  };
}

/** Looks into the blob of a block. */
export function viewBlock({ start_at, data }: Pick<BlockRow, "start_at" | "data">): BlockView {
  const { buffer, byteOffset, byteLength } = data.byteOffset % 8 === 0 ? data : data.slice();
  const count = byteLength / BYTES_PER_POINT;
  return {
    startAt: start_at,
    offsets: new Uint32Array(buffer, byteOffset + count * 8, count),
    values: new Float64Array(buffer, byteOffset, count),
  };
}

/** The part of a block from `fromAt` (inclusive) to `toAt` (exclusive). */
export function clipBlock(view: BlockView, fromAt: number, toAt: number): BlockView {
  const from = findOffset(view.offsets, fromAt - view.startAt);
  const to = findOffset(view.offsets, toAt - view.startAt);
  if (from === 0 && to === view.offsets.length) return view;
  return { ...view, offsets: view.offsets.subarray(from, to), values: view.values.subarray(from, to) };
}

/** Index of the first offset at or after `target`, by bisection. */
function findOffset(offsets: Uint32Array, target: number): number {
  let low = 0;
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
export function decodeBlock(row: BlockRow): Run {
  const view = viewBlock(row);
  const others = new Map(row.others === null ? [] : (JSON.parse(row.others) as [number, string | boolean][]));
  return { times: timesOf(view), values: view.values, others };
}

/** Both runs in one; where both have a point at the same instant, the newer one's counts. */
export function mergeRuns(older: Run, newer: Run): Run {
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

function mergeOthers(older: Run, newer: Run): Run["others"] {
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
export function splitRun(run: Run, atEnd: boolean): Run[] {
  const total = run.times.length;
  const size = atEnd ? BLOCK_POINTS : Math.ceil(total / Math.ceil(total / BLOCK_POINTS));
  const pieces: Run[] = [];
  for (let from = 0, to = 0; from < total; from = to) {
    const lastAt = run.times[from]! + MAX_SPAN_MS;
    while (to < total && to - from < size && run.times[to]! <= lastAt) to++;
    pieces.push(sliceRun(run, from, to));
  }
  return pieces;
}

/** The points number `from` (inclusive) to `to` (exclusive) of a run. */
export function sliceRun({ times, values, others }: Run, from: number, to: number): Run {
  if (from === 0 && to === times.length) return { times, values, others };
  const kept = times.subarray(from, to);
  const [firstAt, lastAt] = [kept[0]!, kept[kept.length - 1]!];
  return {
    times: kept,
    values: values.subarray(from, to),
    others: others.size === 0 ? others : new Map([...others].filter(([at]) => at >= firstAt && at <= lastAt)),
  };
}
