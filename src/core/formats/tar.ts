// Tar headers (POSIX.1-2017 pax, section "ustar Interchange Format"), sizes beyond 8 GiB in base 256.

/** Bytes of a header; contents are padded to a multiple. */
export const TAR_BLOCK = 512;
/** Two empty blocks end an archive. */
export const TAR_END = new Uint8Array(2 * TAR_BLOCK);

interface TarEntry {
  /** At most 100 bytes; slashes between folders. */
  readonly name: string;
  /** Bytes. */
  readonly size: number;
  /** ms since the epoch. */
  readonly modifiedAt: number;
  /** Permissions; 0600 by default. */
  readonly mode?: number;
  /** User and group id; 0 by default. */
  readonly owner?: number;
  /** A file by default. */
  readonly type?: keyof typeof types;
}

const types = { file: "0", folder: "5" } as const;

/** Padding bytes after contents of `size` bytes. */
export function tarPadding(size: number): number {
  return (TAR_BLOCK - (size % TAR_BLOCK)) % TAR_BLOCK;
}

/** The header of an entry. @throws RangeError if the name is too long */
export function tarHeader({
  name,
  size,
  modifiedAt,
  mode = 0o600,
  owner = 0,
  type = "file",
}: TarEntry): Uint8Array {
  const header = new Uint8Array(TAR_BLOCK);
  const encoded = new TextEncoder().encode(name);
  if (encoded.length > 100) throw new RangeError(`name is too long for the archive: ${name}`);
  header.set(encoded);
  const put = (text: string, offset: number) => header.set(new TextEncoder().encode(text), offset);
  put(octal(mode, 8), 100);
  put(octal(owner, 8), 108);
  put(octal(owner, 8), 116);
  putNumber(header, { value: size, offset: 124, length: 12 });
  put(octal(Math.floor(modifiedAt / 1000), 12), 136);
  put(types[type], 156);
  put("ustar\u000000", 257);
  // The checksum is computed with spaces in its own field.
  put(" ".repeat(8), 148);
  const sum = header.reduce((total, byte) => total + byte, 0);
  put(`${sum.toString(8).padStart(6, "0")}\u0000 `, 148);
  return header;
}

/** Octal digits that fill a field, and its NUL. */
function octal(value: number, length: number): string {
  return `${value.toString(8).padStart(length - 1, "0")}\u0000`;
}

/** Sizes beyond 8 GiB do not fit in octal; base 256 as in GNU tar and BSD tar. */
function putNumber(
  header: Uint8Array,
  { value, offset, length }: { value: number; offset: number; length: number },
): void {
  if (value < 8 ** (length - 1)) {
    header.set(new TextEncoder().encode(octal(value, length)), offset);
    return;
  }
  let rest = value;
  for (let i = offset + length - 1; i > offset; i--) {
    header[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  header[offset] = 0x80;
}
