// Capacity of compositions: dates of those that grow, none of others.
import { expect, test } from "bun:test";
import { composeFills } from "./compositions.ts";
import { judgeComposition } from "./judge.ts";

test("a seed makes the same compositions", () => {
  const names = (seed: number) => composeFills(10, seed).map(({ name }) => name);
  expect(names(1)).toEqual(names(1));
  expect(names(2)).not.toEqual(names(1));
});

test("most that grow have a right date, others none", () => {
  const verdicts = composeFills(40, 11).map(judgeComposition);
  const [growing, others] = [true, false].map((grows) =>
    verdicts.filter(({ fill }) => (fill.lead !== undefined) === grows),
  );
  expect(others!.filter(({ isNamed }) => isNamed)).toEqual([]);
  expect(growing!.filter(({ isRight }) => isRight).length).toBeGreaterThanOrEqual(0.5 * growing!.length);
});
