// Decoder of snappy's block format; the announced size is checked before memory is taken.
// Format: https://github.com/google/snappy/blob/main/format_description.txt
import { invalid } from "../errors.ts";

/** No element makes more of its bytes: a copy of 3 bytes stands for 64. */
const MAX_RATIO = 22;
const MAX_SIZE_BYTES = 5;
const ELEMENTS_PER_STEP = 20_000;

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
  const out = new Uint8Array(size);
  let [at, filled] = [start, 0];
  for (let elements = 1; at < block.length; elements++) {
    if (elements % ELEMENTS_PER_STEP === 0) yield;
    const tag = block[at++]!;
    if ((tag & 3) === 0) {
      const extra = Math.max(0, (tag >> 2) - 59);
      const length = (extra === 0 ? tag >> 2 : readLittleEndian(block, at, extra)) + 1;
      at += extra;
      if (at + length > block.length || filled + length > size) throw damaged();
      out.set(block.subarray(at, at + length), filled);
      at += length;
      filled += length;
      continue;
    }
    const [length, width] =
      (tag & 3) === 1 ? [((tag >> 2) & 7) + 4, 1] : [(tag >> 2) + 1, 1 << ((tag & 3) - 1)];
    const high = (tag & 3) === 1 ? (tag >> 5) << 8 : 0;
    const offset = high + readLittleEndian(block, at, width);
    at += width;
    if (at > block.length || offset === 0 || offset > filled || filled + length > size) throw damaged();
    copyWithin(out, filled, { offset, length });
    filled += length;
  }
  if (filled !== size) throw damaged();
  return out;
}

/** A copy may overlap what it makes: it then repeats its beginning. */
function copyWithin(
  out: Uint8Array,
  to: number,
  { offset, length }: { readonly offset: number; readonly length: number },
): void {
  if (offset >= length) out.copyWithin(to, to - offset, to - offset + length);
  else for (let i = 0; i < length; i++) out[to + i] = out[to - offset + i]!;
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
