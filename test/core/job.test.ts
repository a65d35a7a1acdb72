// Legal transitions between the states of a job.
import { expect, test } from "bun:test";
import {
  canTransition,
  isFinal,
  type JobProgress,
  type JobState,
  jobStates,
  reportPart,
} from "../../src/core/job.ts";

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

test("a part of the work reports its share of the whole; an unknown share stays unknown", () => {
  const reports: JobProgress[] = [];
  const report = reportPart((progress) => reports.push(progress), { from: 0.2, to: 0.6 });
  report({ eval: 1, fraction: 0.5 });
  report({ eval: 2 });
  expect(reports).toEqual([{ eval: 1, fraction: 0.4 }, { eval: 2 }]);
});
