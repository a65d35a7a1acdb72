// Keys of stored secrets: 32 bytes in base64 or hexadecimal.
import { expect, test } from "bun:test";
import { parseKey } from "../../../src/core/access/key.ts";

const bytes = Uint8Array.from({ length: 32 }, (_, i) => i * 7);
const buffer = Buffer.from(bytes);

test.each([
  ["base64", buffer.toString("base64")],
  ["base64 for addresses, unpadded", buffer.toString("base64url")],
  ["hexadecimal", buffer.toString("hex")],
  ["capitals and a line end", `${buffer.toString("hex").toUpperCase()}\n`],
])("%s", (_name, text) => expect(Buffer.from(parseKey(text)!)).toEqual(buffer));

test.each([
  ["nothing", ""],
  ["16 bytes", buffer.subarray(0, 16).toString("hex")],
  ["33 bytes", Buffer.concat([buffer, buffer.subarray(0, 1)]).toString("base64")],
  ["a password", "correct horse battery staple"],
  ["two lines", `${buffer.toString("base64")}\n${buffer.toString("base64")}`],
])("%s is none", (_name, text) => expect(parseKey(text)).toBeUndefined());
