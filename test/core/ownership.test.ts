// Shards of names: stable, even, and the same as the database computes (test/store/postgres/open.test.ts).
import { expect, test } from "bun:test";
import { groupShards, SHARDS, shardOf, soleOwner } from "../../src/core/ownership.ts";

test("a name has the shard it has always had", () => {
  expect(["cpu", "m", "disk@host-1", "模型"].map(shardOf)).toEqual([171, 710, 997, 398]);
});

test("names are spread evenly", () => {
  const counts = new Array<number>(SHARDS).fill(0);
  for (let i = 0; i < 100 * SHARDS; i++) counts[shardOf(`model-${i}`)]!++;
  expect(Math.min(...counts)).toBeGreaterThan(50);
  expect(Math.max(...counts)).toBeLessThan(160);
});

test("a single server owns every name", () => {
  expect([soleOwner.owns("anything"), soleOwner.shards, soleOwner.leads]).toEqual([true, undefined, true]);
});

test("groups hold all shards in their order", () => {
  expect(groupShards([1, 4, 9, 16, 25], 2)).toEqual([[1, 4], [9, 16], [25]]);
  expect(groupShards([], 2)).toEqual([]);
});
