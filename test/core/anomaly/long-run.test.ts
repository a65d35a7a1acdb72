// Long runs in words, and the run that a point is part of once it is longer than usual.
import { expect, test } from "bun:test";
import { describeRun, runAt } from "../../../src/core/anomaly/long-run.ts";

const runs = [
  { first: 10, last: 69, usual: 4, at: "value" },
  { first: 100, last: 199, usual: 30, at: "level" },
] as const;

test("a run tells its length and the usual one", () => {
  expect(runs.map(describeRun)).toEqual([
    "the same value for 60 points, elsewhere for at most 4",
    "at one level for 100 points, elsewhere for at most 30",
  ]);
});

test.each([
  [13, undefined],
  [14, runs[0]],
  [69, runs[0]],
  [70, undefined],
  [130, runs[1]],
])("point %p", (i, run) => expect(runAt(runs, i)).toBe(run));
