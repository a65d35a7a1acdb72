// Head: it is full by the memory of its points, of which long texts take most.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { PointBatch, weightOf } from "../../../src/tsdb/head/batch.ts";
import { Head } from "../../../src/tsdb/head/head.ts";
import { temporaryFolder } from "../../support/folder.ts";

function batchOf(values: readonly (number | string | boolean)[]): PointBatch {
  const batch = new PointBatch(values.length);
  for (const [i, value] of values.entries()) batch.add(1, i, value);
  return batch;
}

test("a number weighs one, a text as much as its entry and characters take", () => {
  expect(weightOf(batchOf([1, 2, 3]))).toBe(3);
  expect(weightOf(batchOf([true]))).toBe(1 + 5);
  expect(weightOf(batchOf([1, "x".repeat(60_000)]))).toBe(2 + 3005);
});

test("few long texts fill a head, as many numbers do; a head that becomes blocks gives its room back", () => {
  const limits = { points: 4000, fields: 100, ageMs: 60_000 };
  const open = () => new Head(join(temporaryFolder(), "b.db"), { file_id: 1, replay_from: 1 });
  const [numbers, texts] = [open(), open()];
  const own = { fileId: 1, now: 0 };
  numbers.append(batchOf(Array.from({ length: 1900 }, (_, i) => i)), own);
  expect(numbers.isFull(limits)).toBe(false);
  texts.append(batchOf(["x".repeat(42_000)]), own);
  expect(texts.isFull(limits)).toBe(true);
  expect(numbers.isFull(limits)).toBe(false);
  texts.freeze();
  expect(texts.isFull(limits)).toBe(false);
  texts.drop();
  numbers.append(batchOf([1]), own);
  expect(numbers.isFull(limits)).toBe(false);
  for (const head of [numbers, texts]) head.close();
});
