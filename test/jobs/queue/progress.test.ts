// Progress of jobs and the remaining time.
import { expect, test } from "bun:test";
import { makeReport, measureProgress } from "../../../src/jobs/queue/progress.ts";

test.each([
  [{ fraction: 0.25, eval: 9, max_evals: 10 }, 0.25],
  [{ fraction: 7 }, 1],
  [{ eval: 2, max_evals: 4 }, 0.5],
  [{ eval: 2, max_evals: 4, epoch: 1, epochs: 2 }, 0.625],
  [{ eval: 5, max_evals: 4 }, 1],
  [{ epoch: 3, epochs: 10 }, 0.3],
  [{ epoch: 3, epochs: 0 }, undefined],
  [{ loss: 2 }, undefined],
])("%j is %p done", (progress, done) => {
  expect(measureProgress(progress)).toBe(done as number);
});

test("the remaining time is extrapolated from the elapsed time", () => {
  expect(makeReport({ fraction: 0.2 }, 1000).remainingMs).toBe(4000);
  expect(makeReport({ fraction: 1 }, 1000).remainingMs).toBe(0);
  expect(makeReport({ fraction: 0 }, 1000)).toEqual({ progress: { fraction: 0 } });
});
