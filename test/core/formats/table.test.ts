// Tables: parts of bounded size, across blocks.
import { expect, test } from "bun:test";
import { cutTable, instantOf } from "../../../src/core/formats/table.ts";
import { aTable } from "../../support/tables.ts";

const rows = (length: number) => Array.from({ length }, (_, i) => [i, i]);
const columns = [
  { name: "time", type: "time" },
  { name: "a", type: "number" },
] as const;

/** Slices as `block:from-to`. */
function cut(lengths: readonly number[], size: { rows: number; cells: number }): string[] {
  const table = aTable(columns, lengths.map(rows));
  const parts = [...cutTable(table, size)];
  const text = parts.map((part) =>
    part.map(({ block, from, to }) => `${table.blocks.indexOf(block)}:${from}-${to}`).join(" "),
  );
  return text;
}

test.each([
  ["a short table is one part", [3], { rows: 10, cells: 100 }, ["0:0-3"]],
  ["a long one is cut by rows", [7], { rows: 3, cells: 100 }, ["0:0-3", "0:3-6", "0:6-7"]],
  ["a wide one by cells", [5], { rows: 10, cells: 4 }, ["0:0-2", "0:2-4", "0:4-5"]],
  ["a row is never cut", [2], { rows: 10, cells: 1 }, ["0:0-1", "0:1-2"]],
  ["blocks share parts", [2, 2, 2], { rows: 4, cells: 100 }, ["0:0-2 1:0-2", "2:0-2"]],
  ["a part ends within a block", [2, 3], { rows: 3, cells: 100 }, ["0:0-2 1:0-1", "1:1-3"]],
  ["empty blocks are left out", [0, 2, 0], { rows: 2, cells: 100 }, ["1:0-2"]],
  ["an empty table has no part", [], { rows: 2, cells: 100 }, []],
] as const)("%s", (_, lengths, size, parts) => {
  expect(cut(lengths, size)).toEqual([...parts]);
});

test("a time is the nearest millisecond", () => {
  expect(instantOf(1_700_000_000.001)).toBe(1_700_000_000_001);
  expect(instantOf(-0.5)).toBe(-500);
});
