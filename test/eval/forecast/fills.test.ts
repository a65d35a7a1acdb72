// Fills: dates of a limit are found, and none where there is no growth.
import { expect, test } from "bun:test";
import { judgeFill, makeFills } from "./fills.ts";

const { signal } = new AbortController();

test("a seed makes the same fills", () => {
  expect(makeFills(10, 1)).toEqual(makeFills(10, 1));
  expect(makeFills(10, 1)).not.toEqual(makeFills(10, 2));
});

test("a flat one never reaches the limit, others do after their end", () => {
  const fills = makeFills(20, 1);
  const flat = fills.filter(({ lead }) => lead === undefined);
  expect(flat.length).toBe(4);
  for (const { lead } of fills) if (lead !== undefined) expect(lead).toBeGreaterThan(0);
});

test.each(makeFills(15, 3))("the date of $name is within a fifth of its lead", async (fill) => {
  expect(await judgeFill(fill, signal)).toMatchObject({ isRight: true });
});
