// One alarm per burst.
import { expect, test } from "bun:test";
import { firstOfBurst } from "./burst.ts";

const none = Number.NEGATIVE_INFINITY;

test.each<{ scores: number[]; quiet: number; kept: number[] }>([
  { scores: [1, 5, 5, 5, 1, 5], quiet: 2, kept: [1, 5, none, none, none, none] },
  { scores: [1, 5, 4, 4, 4, 5], quiet: 2, kept: [1, 5, none, none, none, 5] },
  { scores: [1, 2, 3], quiet: 2, kept: [1, 2, 3] },
  { scores: [3, 3], quiet: 0, kept: [3, 3] },
])("of $scores with $quiet quiet points before: $kept", ({ scores, quiet, kept }) => {
  expect([...firstOfBurst(Float64Array.from(scores), quiet)]).toEqual(kept);
});
