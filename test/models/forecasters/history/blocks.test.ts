// Blocks of a history: the newest values single, older ones as medians of stretches that cover all of it.
import { expect, test } from "bun:test";
import { blocksOf } from "../../../../src/models/forecasters/history/blocks.ts";
import { makeColumn } from "../support.ts";

test("80 values and fewer are blocks of their own", () => {
  const { from, at, values, sizes } = blocksOf(makeColumn(80, (i) => 10 * i));
  expect(Array.from(from)).toEqual(Array.from({ length: 80 }, (_, i) => i));
  expect(Array.from(at)).toEqual(Array.from(from));
  expect(Array.from(values)).toEqual(Array.from(from, (i) => 10 * i));
  expect(new Set(sizes)).toEqual(new Set([1]));
});

test("older blocks grow with their age, follow each other and cover the column", () => {
  const { from, sizes, at } = blocksOf(makeColumn(10_000, (i) => i));
  expect(from[0]).toBe(0);
  for (let k = 0; k < from.length; k++) {
    expect(from[k]! + sizes[k]!).toBe(from[k + 1] ?? 10_000);
    expect(at[k]!).toBe(from[k]! + (sizes[k]! - 1) / 2);
    const age = 10_000 - from[k]! - sizes[k]!;
    expect(sizes[k]!).toBeLessThanOrEqual(Math.max(1, age / 40));
  }
  expect(from.length).toBeLessThan(400);
});

test("a block of a line has the value of its middle", () => {
  const { at, values, sizes } = blocksOf(makeColumn(3000, (i) => i));
  for (const k of at.keys()) expect(Math.abs(values[k]! - at[k]!)).toBeLessThanOrEqual(sizes[k]! / 20 + 0.5);
});

test("a spike, and missing values, do not move the block that holds them", () => {
  const column = makeColumn(1000, (i) => (i === 100 ? 1e6 : i % 3 === 0 ? Number.NaN : 5));
  expect(new Set(blocksOf(column).values)).toEqual(new Set([5]));
});

test("blocks without a value are left out", () => {
  const column = makeColumn(500, (i) => (i >= 100 && i < 300 ? Number.NaN : 5));
  const { from, sizes } = blocksOf(column);
  for (const k of from.keys())
    expect(from[k]! + sizes[k]! <= 100 + sizes[k]! || from[k]! >= 300 - sizes[k]!).toBe(true);
  expect(blocksOf(makeColumn(9, () => Number.NaN)).values).toHaveLength(0);
  expect(blocksOf(new Float64Array(0)).values).toHaveLength(0);
});
