// The wire format against bytes worked out by hand from the Protocol Buffers documentation.
import { expect, test } from "bun:test";
import { MessageWriter } from "../../../wasm/onnx/wire.ts";

const rows: readonly [string, (writer: MessageWriter) => MessageWriter, number[]][] = [
  ["small integer", (w) => w.integer(1, 5), [0x08, 5]],
  ["two-byte integer", (w) => w.integer(1, 150), [0x08, 0x96, 0x01]],
  ["integer beyond 32 bits", (w) => w.integer(1, 2 ** 35), [0x08, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01]],
  ["-1 as 64-bit two's complement", (w) => w.integer(1, -1), [0x08, ...new Array(9).fill(0xff), 0x01]],
  ["field number above 15", (w) => w.integer(20, 1), [0xa0, 0x01, 1]],
  ["text", (w) => w.text(2, "testing"), [0x12, 7, 0x74, 0x65, 0x73, 0x74, 0x69, 0x6e, 0x67]],
  ["float", (w) => w.float(1, 1), [0x0d, 0, 0, 0x80, 0x3f]],
  ["nested message", (w) => w.message(3, new MessageWriter().integer(1, 150)), [0x1a, 3, 0x08, 0x96, 0x01]],
  ["empty nested message", (w) => w.message(3, new MessageWriter()), [0x1a, 0]],
];

for (const [name, write, bytes] of rows) {
  test(`writes ${name}`, () => {
    expect(Array.from(write(new MessageWriter()).finish())).toEqual(bytes);
  });
}

test("keeps the order of fields written before and after a large one", () => {
  const writer = new MessageWriter().integer(1, 1).raw(2, new Uint8Array(3)).integer(3, 2);
  expect(Array.from(writer.finish())).toEqual([0x08, 1, 0x12, 3, 0, 0, 0, 0x18, 2]);
});
