// Messages that are written, read by protobufjs.
import { expect, test } from "bun:test";
import protobuf from "protobufjs";
import { writeProtobuf } from "../../../src/core/formats/protobuf-writer.ts";

const { root } = protobuf.parse(`
  syntax = "proto3";
  message Inner { int64 rejected = 1; string text = 2; }
  message Outer { Inner inner = 1; uint32 far = 1000; }
`);
const decode = (type: string, bytes: Uint8Array) =>
  root.lookupType(type).toObject(root.lookupType(type).decode(bytes), { longs: Number });

test.each([1, 127, 128, 16_384, 2 ** 32, 2 ** 52])("number %d and a text", (rejected) => {
  const inner = writeProtobuf([
    [1, rejected],
    [2, `é${"x".repeat(200)}`],
  ]);
  expect(decode("Inner", inner)).toEqual({ rejected, text: `é${"x".repeat(200)}` });
  expect(
    decode(
      "Outer",
      writeProtobuf([
        [1, inner],
        [1000, 7],
      ]),
    ),
  ).toMatchObject({ inner: { rejected }, far: 7 });
});

test("0 and the empty text are left out", () => {
  expect(
    writeProtobuf([
      [1, 0],
      [2, ""],
    ]),
  ).toEqual(new Uint8Array(0));
});
