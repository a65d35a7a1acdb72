// Legal transitions between the states of a job.
import { expect, test } from "bun:test";
import { canTransition, isFinal, type JobState, jobStates } from "../../src/core/job.ts";

const legal = new Set([
  "waiting running",
  "waiting failed",
  "waiting canceled",
  "running waiting",
  "running done",
  "running failed",
  "running canceled",
]);
const pairs = jobStates.flatMap((from) => jobStates.map((to): [JobState, JobState] => [from, to]));

test.each(pairs)("%s to %s", (from, to) => {
  expect(canTransition(from, to)).toBe(legal.has(`${from} ${to}`));
});

test("done, failed and canceled are final", () => {
  expect(jobStates.filter(isFinal)).toEqual(["done", "failed", "canceled"]);
});
