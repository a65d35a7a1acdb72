// Outcomes of attempts: sent, rejected, retried with a growing back-off, expired after three days.
import { expect, test } from "bun:test";
import { backoffMs, classifyOutcome, MAX_AGE_MS } from "../../src/delivery/classify.ts";

const context = { at: 1000, jitter: 1, resendMs: undefined };
const row = { attempts: 0, createdAt: 1000 };

test("a start that was sent is resent where the kind of the hook needs it", () => {
  expect(classifyOutcome(row, "sent", context)).toEqual({ state: "sent", resendAt: undefined });
  expect(classifyOutcome(row, "sent", { ...context, resendMs: 60_000 })).toEqual({
    state: "sent",
    resendAt: 61_000,
  });
});

test("a failure is retried later and later; a rejection never", () => {
  const reason = "connection refused";
  expect(classifyOutcome(row, { retry: reason, code: "unreachable" }, context)).toEqual({
    state: "retrying",
    reason,
    code: "unreachable",
    nextAt: 3000,
  });
  const fourth = classifyOutcome({ ...row, attempts: 3 }, { retry: reason, code: "unreachable" }, context);
  expect(fourth).toEqual({ state: "retrying", reason, code: "unreachable", nextAt: 17_000 });
  expect(classifyOutcome(row, { reject: reason, code: "unreachable" }, context)).toEqual({
    state: "rejected",
    reason,
    code: "unreachable",
  });
});

test("a retry after three days is none: the event expires", () => {
  const last = { attempts: 0, createdAt: 3000 - MAX_AGE_MS };
  expect(classifyOutcome(last, { retry: "x", code: "unreachable" }, context)).toEqual({
    state: "expired",
    reason: "x",
    code: "unreachable",
  });
  expect(
    classifyOutcome({ ...last, createdAt: last.createdAt + 1 }, { retry: "x", code: "unreachable" }, context)
      .state,
  ).toBe("retrying");
});

test("a long reason is cut off", () => {
  const { reason } = classifyOutcome(row, { reject: "x".repeat(5000), code: "unreachable" }, context) as {
    reason: string;
    code: "unreachable";
  };
  expect(reason).toHaveLength(1000);
});

test.each([
  [1, 1000, 2000],
  [2, 2000, 4000],
  [3, 4000, 8000],
  [8, 128_000, 256_000],
  [9, 150_000, 300_000],
  [10, 150_000, 300_000],
  [10_000, 150_000, 300_000],
  [0, 1000, 2000],
])("after %d attempts from %d to %d ms", (attempts, shortest, longest) => {
  expect(backoffMs(attempts, 0)).toBe(shortest);
  expect(backoffMs(attempts, 1)).toBe(longest);
  expect(backoffMs(attempts, 0.5)).toBe((shortest + longest) / 2);
});

test("an hour of failures is 12 to 40 attempts", () => {
  for (const chance of [0, 0.3, 0.999]) {
    let attempts = 0;
    for (let at = 0; at < 3600_000; at += backoffMs(attempts, chance)) attempts++;
    expect(attempts).toBeGreaterThanOrEqual(12);
    expect(attempts).toBeLessThanOrEqual(40);
  }
});
