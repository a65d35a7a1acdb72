// JSON in compressed blobs: zstd, whose fastest level packs numbers as well as the default one in a quarter of its time.

/** Of what is written once and read often. */
export const ARCHIVE_LEVEL = 3;
/** Of what is written again and again. */
export const FAST_LEVEL = 1;

export function packJson(value: unknown, level: number): Buffer {
  return Bun.zstdCompressSync(JSON.stringify(value), { level });
}

/** As `packJson` at the fast level, in memory of no more than its size: the packer's own buffer is larger. */
export function packCompact(value: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(packJson(value, FAST_LEVEL));
}

/** @throws where the bytes are damaged */
export function unpackJson(bytes: Uint8Array<ArrayBuffer>): Record<string, unknown> {
  return JSON.parse(Bun.zstdDecompressSync(bytes).toString());
}
