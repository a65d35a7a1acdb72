// Byte order mark of a text in pieces: dropped before the first one, kept within.
import { expect, test } from "bun:test";
import { decodeLines } from "../../../src/core/formats/marked-text.ts";

test.each([
  ["UTF-8", Buffer.from("\uFEFFa"), "a"],
  ["a byte that is none", Buffer.from([0xef, 0xbb, 0xbf, 0xff]), "\uDC00"],
])("%s", (_, bytes, text) => {
  expect(decodeLines(bytes)).toBe(text);
  expect(decodeLines(bytes, false)).toBe(`\uFEFF${text}`);
});
