// Decoder of text files in UTF-8, UTF-16 or Windows-1252; the first bytes decide, in chunks.
import { refuse } from "./words/refusal.ts";

export type Encoding = "utf-8" | "utf-16le" | "utf-16be" | "windows-1252";

/** Decodes chunks of a file; without a byte order mark, bytes that are not UTF-8 are Windows-1252 (and so Latin-1). */
export class TextReader {
  #decoder: TextDecoder | undefined;
  #encoding: Encoding = "utf-8";
  #held: Uint8Array = new Uint8Array();
  /** Whether all text so far reads the same in each encoding of single bytes. */
  #isAscii = true;

  get encoding(): Encoding {
    return this.#encoding;
  }

  /** @throws TorusError `invalid` for bytes that fit no encoding that the text before fits */
  push(bytes: Uint8Array): string {
    const whole = concat(this.#held, bytes);
    if (this.#decoder || whole.length >= 4) return this.#decode(whole, false);
    this.#held = whole;
    return "";
  }

  /** The rest. @throws TorusError `invalid` as push */
  end(): string {
    return this.#decode(this.#held, true);
  }

  #decode(whole: Uint8Array, isLast: boolean): string {
    const decoder = this.#decoder ?? this.#use(sniff(whole));
    const isUtf8 = this.#encoding === "utf-8";
    const end = isUtf8 && !isLast ? completeEnd(whole) : whole.length;
    this.#held = whole.slice(end);
    try {
      const text = decoder.decode(whole.subarray(0, end), { stream: !isUtf8 && !isLast });
      this.#isAscii &&= text.length === end;
      return text;
    } catch {
      if (!this.#isAscii) throw refuse("file", "mixedBytes");
      // Single bytes need no continuation.
      this.#held = new Uint8Array();
      return this.#use("windows-1252").decode(whole);
    }
  }

  #use(encoding: Encoding): TextDecoder {
    this.#encoding = encoding;
    this.#decoder = new TextDecoder(encoding, { fatal: encoding === "utf-8" });
    return this.#decoder;
  }
}

/** By the byte order mark, or by the zeros of letters of two bytes. */
function sniff([a, b, c, d]: Uint8Array): Encoding {
  if ((a === 0xff && b === 0xfe) || (b === 0 && d === 0 && a !== 0)) return "utf-16le";
  if ((a === 0xfe && b === 0xff) || (a === 0 && c === 0 && b !== 0)) return "utf-16be";
  return "utf-8";
}

/** Where a letter begins that may go on in the next chunk, or the end. */
function completeEnd(bytes: Uint8Array): number {
  // Bytes that go on a letter are 0x80 to 0xbf.
  const start = bytes.length - 4;
  const at = Math.max(0, start) + bytes.subarray(-4).findLastIndex((byte) => byte >> 6 !== 2);
  return bytes[at]! >= 0xc0 ? at : bytes.length;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
