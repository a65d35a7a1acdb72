// Suggestions: the closest known word.
import { expect, test } from "bun:test";
import { didYouMean, suggestClosest } from "../../../src/core/input/suggest.ts";

test.each([
  ["avrage", ["average", "sum"], "average"],
  ["MAX_TRESHOLD", ["max_threshold", "min_threshold"], "max_threshold"],
  ["entirely_else", ["host", "port"], undefined],
  ["low", ["io", "unit"], undefined],
  ["to", ["tz", "from"], undefined],
  ["link", ["id", "kind"], undefined],
  ["tpye", ["name", "type"], "type"],
  ["", ["host"], undefined],
  ["host", [], undefined],
])("nearest to %p among %j is %p", (word, candidates, expected) => {
  expect(suggestClosest(word, candidates)).toBe(expected);
});

test("a near word ends a sentence; no other does", () => {
  expect(didYouMean("hots", ["host"])).toBe("; did you mean host?");
  expect(didYouMean("entirely_else", ["host"])).toBe("");
});
