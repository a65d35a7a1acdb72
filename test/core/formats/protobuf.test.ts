// Protocol buffers: messages of another writer are read field by field; damaged ones are refused.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { Writer } from "protobufjs";
import { ProtobufReader } from "../../../src/core/formats/protobuf.ts";
import { roundsOf } from "../../support/rounds.ts";

function read(bytes: Uint8Array): ProtobufReader {
  const reader = new ProtobufReader(new Uint8Array(bytes));
  expect(reader.next()).toBe(true);
  return reader;
}

/** A message with one field. */
const field = (type: number, write: (writer: Writer) => Writer) =>
  write(Writer.create().uint32((7 << 3) | type)).finish();

describe("values of another writer", () => {
  test.each([
    0,
    1,
    -1,
    127,
    128,
    -128,
    2 ** 31,
    -(2 ** 31),
    1769860800000,
    -62135596800000,
    2 ** 52,
    -(2 ** 52),
  ])("integer %d", (value) => {
    expect(read(field(0, (writer) => writer.int64(value))).signed()).toBe(value);
    expect(read(field(0, (writer) => writer.sint64(value))).zigzag()).toBe(value);
    expect(read(field(1, (writer) => writer.sfixed64(value))).signedFixed64()).toBe(value);
    if (value < 0) return;
    expect(read(field(0, (writer) => writer.uint64(value))).unsigned()).toBe(value);
    expect(read(field(1, (writer) => writer.fixed64(value))).fixed64()).toBe(value);
  });

  test("doubles with their bits, and texts", () => {
    fc.assert(
      fc.property(fc.double(), (value) => {
        expect(read(field(1, (writer) => writer.double(value))).double()).toBe(value);
      }),
    );
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const reader = read(field(2, (writer) => writer.string(text)));
        expect([reader.text(), reader.next()]).toEqual([text, false]);
      }),
    );
    const stale = Uint8Array.of((7 << 3) | 1, 2, 0, 0, 0, 0, 0, 0xf0, 0x7f);
    const reader = read(stale);
    expect(reader.double()).toBeNaN();
    expect([reader.highBits(), reader.lowBits()]).toEqual([0x7ff00000, 2]);
  });

  test("nanoseconds as milliseconds, rounded down exactly", () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }), (ns) => {
        const bytes = Buffer.alloc(9);
        bytes[0] = (7 << 3) | 1;
        bytes.writeBigUInt64LE(ns, 1);
        expect(read(bytes).nanoseconds()).toBe(Number(ns / 1_000_000n));
      }),
    );
  });

  test("repeated numbers, packed or not, and messages in messages", () => {
    const packed = read(field(2, (writer) => writer.fork().double(1).double(2).ldelim()));
    const seen: number[] = [];
    packed.packed("double", seen, 9);
    read(field(0, (writer) => writer.uint32(3))).packed("unsigned", seen, 9);
    expect(seen).toEqual([1, 2, 3]);
    const outer = read(field(2, (writer) => writer.fork().uint32(8).uint32(5).ldelim().uint32(16).uint32(6)));
    const mark = outer.enter();
    expect([outer.next(), outer.field, outer.unsigned(), outer.next()]).toEqual([true, 1, 5, false]);
    outer.leave(mark);
    expect([outer.next(), outer.field, outer.unsigned(), outer.next()]).toEqual([true, 2, 6, false]);
  });
});

describe("refused", () => {
  test.each<[string, number[], (reader: ProtobufReader) => unknown]>([
    ["a varint that is cut", [56, 128], (reader) => reader.unsigned()],
    ["a varint without end", [56, ...Array<number>(11).fill(255)], (reader) => reader.unsigned()],
    ["a double that is cut", [57, 1, 2], (reader) => reader.double()],
    ["a text longer than the message", [58, 5, 97], (reader) => reader.text()],
    [
      "a message longer than the one around it",
      [58, 2, 10, 9],
      (reader) => {
        reader.enter();
        reader.next();
        return reader.text();
      },
    ],
    ["another type than that of the field", [56, 1], (reader) => reader.text()],
    ["a group", [59], (reader) => reader.skip()],
    ["a field to skip that is cut", [58, 5, 97], (reader) => reader.skip()],
  ])("%s", (_, bytes, use) => {
    expect(() => use(read(Uint8Array.from(bytes)))).toThrow("damaged");
  });

  test("field 0", () => {
    expect(() => new ProtobufReader(Uint8Array.of(0, 1)).next()).toThrow("damaged");
  });

  test("random bytes are skipped to their end or refused, and never read beyond it", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 100 }), (bytes) => {
        const reader = new ProtobufReader(new Uint8Array(bytes));
        try {
          while (reader.next()) reader.skip();
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid" });
        }
      }),
      { numRuns: roundsOf(2000) },
    );
  });
});

test("more fields than are allowed are refused with their number; those that are forgiven do not count", () => {
  const read = (fields: number) => {
    const reader = new ProtobufReader(
      new Uint8Array(Array.from({ length: fields }, () => [16, 1, 8, 1]).flat()),
    );
    reader.allow(3);
    while (reader.next()) {
      if (reader.field === 2) reader.forgive();
      reader.skip();
    }
  };
  read(3);
  expect(() => read(4)).toThrow("body: has a message of more than 3 fields");
});
