// Cache of weights: what is put is found again, also by the next process, and the oldest go where it is full.
import { expect, test } from "bun:test";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { WeightsCache } from "../../../src/store/postgres/weights-cache.ts";
import { temporaryFolder } from "../../support/folder.ts";

const sumOf = (digit: string) => digit.repeat(64);
const folderOf = (dir: string) => join(dir, "cache", "weights");

test("bytes are found by their checksum, in the next process, too", () => {
  const dir = temporaryFolder();
  const cache = new WeightsCache(dir);
  expect(cache.get(sumOf("a"))).toBeUndefined();
  cache.put(sumOf("a"), Uint8Array.of(1, 2, 3, 4));
  expect([...cache.get(sumOf("a"))!]).toEqual([1, 2, 3, 4]);
  expect([...new WeightsCache(dir).get(sumOf("a"))!]).toEqual([1, 2, 3, 4]);
});

test("those used longest ago go first, and one larger than all is not kept", () => {
  const dir = temporaryFolder();
  const cache = new WeightsCache(dir, 10);
  for (const digit of ["a", "b"]) cache.put(sumOf(digit), new Uint8Array(4));
  cache.get(sumOf("a"));
  cache.put(sumOf("c"), new Uint8Array(4));
  cache.put(sumOf("d"), new Uint8Array(11));
  expect(["a", "b", "c", "d"].map((digit) => cache.get(sumOf(digit)) !== undefined)).toEqual([
    true,
    false,
    true,
    false,
  ]);
  expect(readdirSync(folderOf(dir)).sort()).toEqual([sumOf("a"), sumOf("c")]);
});

test("a dropped file is gone; one that was not finished, or that another program removed, is none", () => {
  const dir = temporaryFolder();
  const cache = new WeightsCache(dir);
  cache.put(sumOf("a"), new Uint8Array(4));
  cache.drop(sumOf("a"));
  expect(cache.get(sumOf("a"))).toBeUndefined();
  writeFileSync(join(folderOf(dir), `${sumOf("b")}.part`), "x");
  expect(new WeightsCache(dir).get(sumOf("b"))).toBeUndefined();
});

test("a folder that cannot be written keeps nothing, and fails nobody", () => {
  const dir = temporaryFolder();
  writeFileSync(join(dir, "cache"), "a file");
  const cache = new WeightsCache(dir);
  cache.put(sumOf("a"), new Uint8Array(4));
  expect(cache.get(sumOf("a"))).toBeUndefined();
});
