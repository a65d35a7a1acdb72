// Text of bytes that may not be UTF-8 everywhere: what cannot be decoded is marked, so that its line is refused alone.

/** Half of a pair of code units: no UTF-8 decodes to it alone. */
const MARK = "\uDC00";
const REPLACEMENT = Buffer.from("\uFFFD");
/** Characters U+FFFD that were sent as such; beyond, a text that is no UTF-8 is not told apart from them. */
const MAX_SENT = 100_000;

/**
 * @param isStart whether a byte order mark may stand before it
 * @returns undefined for too many characters that look like those that replace what is no UTF-8
 */
export function decodeLines(
  { buffer, byteOffset, byteLength }: Uint8Array,
  isStart = true,
): string | undefined {
  const bytes = Buffer.from(buffer, byteOffset, byteLength);
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: !isStart }).decode(bytes);
  } catch {
    const texts: string[] = [];
    for (let from = 0; from <= bytes.length; ) {
      const found = bytes.indexOf(REPLACEMENT, from);
      const to = found < 0 ? bytes.length : found;
      if (texts.length > MAX_SENT) return undefined;
      texts.push(bytes.toString("utf8", from, to).replaceAll("\uFFFD", MARK));
      from = to + REPLACEMENT.length;
    }
    const text = texts.join("\uFFFD");
    return isStart ? text.replace(/^\uFEFF/, "") : text;
  }
}

/** Whether all of a text of `decodeLines` was UTF-8. */
export function isUtf8(text: string): boolean {
  return text.isWellFormed();
}

/** A line as people may read it. */
export function shown(line: string): string {
  return line.toWellFormed();
}
