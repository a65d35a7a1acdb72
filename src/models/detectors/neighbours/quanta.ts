// Quanta: values as integers, so that sums of their squared differences are exact; pure.

/** Earlier windows that a window is compared with, by their lag in points. */
export const MAX_LAG = 4000;
/** Length of the longest windows, in points. */
export const LONGEST_SPAN = 100;
/** Values that later windows are compared with, oldest first: as many as the longest window and lag need. */
export const HISTORY_LENGTH = MAX_LAG + LONGEST_SPAN;

/** Values are stored as multiples of `QUANTUM` deviations up to `CLIP` deviations: 16 bits. */
const CLIP = 50;
/** Quanta of a clipped value. */
export const LEVELS = 32_767;
export const QUANTUM = CLIP / LEVELS;

/** As large as a stored value can be: what is compared with stored values is clipped like them. @param z in deviations */
export function clipLikeStored(z: number): number {
  return Math.max(-CLIP, Math.min(CLIP, z));
}

/** @param z in deviations */
export function quantise(z: number): number {
  return Math.round(clipLikeStored(z) / QUANTUM);
}

/** As `quantise`, of values as large as they are. @param z in deviations */
export function toQuanta(z: number): number {
  return Math.abs(z) > CLIP ? z / QUANTUM : quantise(z);
}

/** Inverse of `quantise`, in deviations. */
export function dequantise(quanta: number): number {
  return quanta * QUANTUM;
}

/** The end of a history as base64 of little-endian 16-bit integers. */
export function encodeHistory(history: Float64Array): string {
  const recent = new Int16Array(history.subarray(Math.max(0, history.length - HISTORY_LENGTH)));
  return Buffer.from(recent.buffer).toString("base64");
}

/** Inverse of `encodeHistory`. */
export function decodeHistory(text: string): Float64Array {
  const bytes = Buffer.from(text, "base64");
  const count = Math.min(HISTORY_LENGTH, bytes.length >> 1);
  // A copy: the bytes of a small Buffer are part of a pool, and may begin at an odd address.
  const values = new Int16Array(count);
  new Uint8Array(values.buffer).set(bytes.subarray(0, 2 * count));
  return new Float64Array(values);
}

/** As `decodeHistory`, in units of the data. @param location median and deviation that values were standardised by */
export function readHistory(
  text: string,
  { center, scale }: { readonly center: number; readonly scale: number },
): Float64Array {
  return decodeHistory(text).map((quanta) => dequantise(quanta) * scale + center);
}
