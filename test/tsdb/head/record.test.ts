// Records of a journal: what was written is read, what a crash cut off is left out, and damage is told from it.
import { expect, test } from "bun:test";
import { PointBatch } from "../../../src/tsdb/head/batch.ts";
import { decodeRecord, encodeRecord, wasOnDisk } from "../../../src/tsdb/head/record.ts";
import { halvesOf, isNaNOf } from "../../../src/tsdb/special/values.ts";

function aBatch(length: number): PointBatch {
  const batch = new PointBatch(1);
  for (let i = 0; i < length; i++) batch.add(i % 3, 1000 * i, i / 7);
  return batch;
}

function join(...records: Uint8Array[]): Uint8Array<ArrayBuffer> {
  return new Uint8Array(Buffer.concat(records));
}

test.each([1, 2, 3, 64, 65, 1000])("a record of %d points is read as it was written", (length) => {
  const batch = aBatch(length);
  const { points, endAt } = decodeRecord(encodeRecord(batch, 16), 0)!;
  expect(points.length).toBe(length);
  for (const column of ["fieldIds", "times", "values"] as const)
    expect([...points[column]]).toEqual([...batch[column].subarray(0, length)]);
  expect(endAt % 8).toBe(0);
});

test("texts, booleans, and special values by their bits", () => {
  const batch = new PointBatch(4);
  batch.add(1, 0, "grün");
  batch.add(1, 1, false);
  batch.add(1, 2, Number.NaN);
  batch.addStale(1, 3);
  batch.add(1, 4, -Infinity);
  const { points } = decodeRecord(encodeRecord(batch, 0), 0)!;
  expect([...points.texts]).toEqual([
    [0, "grün"],
    [1, false],
  ]);
  const halves = halvesOf(points.values);
  expect([isNaNOf(halves, 2, "nan"), isNaNOf(halves, 3, "stale"), points.values[4]]).toEqual([
    true,
    true,
    -Infinity,
  ]);
});

test("a time that is not finite is refused: no block could hold it", () => {
  expect(() => new PointBatch(1).add(1, Number.NaN, 1)).toThrow(RangeError);
});

test("a record that is cut off anywhere, or has one bit changed, is none", () => {
  const record = encodeRecord(aBatch(3), 0);
  for (let length = 0; length < record.length; length++)
    expect(decodeRecord(record.slice(0, length), 0)).toBeUndefined();
  for (let bit = 0; bit < record.length * 8; bit++) {
    const changed = record.slice();
    changed[bit >> 3]! ^= 1 << (bit & 7);
    expect(decodeRecord(changed, 0)).toBeUndefined();
  }
});

test("what a later record knows to be on disk was damaged; what none knows was cut off", () => {
  const first = encodeRecord(aBatch(2), 0);
  const damaged = encodeRecord(aBatch(4), first.length);
  damaged[40]! ^= 1;
  const at = first.length;
  const before = encodeRecord(aBatch(3), at);
  const after = encodeRecord(aBatch(3), at + damaged.length);
  expect(wasOnDisk(join(first, damaged), at)).toBe(false);
  expect(wasOnDisk(join(first, damaged, before), at)).toBe(false);
  expect(wasOnDisk(join(first, damaged, before, after), at)).toBe(true);
});
