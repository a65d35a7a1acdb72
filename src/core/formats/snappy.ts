// Decoder of snappy's block format; the announced size is checked before memory is taken.
// Format: https://github.com/google/snappy/blob/main/format_description.txt
import { invalid } from "../errors.ts";

/** No element makes more of its bytes: a copy of 3 bytes stands for 64. */
const MAX_RATIO = 22;
const MAX_SIZE_BYTES = 5;
const ELEMENTS_PER_STEP = 20_000;
/** Bytes that a loop copies faster than a call. */
const SHORT = 64;

/** Size of the block once it is decoded, in bytes. @throws TorusError `invalid` */
export function snappySize(block: Uint8Array): number {
  return readSize(block).size;
}

/**
 * Decodes a block, in steps of about a millisecond.
 * @param limit largest size of the result, in bytes
 * @throws TorusError `invalid` for damaged input, and beyond the limit
 */
export function* snappySteps(block: Uint8Array, limit: number): Generator<void, Uint8Array<ArrayBuffer>> {
  const { size, start } = readSize(block);
  if (size > limit) throw invalid("body", `has more than ${limit} bytes once it is decoded`);
  if (size > block.length * MAX_RATIO)
    throw invalid(
      "body",
      `must be a block of snappy: ${block.length} bytes cannot hold the ${size} that it announces`,
    );
  const decoding = { block, out: new Uint8Array(size), at: start, filled: 0 };
  while (!decodeElements(decoding)) yield;
  if (decoding.filled !== size) throw damaged();
  return decoding.out;
}

interface Decoding {
  readonly block: Uint8Array;
  readonly out: Uint8Array<ArrayBuffer>;
  /** Place of the next element. */
  at: number;
  /** Bytes of the result so far. */
  filled: number;
}

/** Decodes the elements of a step; as a plain function, since loops of generators are slow. @returns whether all are done */
function decodeElements(decoding: Decoding): boolean {
  const { block, out } = decoding;
  let { at, filled } = decoding;
  for (let elements = 0; at < block.length && elements < ELEMENTS_PER_STEP; elements++) {
    const tag = block[at++]!;
    if ((tag & 3) === 0) {
      const extra = Math.max(0, (tag >> 2) - 59);
      const length = (extra === 0 ? tag >> 2 : readLittleEndian(block, at, extra)) + 1;
      at += extra;
      if (at + length > block.length || filled + length > out.length) throw damaged();
      if (length > SHORT) out.set(block.subarray(at, at + length), filled);
      else for (let i = 0; i < length; i++) out[filled + i] = block[at + i]!;
      at += length;
      filled += length;
      continue;
    }
    const isNear = (tag & 3) === 1;
    const length = isNear ? ((tag >> 2) & 7) + 4 : (tag >> 2) + 1;
    const width = isNear ? 1 : 1 << ((tag & 3) - 1);
    const offset = (isNear ? (tag >> 5) << 8 : 0) + readLittleEndian(block, at, width);
    at += width;
    if (at > block.length || offset === 0 || offset > filled || filled + length > out.length) throw damaged();
    // Copies have 64 bytes at most; one that overlaps what it makes repeats its beginning.
    for (let i = filled; i < filled + length; i++) out[i] = out[i - offset]!;
    filled += length;
  }
  decoding.at = at;
  decoding.filled = filled;
  return at >= block.length;
}

function readSize(block: Uint8Array): { readonly size: number; readonly start: number } {
  let size = 0;
  for (let i = 0; i < Math.min(block.length, MAX_SIZE_BYTES); i++) {
    const byte = block[i]!;
    size += (byte & 127) * 2 ** (7 * i);
    if (byte < 128) {
      if (size >= 2 ** 32) break;
      return { size, start: i + 1 };
    }
  }
  throw damaged();
}

function readLittleEndian(bytes: Uint8Array, at: number, width: number): number {
  if (at + width > bytes.length) throw damaged();
  let value = 0;
  for (let i = 0; i < width; i++) value += bytes[at + i]! * 2 ** (8 * i);
  return value;
}

function damaged() {
  return invalid("body", "must be a block of snappy, and is damaged");
}
