// Memory of blobs: given back once their numbers are copied, where nothing else lies there.
import { expect, test } from "bun:test";
import { encodeBlock, viewBlock } from "../../src/tsdb/block.ts";
import { SampleReader } from "../../src/tsdb/samples/sample-reader.ts";

function read(times: readonly number[]) {
  const values = Float64Array.from(times, (at) => at * 2);
  const row = encodeBlock({ times: Float64Array.from(times), values, others: new Map() });
  const reader = new SampleReader([1], () => {});
  reader.add(viewBlock(row), 1);
  const [samples] = reader.finish();
  expect([[...samples!.times], [...samples!.values]]).toEqual([[...times], [...values]]);
  return row.data.byteLength;
}

test("the blob of evenly spaced points is given back", () => {
  expect(read([1000, 2000, 3000])).toBe(0);
});

test("the blob of others stays, as their instants lie in it", () => {
  expect(read([1000, 2000, 4000])).toBeGreaterThan(0);
});
