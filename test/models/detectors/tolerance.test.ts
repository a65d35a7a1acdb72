// Tolerance: points like a false alarm are suppressed, larger ones or those on the other side are not.
import { describe, expect, test } from "bun:test";
import {
  capScore,
  isTolerated,
  pruneKinds,
  type ToleratedKind,
} from "../../../src/models/detectors/tolerance.ts";

const kind = (
  network: number,
  linear = network,
  seasonal = network,
  type: "low" | "high" = "high",
): ToleratedKind => ({
  type,
  distances: { network, linear, seasonal },
});
const kinds = [kind(10, 8, 12)];

test.each([
  ["the same again", "high", { network: 10, linear: 8, seasonal: 12 }, true],
  ["smaller", "high", { network: 3, linear: 2, seasonal: 1 }, true],
  ["a quarter larger", "high", { network: 12.5, linear: 10, seasonal: 15 }, true],
  ["half as large again", "high", { network: 15, linear: 12, seasonal: 18 }, false],
  ["larger to one detector alone", "high", { network: 10, linear: 8, seasonal: 16 }, false],
  ["on the other side", "low", { network: 1, linear: 1, seasonal: 1 }, false],
  ["by the network alone", "high", { network: 12 }, true],
  ["by the network alone, too large", "high", { network: 13 }, false],
] as const)("%s", (_, type, distances, expected) => {
  expect(isTolerated(kinds, { type, distances })).toBe(expected);
});

test("without kinds nothing is tolerated", () => {
  expect(isTolerated([], { type: "high", distances: { network: 0 } })).toBe(false);
});

describe("kinds that are kept", () => {
  test.each([
    ["those that another covers go", [kind(5), kind(9), kind(7)], [kind(9)]],
    ["of equals, one stays", [kind(5), kind(5)], [kind(5)]],
    ["another side is another kind", [kind(5), kind(9, 9, 9, "low")], [kind(5), kind(9, 9, 9, "low")]],
    ["neither covers the other", [kind(5, 9), kind(9, 5)], [kind(5, 9), kind(9, 5)]],
  ])("%s", (_, all, kept) => {
    expect(pruneKinds(all)).toEqual(kept);
  });

  test("there are 64 at most, the newest", () => {
    const many = Array.from({ length: 100 }, (_, i) => kind(i + 1, 100 - i));
    expect(pruneKinds(many)).toEqual(many.slice(-64));
  });
});

test.each([
  [90, 50, 45],
  [20, 50, 20],
  [90, 0, 0],
])("score %d with the lower threshold %d becomes %d", (score, min, expected) => {
  expect(capScore(score, min)).toBe(expected);
});
