// API view of a job, field by field.
import { expect, test } from "bun:test";
import { viewJob } from "../../src/jobs/view.ts";
import type { JobSummary } from "../../src/store/jobs/rows.ts";

const at = Date.UTC(2026, 0, 2, 3, 4, 5, 678);
const row: JobSummary = {
  seq: 1,
  id: "i",
  type: "training",
  state: "waiting",
  model: "m",
  attempts: 0,
  owner: null,
  errorCode: null,
  errorMessage: null,
  createdAt: at,
  startedAt: null,
  endedAt: null,
  foreground: false,
  resultBytes: null,
};
const report = { progress: { eval: 1, max_evals: 2, fraction: 0.5 }, remainingMs: 1500 };
const nowAt = at + 10_000;

test("waiting: no progress, no end, duration 0", () => {
  expect(viewJob(row, { result: null, report, nowAt })).toEqual({
    id: "i",
    type: "training",
    state: "waiting",
    result: null,
    model: "m",
    duration: 0,
    start_date: "2026-01-02T03:04:05.678Z",
    start_timestamp: at / 1000,
  });
});

test("running: progress, and the remaining time in seconds", () => {
  const running = { ...row, state: "running" as const, startedAt: at + 1000 };
  expect(viewJob(running, { result: null, report, nowAt })).toMatchObject({
    state: "running",
    progress: { eval: 1, max_evals: 2, fraction: 0.5 },
    remaining_time: 1.5,
    duration: 9,
    start_timestamp: at / 1000 + 1,
  });
  const bare = viewJob(running, { result: null, report: { progress: {} }, nowAt });
  expect("progress" in bare || "remaining_time" in bare).toBe(false);
});

test.each([
  [
    { phase: "read", series: 3, max_series: 10, fraction: 0.278 },
    { eval: 27, max_evals: 100 },
  ],
  [{ fraction: 1 }, { eval: 100, max_evals: 100 }],
  [{ max_evals: 4 }, { eval: 0, max_evals: 4 }],
] as const)("progress %p counts something, as old clients read", (progress, counted) => {
  const running = { ...row, state: "running" as const, startedAt: at };
  expect(viewJob(running, { result: null, report: { progress }, nowAt }).progress).toEqual({
    ...progress,
    ...counted,
  });
});

test("done: result and end; absent keys are absent", () => {
  const done = { ...row, state: "done" as const, model: null, startedAt: at, endedAt: at + 2500 };
  expect(viewJob(done, { result: { a: 1 }, report, nowAt })).toEqual({
    id: "i",
    type: "training",
    state: "done",
    result: { a: 1 },
    duration: 2.5,
    start_date: "2026-01-02T03:04:05.678Z",
    start_timestamp: at / 1000,
    end_date: "2026-01-02T03:04:08.178Z",
    end_timestamp: at / 1000 + 2.5,
  });
});

test("failed: the error is never empty", () => {
  const failed = { ...row, state: "failed" as const, endedAt: at, errorCode: "no_data" as const };
  const context = { result: null, report: undefined, nowAt };
  expect(viewJob({ ...failed, errorMessage: "" }, context)).toMatchObject({
    error: "no_data",
    code: "no_data",
  });
  expect(viewJob({ ...failed, errorMessage: "why" }, context)).toMatchObject({ error: "why" });
  expect("error" in viewJob({ ...row, state: "canceled", endedAt: at }, context)).toBe(false);
});

test("a clock that went back gives no negative duration", () => {
  const running = { ...row, state: "running" as const, startedAt: at };
  expect(viewJob(running, { result: null, report: undefined, nowAt: at - 5000 }).duration).toBe(0);
});
