// Reader of the wire format of protocol buffers; a message never reads beyond its own end.
// Format: https://protobuf.dev/programming-guides/encoding/
import { invalid } from "../errors.ts";

const [VARINT, FIXED64, LENGTH, FIXED32] = [0, 1, 2, 5];
const MAX_VARINT_BYTES = 10;
/** Values of the lowest bits of the bytes of a varint. */
const powers = Array.from({ length: MAX_VARINT_BYTES }, (_, i) => 2 ** (7 * i));

/**
 * Reads fields one after the other: `next`, then the method of the field's type, or `skip`.
 * Every method throws TorusError `invalid` for damaged input.
 */
export class ProtobufReader {
  /** Number of the current field. */
  field = 0;
  /** Fields that `next` may still find; those of messages within count, too. */
  #left = Infinity;
  /** As they were allowed. */
  #most = Infinity;
  #type = 0;
  #at: number;
  #end: number;
  /** Start of the last varint. */
  #varintAt = 0;
  readonly #bytes: Buffer;
  readonly #view: DataView;

  constructor({ buffer, byteOffset, byteLength }: Uint8Array<ArrayBuffer>) {
    this.#bytes = Buffer.from(buffer, byteOffset, byteLength);
    this.#view = new DataView(buffer, byteOffset, byteLength);
    this.#at = 0;
    this.#end = byteLength;
  }

  /** Moves to the next field. @returns false at the end of the message */
  next(): boolean {
    if (this.#at >= this.#end) return false;
    if (--this.#left < 0) throw tooManyFields(this.#most);
    const tag = this.#varint();
    this.field = Math.floor(tag / 8);
    this.#type = tag % 8;
    if (this.field === 0 || tag >= 2 ** 32) throw damaged();
    return true;
  }

  /** Enters the message of the field. @returns its mark, for `leave` */
  enter(): number {
    const length = this.#length();
    const mark = this.#end;
    this.#end = this.#at + length;
    return mark;
  }

  /** Moves behind the message, and on in the one around it. */
  leave(mark: number): void {
    this.#at = this.#end;
    this.#end = mark;
  }

  /** Where the next field begins. */
  get position(): number {
    return this.#at;
  }

  /** Position and end of the field's message, for `visit`. */
  message(): readonly [from: number, to: number] {
    const length = this.#length();
    this.#at += length;
    return [this.#at - length, this.#at];
  }

  /** Moves to a message that `message` has found. */
  visit([from, to]: readonly [from: number, to: number]): void {
    this.#at = from;
    this.#end = to;
  }

  /**
   * Allows this number of fields from here on: a field takes two bytes, and the one who reads it much more.
   * @returns the number that was left
   */
  allow(fields: number): number {
    const left = this.#left;
    this.#left = fields;
    this.#most = fields;
    return left;
  }

  /** Does not count the current field. */
  forgive(): void {
    this.#left++;
  }

  /** @param most bytes beyond which the text is cut off */
  text(most = Infinity): string {
    return this.bytes().subarray(0, most).toString("utf8");
  }

  /** A view of the message. */
  bytes(): Buffer {
    const [from, to] = this.message();
    return this.#bytes.subarray(from, to);
  }

  /** The bytes of a part of the message as a text, a character for each. */
  binary(from: number, to: number): string {
    return this.#bytes.toString("latin1", from, to);
  }

  double(): number {
    this.#take(FIXED64, 8);
    return this.#view.getFloat64(this.#at - 8, true);
  }

  /** The bits of the last double, the upper half. */
  highBits(): number {
    return this.#view.getUint32(this.#at - 4, true);
  }

  /** The bits of the last double, the lower half. */
  lowBits(): number {
    return this.#view.getUint32(this.#at - 8, true);
  }

  /** uint32, uint64, bool and enum; beyond 2^53 to the precision of a float64. */
  unsigned(): number {
    this.#expect(VARINT);
    return this.#varint();
  }

  /** int32 and int64; beyond 2^53 to the precision of a float64. */
  signed(): number {
    this.#expect(VARINT);
    const value = this.#varint();
    return value < 2 ** 63 ? value : this.#negativeAt(this.#varintAt);
  }

  /** sint32 and sint64. */
  zigzag(): number {
    this.#expect(VARINT);
    const value = this.#varint();
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** fixed64 to the precision of a float64. */
  fixed64(): number {
    this.#take(FIXED64, 8);
    return this.highBits() * 2 ** 32 + this.lowBits();
  }

  /** sfixed64 to the precision of a float64. */
  signedFixed64(): number {
    this.#take(FIXED64, 8);
    return this.#view.getInt32(this.#at - 4, true) * 2 ** 32 + this.lowBits();
  }

  /** fixed64 of nanoseconds, as milliseconds, rounded down; exact. */
  nanoseconds(): number {
    this.#take(FIXED64, 8);
    const high = this.highBits();
    const rest = (high % 1e6) * 2 ** 32 + this.lowBits();
    return Math.floor(high / 1e6) * 2 ** 32 + Math.floor(rest / 1e6);
  }

  /** Adds the values of a repeated field, packed or not; those beyond `most` of the list and one are left out. */
  packed(read: "double" | "fixed64" | "unsigned", list: number[], most: number): void {
    if (this.#type !== LENGTH) {
      const value = this[read]();
      if (list.length <= most) list.push(value);
      return;
    }
    const mark = this.enter();
    const type = read === "unsigned" ? VARINT : FIXED64;
    while (this.#at < this.#end && list.length <= most) {
      this.#type = type;
      list.push(this[read]());
    }
    this.leave(mark);
  }

  /** Moves behind the field. */
  skip(): void {
    if (this.#type === VARINT) this.#varint();
    else if (this.#type === FIXED64) this.#take(FIXED64, 8);
    else if (this.#type === LENGTH) this.message();
    else if (this.#type === FIXED32) this.#take(FIXED32, 4);
    // Groups have been deprecated before there were these messages.
    else throw damaged();
  }

  #varint(): number {
    this.#varintAt = this.#at;
    let byte = this.#byte();
    let value = byte & 127;
    for (let i = 1; byte >= 128; i++) {
      if (i === MAX_VARINT_BYTES) throw damaged();
      byte = this.#byte();
      value += (i === MAX_VARINT_BYTES - 1 ? byte & 1 : byte & 127) * powers[i]!;
    }
    return value;
  }

  /** The varint at `from` as a negative number in two's complement; exact for small ones, unlike the sum of its bits. */
  #negativeAt(from: number): number {
    let complement = 0;
    for (let i = 0; i < MAX_VARINT_BYTES; i++) {
      const most = i === MAX_VARINT_BYTES - 1 ? 1 : 127;
      complement += (most - (this.#bytes[from + i]! & most)) * powers[i]!;
    }
    return -complement - 1;
  }

  #byte(): number {
    if (this.#at >= this.#end) throw damaged();
    return this.#bytes[this.#at++]!;
  }

  #length(): number {
    this.#expect(LENGTH);
    const length = this.#varint();
    if (length > this.#end - this.#at) throw damaged();
    return length;
  }

  #take(type: number, bytes: number): void {
    this.#expect(type);
    if (this.#at + bytes > this.#end) throw damaged();
    this.#at += bytes;
  }

  #expect(type: number): void {
    if (this.#type !== type) throw damaged();
  }
}

function tooManyFields(most: number) {
  return invalid("body", `has a message of more than ${most} fields: send what its schema has`);
}

function damaged() {
  return invalid("body", "must be a message in protocol buffers, and is damaged or of another type");
}
