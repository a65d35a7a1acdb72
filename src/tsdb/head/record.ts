// Records of a journal: the points of one write with a checksum. Little-endian, as typed arrays are. Pure.
import { crc32 } from "node:zlib";
import { type IndexedText, POINT_BYTES, type PointColumns } from "./batch.ts";

/** Of uint32: bytes of the body, checksum, number of points, bytes of the texts, bytes before that are on disk, 0. */
const HEADER_BYTES = 24;
/** Bytes that the checksum does not cover: the first two numbers. */
const UNCHECKED_BYTES = 8;
const ALIGNMENT = 8;

/**
 * Bytes of a record, padded so that the numbers of the next one are aligned.
 * @param syncedTo bytes of the journal that are known to be on disk
 */
export function encodeRecord(
  { length, fieldIds, times, values, texts }: PointColumns,
  syncedTo: number,
): Uint8Array<ArrayBuffer> {
  const json = texts.length > 0 ? Buffer.from(JSON.stringify(texts)) : undefined;
  const textBytes = json?.length ?? 0;
  const bytes = new Uint8Array(align(HEADER_BYTES + length * POINT_BYTES + textBytes));
  const header = new Uint32Array(bytes.buffer, 0, HEADER_BYTES / 4);
  const at = placesOf(length);
  new Float64Array(bytes.buffer, at.times, length).set(times.subarray(0, length));
  new Float64Array(bytes.buffer, at.values, length).set(values.subarray(0, length));
  new Uint32Array(bytes.buffer, at.fieldIds, length).set(fieldIds.subarray(0, length));
  if (json) bytes.set(json, at.texts);
  header[0] = bytes.length - HEADER_BYTES;
  header[2] = length;
  header[3] = textBytes;
  header[4] = syncedTo;
  header[1] = checksumOf(bytes);
  return bytes;
}

function placesOf(length: number) {
  const times = HEADER_BYTES;
  const values = times + length * 8;
  const fieldIds = values + length * 8;
  return { times, values, fieldIds, texts: fieldIds + length * 4 };
}

function align(bytes: number): number {
  return Math.ceil(bytes / ALIGNMENT) * ALIGNMENT;
}

function checksumOf(record: Uint8Array): number {
  return crc32(record.subarray(UNCHECKED_BYTES));
}

export interface FoundRecord {
  readonly points: PointColumns;
  /** Bytes of the journal that were on disk when it was written. */
  readonly syncedTo: number;
  /** Place of the next record. */
  readonly endAt: number;
}

/**
 * The record at a place of a journal.
 * @param bytes at an address that is a multiple of 8
 * @returns undefined where none is whole
 */
export function decodeRecord(bytes: Uint8Array<ArrayBuffer>, at: number): FoundRecord | undefined {
  if (at + HEADER_BYTES > bytes.length) return undefined;
  const header = new Uint32Array(bytes.buffer, bytes.byteOffset + at, HEADER_BYTES / 4);
  const [bodyBytes = 0, checksum, length = 0, textBytes = 0, syncedTo = 0] = header;
  const endAt = at + HEADER_BYTES + bodyBytes;
  const isPlausible = bodyBytes === align(HEADER_BYTES + length * POINT_BYTES + textBytes) - HEADER_BYTES;
  if (!isPlausible || bodyBytes === 0 || endAt > bytes.length) return undefined;
  if (checksumOf(bytes.subarray(at, endAt)) !== checksum) return undefined;
  const place = placesOf(length);
  const from = bytes.byteOffset + at;
  const textsAt = at + place.texts;
  const json = new TextDecoder().decode(bytes.subarray(textsAt, textsAt + textBytes));
  const points = {
    length,
    fieldIds: new Uint32Array(bytes.buffer, from + place.fieldIds, length),
    times: new Float64Array(bytes.buffer, from + place.times, length),
    values: new Float64Array(bytes.buffer, from + place.values, length),
    texts: textBytes > 0 ? (JSON.parse(json) as IndexedText[]) : [],
  };
  return { points, syncedTo, endAt };
}

/**
 * Whether a record behind a place was written when that place was on disk already. If so, what stands there was damaged
 * later; if not, it was cut off by a crash, and never acknowledged.
 */
export function wasOnDisk(bytes: Uint8Array<ArrayBuffer>, at: number): boolean {
  for (let next = at + ALIGNMENT; next < bytes.length; next += ALIGNMENT) {
    const found = decodeRecord(bytes, next);
    if (found && found.syncedTo > at) return true;
  }
  return false;
}
