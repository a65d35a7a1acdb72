// Snappy blocks: those of another encoder come back, damaged and oversized ones are refused before memory is taken.
import { describe, expect, test } from "bun:test";
import fc from "fast-check";
import { compress } from "snappyjs";
import { snappySize, snappySteps } from "../../../src/core/formats/snappy.ts";
import { finish } from "../../../src/runtime/steps.ts";
import { roundsOf } from "../../support/rounds.ts";

const LIMIT = 1_000_000;
const decodeSnappy = (block: Uint8Array, limit: number) => finish(snappySteps(block, limit));
const pack = (bytes: Uint8Array) => new Uint8Array(compress(bytes));

test("what another encoder made comes back, whatever repeats in it", () => {
  const piece = fc.uint8Array({ maxLength: 80 });
  const bytes = fc.array(fc.tuple(piece, fc.integer({ min: 1, max: 40 })), { maxLength: 30 });
  fc.assert(
    fc.property(bytes, (pieces) => {
      const plain = Buffer.concat(pieces.flatMap(([part, times]) => Array<Uint8Array>(times).fill(part)));
      const block = pack(plain);
      expect(snappySize(block)).toBe(plain.length);
      expect(Buffer.from(decodeSnappy(block, LIMIT)).equals(plain)).toBe(true);
    }),
  );
});

test("literals of every width of length, and copies of every width of offset", () => {
  for (const length of [1, 60, 61, 256, 257, 65_536, 65_537, 300_000]) {
    const plain = Uint8Array.from({ length }, (_, i) => (i * 2_654_435_761) >>> 24);
    expect(decodeSnappy(pack(plain), LIMIT)).toEqual(plain);
  }
  // "abcd", a copy of 4 at offset 4 with one byte, of 3 with two bytes, of 2 with four bytes.
  const block = Uint8Array.of(13, 12, 97, 98, 99, 100, 1, 4, (2 << 2) | 2, 4, 0, (1 << 2) | 3, 4, 0, 0, 0);
  expect(Buffer.from(decodeSnappy(block, 13)).toString()).toBe("abcdabcdabcda");
});

describe("refused", () => {
  test("random bytes never crash, and never take more than the limit", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (block) => {
        try {
          expect(decodeSnappy(block, 4096).length).toBeLessThanOrEqual(4096);
        } catch (error) {
          expect(error).toMatchObject({ code: "invalid" });
        }
      }),
      { numRuns: roundsOf(2000) },
    );
  });

  test.each<[string, number[], string]>([
    ["nothing at all", [], "damaged"],
    ["a size without end", [255, 255, 255, 255, 255, 1], "damaged"],
    ["a bomb: 4 GB announced by six bytes", [255, 255, 255, 255, 15, 0], "more than 1000 bytes"],
    ["a size that its bytes cannot have", [232, 7, 0, 97], "4 bytes cannot hold the 1000 that it announces"],
    ["a literal that is cut", [4, 12, 97], "damaged"],
    ["a length of a literal that is cut", [4, 61 << 2], "damaged"],
    ["more than announced", [1, 4, 97, 98], "damaged"],
    ["less than announced", [3, 4, 97, 98], "damaged"],
    ["a copy before the beginning", [8, 0, 97, 1, 2], "damaged"],
    ["a copy of offset 0", [5, 0, 97, 1, 0], "damaged"],
    ["an offset that is cut", [5, 0, 97, 2, 1], "damaged"],
  ])("%s", (_, block, message) => {
    expect(() => decodeSnappy(Uint8Array.from(block), 1000)).toThrow(message);
  });
});
