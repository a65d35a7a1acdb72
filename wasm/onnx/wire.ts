// Writer of the Protocol Buffers wire format, as far as ONNX models need it.
// Source: "Encoding" chapter of the Protocol Buffers documentation.

const VARINT = 0;
const LENGTH_DELIMITED = 2;
const FIXED32 = 5;

/** Collects the fields of a message. Integers are non-negative and below 2^53, or -1 (as 64-bit two's complement). */
export class MessageWriter {
  readonly #bytes: number[] = [];
  readonly #chunks: Uint8Array[] = [];

  integer(field: number, value: number): this {
    this.#tag(field, VARINT);
    if (value < 0) this.#negative(value);
    else this.#varint(value);
    return this;
  }

  float(field: number, value: number): this {
    this.#tag(field, FIXED32);
    this.#bytes.push(...new Uint8Array(new Float32Array([value]).buffer));
    return this;
  }

  text(field: number, value: string): this {
    return this.raw(field, new TextEncoder().encode(value));
  }

  message(field: number, value: MessageWriter): this {
    return this.raw(field, value.finish());
  }

  raw(field: number, value: Uint8Array): this {
    this.#tag(field, LENGTH_DELIMITED);
    this.#varint(value.length);
    this.#flush();
    this.#chunks.push(value);
    return this;
  }

  /** The encoded message. */
  finish(): Uint8Array {
    this.#flush();
    const whole = new Uint8Array(this.#chunks.reduce((sum, chunk) => sum + chunk.length, 0));
    let offset = 0;
    for (const chunk of this.#chunks) {
      whole.set(chunk, offset);
      offset += chunk.length;
    }
    return whole;
  }

  #flush(): void {
    if (this.#bytes.length === 0) return;
    this.#chunks.push(Uint8Array.from(this.#bytes));
    this.#bytes.length = 0;
  }

  #tag(field: number, wireType: number): void {
    this.#varint(field * 8 + wireType);
  }

  #varint(value: number): void {
    let rest = value;
    while (rest >= 128) {
      this.#bytes.push((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    this.#bytes.push(rest);
  }

  #negative(value: number): void {
    let rest = BigInt.asUintN(64, BigInt(value));
    while (rest >= 128n) {
      this.#bytes.push(Number(rest & 127n) | 128);
      rest >>= 7n;
    }
    this.#bytes.push(Number(rest));
  }
}
