// Zip archives (APPNOTE.TXT 6.3.10, sections 4.3.7 to 4.3.16): deflated, without data descriptors and zip64.
import { crc32, deflateRawSync } from "node:zlib";

export interface ZipEntry {
  /** With slashes between folders. */
  readonly name: string;
  readonly bytes: Uint8Array;
}

const LOCAL = 0x04034b50;
const CENTRAL = 0x02014b50;
const END = 0x06054b50;
const VERSION = 20;
/** Made on Unix: external attributes hold the mode. */
const MADE_BY = (3 << 8) | VERSION;
const UTF8 = 1 << 11;
const DEFLATED = 8;
/** 1980-01-01. */
const FIRST_S = 315_532_800;
/** A regular file, 0644. */
const ATTRIBUTES = 0o100644 * 2 ** 16;

/** @param modifiedAt seconds since the epoch: the time of all entries, in UTC */
export function packZip(entries: readonly ZipEntry[], modifiedAt: number): Uint8Array<ArrayBuffer> {
  const [time, date] = toDosTime(modifiedAt);
  const locals: Buffer[] = [];
  const centrals: Buffer[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const path = Buffer.from(name);
    const packed = deflateRawSync(bytes, { level: 9 });
    const sizes = [u32(crc32(bytes)), u32(packed.length), u32(bytes.length), u16(path.length), u16(0)];
    const common = [u16(VERSION), u16(UTF8), u16(DEFLATED), u16(time), u16(date), ...sizes];
    const local = Buffer.concat([u32(LOCAL), ...common, path, packed]);
    // Comment, disk, internal attributes.
    const rest = [u16(0), u16(0), u16(0), u32(ATTRIBUTES), u32(offset)];
    centrals.push(Buffer.concat([u32(CENTRAL), u16(MADE_BY), ...common, ...rest, path]));
    locals.push(local);
    offset += local.length;
  }
  const directory = Buffer.concat(centrals);
  const counts = [u16(0), u16(0), u16(entries.length), u16(entries.length)];
  const end = Buffer.concat([u32(END), ...counts, u32(directory.length), u32(offset), u16(0)]);
  return Buffer.concat([...locals, directory, end]);
}

/** Time and date as in FAT: from 1980 on, in steps of two seconds. */
function toDosTime(seconds: number): readonly [time: number, date: number] {
  const at = new Date(Math.max(seconds, FIRST_S) * 1000);
  const time = (at.getUTCHours() << 11) | (at.getUTCMinutes() << 5) | (at.getUTCSeconds() >> 1);
  return [time, ((at.getUTCFullYear() - 1980) << 9) | ((at.getUTCMonth() + 1) << 5) | at.getUTCDate()];
}

function u16(value: number): Buffer {
  const bytes = Buffer.alloc(2);
  bytes.writeUInt16LE(value);
  return bytes;
}

function u32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(value);
  return bytes;
}
