// Blocks: points of one field packed into one blob that fits a page of the file. Format: README.md. Pure.
import { checksumOf } from "./integrity/checksum.ts";
import { type Extent, findExtent, halvesOf } from "./special/values.ts";

/** A page of 4096 bytes holds 4061 bytes of a row; these remain beside the other columns, the checksum included. */
const BLOB_BYTES = 4032;
const VALUE_BYTES = 8;
const OFFSET_BYTES = 4;
const STEP_BYTES = 5;
/** Capacity of a block for evenly spaced points, and for others. */
const EVEN_POINTS = Math.floor((BLOB_BYTES - STEP_BYTES) / VALUE_BYTES);
const UNEVEN_POINTS = Math.floor(BLOB_BYTES / (VALUE_BYTES + OFFSET_BYTES));
/** Maximum number of points of a block; blocks of format version 1 hold as many uneven points. */
export const BLOCK_POINTS = 512;
/** Characters of texts after which a block ends: a merge reads and writes all of a block. */
const TEXT_CHARACTERS = 65_536;
const MAX_SPAN_MS = 2 ** 32 - 1;

/** Points of one field, ascending in time, one per instant. */
export interface FieldPoints {
  /** ms since the epoch. */
  readonly times: Float64Array;
  /** NaN without special bits where the value is a text or a boolean; see special/values.ts. */
  readonly values: Float64Array;
  /** Texts and booleans by time. */
  readonly others: ReadonlyMap<number, string | boolean>;
}

/** A row of the table `blocks`. */
export interface BlockRow {
  readonly start_at: number;
  readonly end_at: number;
  readonly data: Uint8Array;
  /** JSON of texts and booleans, and of special values; null of finite numbers alone. */
  readonly others: string | null;
  /** Checksum, see `checksumOf`; null in blocks of format versions 1 and 2. */
  readonly crc: number | null;
}

/** The numbers of a block, as views of its blob: instants are `startAt + offsets[i]`. */
export interface BlockView {
  readonly startAt: number;
  readonly offsets: Uint32Array;
  /** As of `FieldPoints`. */
  readonly values: Float64Array;
  /** ms between two points of a block known to be evenly spaced. */
  readonly step: number | undefined;
  /** True of a block known to hold finite numbers only. */
  readonly isNumeric: boolean;
  /** Whether special values are among them. */
  readonly hasSpecial: boolean;
  /** Whether the values lie in the blob of a row, which nothing else reads. */
  readonly isBlob: boolean;
}

/** Packs points that span at most 2^32 ms, as those of `splitIntoBlocks` do. */
export function encodeBlock({ times, values, others }: FieldPoints): BlockRow {
  const count = times.length;
  const isEven = countEven(times, 0, count) === count;
  const data = new Uint8Array(count * VALUE_BYTES + (isEven ? STEP_BYTES : count * OFFSET_BYTES));
  new Float64Array(data.buffer, 0, count).set(values);
  const startAt = times[0]!;
  const offsets = new Uint32Array(data.buffer, count * VALUE_BYTES, isEven ? 1 : count);
  if (isEven) offsets[0] = count > 1 ? times[1]! - startAt : 0;
  else for (let i = 0; i < count; i++) offsets[i] = times[i]! - startAt;
  const row = {
    start_at: startAt,
    data,
    others: encodeOthers(others, findExtent({ times, values }, others)),
  };
  return { ...row, end_at: times[count - 1]!, crc: checksumOf(row) };
}

/** Short without texts, so that a full block with special values still fits a page. */
function encodeOthers(others: FieldPoints["others"], extent: Extent | [] | undefined): string | null {
  if (extent) return JSON.stringify(others.size > 0 ? { ...extent, texts: [...others] } : extent);
  return others.size > 0 ? JSON.stringify([...others]) : null;
}

function decodeOthers(json: string | null): FieldPoints["others"] {
  if (json === null) return new Map();
  type Texts = [number, string | boolean][];
  const decoded = JSON.parse(json) as Texts | { readonly texts?: Texts };
  return new Map(Array.isArray(decoded) ? decoded : decoded.texts);
}

/** Number of evenly spaced points from index `from`, at most `most`. */
function countEven(times: Float64Array, from: number, most: number): number {
  const end = Math.min(from + most, times.length);
  const step = times[from + 1]! - times[from]!;
  let to = Math.min(from + 2, end);
  while (to < end && times[to]! - times[to - 1]! === step) to++;
  return to - from;
}

/** Views the blob of a block. @param evenOffsets reused over the blocks of a scan */
export function viewBlock(
  { start_at, data, others }: Omit<BlockRow, "end_at" | "crc">,
  evenOffsets = new EvenOffsets(),
): BlockView {
  const { buffer, byteOffset, byteLength } = data.byteOffset % VALUE_BYTES === 0 ? data : data.slice();
  const isEven = byteLength % OFFSET_BYTES !== 0;
  const count = isEven ? (byteLength - STEP_BYTES) / VALUE_BYTES : byteLength / (VALUE_BYTES + OFFSET_BYTES);
  const offsetsAt = count * VALUE_BYTES;
  const step = isEven ? readUint32(data, offsetsAt) : undefined;
  return {
    startAt: start_at,
    offsets:
      step === undefined
        ? new Uint32Array(buffer, byteOffset + offsetsAt, count)
        : evenOffsets.take(step, count),
    values: new Float64Array(buffer, byteOffset, count),
    step,
    isNumeric: others === null,
    hasSpecial: others !== null && !others.startsWith("[["),
    isBlob: true,
  };
}

/** Views points that fit a block, as `viewBlock` views those of a stored one. */
export function viewPoints({ times, values, others }: FieldPoints, evenOffsets: EvenOffsets): BlockView {
  const count = times.length;
  const startAt = times[0]!;
  const isEven = countEven(times, 0, count) === count;
  const step = isEven ? (count > 1 ? times[1]! - startAt : 0) : undefined;
  const offsets = step === undefined ? new Uint32Array(count) : evenOffsets.take(step, count);
  if (step === undefined) for (let i = 0; i < count; i++) offsets[i] = times[i]! - startAt;
  const hasSpecial = findExtent({ times, values }, others) !== undefined;
  const isNumeric = !hasSpecial && others.size === 0;
  return { startAt, offsets, values, step, isNumeric, hasSpecial, isBlob: false };
}

/** Little-endian, as the typed arrays are. */
function readUint32(bytes: Uint8Array, at: number): number {
  return (bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
}

/** Offsets of evenly spaced points. Those of the last step are reused: most blocks of a scan have the same step. */
export class EvenOffsets {
  #step = 0;
  #offsets = new Uint32Array(0);

  /** Views of arrays that are never written again. */
  take(step: number, count: number): Uint32Array {
    if (step !== this.#step || count > this.#offsets.length) {
      this.#step = step;
      this.#offsets = new Uint32Array(Math.max(count, EVEN_POINTS));
      for (let i = 1; i < this.#offsets.length; i++) this.#offsets[i] = i * step;
    }
    return count === this.#offsets.length ? this.#offsets : this.#offsets.subarray(0, count);
  }
}

/** The part of a block from `fromAt` (inclusive) to `toAt` (exclusive). */
export function clipBlock(view: BlockView, fromAt: number, toAt: number): BlockView {
  const from = findOffset(view.offsets, fromAt - view.startAt);
  const to = findOffset(view.offsets, toAt - view.startAt);
  if (from === 0 && to === view.offsets.length) return view;
  return { ...view, offsets: view.offsets.subarray(from, to), values: view.values.subarray(from, to) };
}

/** Index, from `low` on, of the first of ascending offsets, or places, at or after `target`, by bisection. */
export function findOffset(offsets: ArrayLike<number>, target: number, low = 0): number {
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
export function decodeBlock(row: Omit<BlockRow, "end_at" | "crc">): FieldPoints {
  const view = viewBlock(row);
  return { times: timesOf(view), values: view.values, others: decodeOthers(row.others) };
}

/** Merges points by time; at the same instant the newer one replaces the older. */
export function mergePoints(older: FieldPoints, newer: FieldPoints): FieldPoints {
  const total = older.times.length + newer.times.length;
  const [times, values] = [new Float64Array(total), new Float64Array(total)];
  // Most writes append.
  const before = countBefore(older.times, newer.times[0] ?? Infinity);
  times.set(older.times.subarray(0, before));
  values.set(older.values.subarray(0, before));
  let length = total;
  if (before === older.times.length) {
    times.set(newer.times, before);
    values.set(newer.values, before);
  } else length = mergeFrom(before, { times, values }, older, newer);
  return {
    times: times.subarray(0, length),
    values: values.subarray(0, length),
    others: mergeOthers(older, newer),
  };
}

type Numbers = Pick<FieldPoints, "times" | "values">;

/** Merges the older points from index `a` on, and all newer ones, to the same place. @returns the number of points */
function mergeFrom(a: number, merged: Numbers, older: Numbers, newer: Numbers): number {
  const [to, old, fresh] = [halvesOf(merged.values), halvesOf(older.values), halvesOf(newer.values)];
  let [b, n] = [0, a];
  while (a < older.times.length || b < newer.times.length) {
    const oldAt = older.times[a] ?? Infinity;
    const newAt = newer.times[b] ?? Infinity;
    const at = Math.min(oldAt, newAt);
    merged.times[n] = at;
    const isNewer = newAt === at;
    const from = isNewer ? fresh : old;
    const i = 2 * (isNewer ? b : a);
    to[2 * n] = from[i]!;
    to[2 * n++ + 1] = from[i + 1]!;
    if (oldAt === at) a++;
    if (isNewer) b++;
  }
  return n;
}

/** Number of the instants before `at`. */
function countBefore(times: Float64Array, at: number): number {
  let count = times.length;
  while (count > 0 && times[count - 1]! >= at) count--;
  return count;
}

function mergeOthers(older: FieldPoints, newer: FieldPoints): FieldPoints["others"] {
  if (older.others.size === 0) return newer.others;
  const others = new Map(older.others);
  for (const at of newer.times) others.delete(at);
  for (const [at, value] of newer.others) others.set(at, value);
  return others;
}

/**
 * Splits points so that each part fits a block. At the end of a series (`atEnd`) blocks are filled up, because points
 * arrive in order; in the middle blocks are of equal size, which leaves room for later insertions.
 */
export function splitIntoBlocks(points: FieldPoints, atEnd: boolean): FieldPoints[] {
  const { times } = points;
  const total = times.length;
  const capacity = countEven(times, 0, total) === total ? EVEN_POINTS : UNEVEN_POINTS;
  const equal = Math.ceil(total / Math.ceil(total / capacity));
  const parts: FieldPoints[] = [];
  for (let from = 0, to = 0; from < total; from = to) {
    const size = atEnd ? countFitting(times, from) : equal;
    const lastAt = times[from]! + MAX_SPAN_MS;
    let characters = 0;
    while (to < total && to - from < size && times[to]! <= lastAt && characters < TEXT_CHARACTERS)
      characters += charactersOf(points.others, times[to++]!);
    parts.push(slicePoints(points, from, to));
  }
  return parts;
}

function charactersOf(others: FieldPoints["others"], at: number): number {
  if (others.size === 0) return 0;
  const other = others.get(at);
  return typeof other === "string" ? other.length : 0;
}

/** Number of points from index `from` that fill a block best: the evenly spaced ones, or as many as fit uneven. */
function countFitting(times: Float64Array, from: number): number {
  const count = countEven(times, from, EVEN_POINTS);
  return from + count === times.length ? count : Math.max(count, UNEVEN_POINTS);
}

/** The points `from` (inclusive) to `to` (exclusive). */
export function slicePoints({ times, values, others }: FieldPoints, from: number, to: number): FieldPoints {
  if (from === 0 && to === times.length) return { times, values, others };
  const kept = times.subarray(from, to);
  return { times: kept, values: values.subarray(from, to), others: pickOthers(others, kept) };
}

/** Takes as long as the instants are many: a field with many texts becomes many blocks. */
function pickOthers(others: FieldPoints["others"], times: Float64Array): FieldPoints["others"] {
  if (others.size === 0) return others;
  const picked = new Map<number, string | boolean>();
  for (const at of times) {
    const other = others.get(at);
    if (other !== undefined) picked.set(at, other);
  }
  return picked;
}
