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
    if (!this.#decoder) {
      if (whole.length < 4) return this.#hold(whole, 0);
      this.#use(sniff(whole));
    }
    if (this.#encoding !== "utf-8") return this.#decoder!.decode(this.#take(whole), { stream: true });
    const end = completeEnd(whole);
    const text = this.#decode(whole.subarray(0, end));
    // Single bytes need no continuation.
    if (this.#encoding !== "utf-8")
      return text + this.#decoder!.decode(this.#take(whole).subarray(end), { stream: true });
    this.#hold(whole, end);
    return text;
  }

  /** The rest. */
  end(): string {
    const rest = this.#take(this.#held);
    if (!this.#decoder) this.#use(sniff(rest));
    return this.#encoding === "utf-8" ? this.#decode(rest) : this.#decoder!.decode(rest);
  }

  #hold(whole: Uint8Array, from: number): string {
    this.#held = whole.slice(from);
    return "";
  }

  #take(whole: Uint8Array): Uint8Array {
    this.#held = new Uint8Array();
    return whole;
  }

  #use(encoding: Encoding): void {
    this.#encoding = encoding;
    this.#decoder = new TextDecoder(encoding, { fatal: encoding === "utf-8" });
  }

  #decode(bytes: Uint8Array): string {
    try {
      const text = this.#decoder!.decode(bytes);
      this.#isAscii &&= text.length === bytes.length;
      return text;
    } catch {
      if (!this.#isAscii) throw refuse("file", "mixedBytes");
      this.#use("windows-1252");
      return this.#decoder!.decode(bytes, { stream: true });
    }
  }
}

/** By the byte order mark, or by the zeros of letters of two bytes. */
function sniff([a, b, c, d]: Uint8Array): Encoding {
  if ((a === 0xff && b === 0xfe) || (b === 0 && d === 0 && a !== 0)) return "utf-16le";
  if ((a === 0xfe && b === 0xff) || (a === 0 && c === 0 && b !== 0)) return "utf-16be";
  return "utf-8";
}

/** End of the last whole letter: later bytes may go on in the next chunk. */
function completeEnd(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!;
    if (byte < 0x80) return bytes.length;
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2;
      return back < length ? bytes.length - back : bytes.length;
    }
  }
  return bytes.length;
}

function concat(a: Uint8Array, b: Uint8Array): Uint8Array {
  if (a.length === 0) return b;
  const whole = new Uint8Array(a.length + b.length);
  whole.set(a);
  whole.set(b, a.length);
  return whole;
}
