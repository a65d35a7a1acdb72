// Encodings of CSV files, in chunks of any size.
import { expect, test } from "bun:test";
import { TextReader } from "../../../../src/core/formats/csv/decode.ts";
import { errorOf } from "../../expect.ts";

function decode(bytes: Uint8Array, size: number): string {
  const reader = new TextReader();
  let text = "";
  for (let at = 0; at < bytes.length; at += size) text += reader.push(bytes.slice(at, at + size));
  return text + reader.end();
}

const text = "time;Größe\n2024-03-04;1 €\n";
const utf16 = Uint8Array.from([0xff, 0xfe, ...new Uint8Array(Buffer.from(text, "utf16le"))]);
const swapped = Uint8Array.from(utf16, (_, i) => utf16[i ^ 1]!);
const cases: [string, Uint8Array][] = [
  ["UTF-8", new TextEncoder().encode(text)],
  ["UTF-16 with a mark", utf16],
  ["UTF-16 without a mark", utf16.slice(2)],
  ["UTF-16, big endian", swapped],
  ["Windows-1252", Uint8Array.from([...text], (letter) => (letter === "€" ? 0x80 : letter.charCodeAt(0)))],
];
test.each(cases)("%s", (_name, bytes) => {
  for (const size of [1, 2, 3, 5, 1000]) expect(decode(bytes, size).replace("\ufeff", "")).toBe(text);
});

test("short files", () => {
  for (const short of ["", "a", "a,", "ä"]) expect(decode(new TextEncoder().encode(short), 1)).toBe(short);
});

test("a mixture is refused", () => {
  const bytes = Uint8Array.from([...new TextEncoder().encode("größe\n"), 0xfc, 0x41, 0x42]);
  expect(errorOf(() => decode(bytes, 8)).message).toStartWith("file: mixes UTF-8 with other bytes");
});
