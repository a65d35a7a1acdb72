// Waits and deadlines: what ends them, and that they leave no timer behind.
import { describe, expect, test } from "bun:test";
import { DeadlineError, sleep, startDeadline, waitAtMost, withDeadline } from "../../src/runtime/deadline.ts";
import { FakeClock } from "../jobs/fakes.ts";

const hang = () => new Promise<never>(() => {});

describe("sleep", () => {
  test("ends after its time", async () => {
    const clock = new FakeClock();
    const slept = sleep(100, new AbortController().signal, clock);
    clock.advance(100);
    expect(await slept).toBe(true);
  });

  test.each([true, false])("ends with its signal, aborted before: %p", async (before) => {
    const clock = new FakeClock();
    const controller = new AbortController();
    if (before) controller.abort();
    const slept = sleep(100, controller.signal, clock);
    controller.abort();
    expect(await slept).toBe(false);
    expect(clock.pending).toBe(0);
  });
});

describe("work with a deadline", () => {
  test("has its outcome", async () => {
    const clock = new FakeClock();
    expect(await withDeadline(100, async () => 1, { clock })).toBe(1);
    const failing = withDeadline(100, () => Promise.reject(new Error("broken")), { clock });
    await expect(failing).rejects.toThrow("broken");
    expect(clock.pending).toBe(0);
  });

  test("ends at the deadline even where it ignores its signal", async () => {
    const clock = new FakeClock();
    let limited: AbortSignal | undefined;
    const work = (signal: AbortSignal) => {
      limited = signal;
      return hang();
    };
    const working = withDeadline(100, work, { clock });
    clock.advance(100);
    await expect(working).rejects.toBeInstanceOf(DeadlineError);
    expect(limited?.aborted).toBe(true);
  });

  test("ends with the signal, with its reason", async () => {
    const clock = new FakeClock();
    const controller = new AbortController();
    const working = withDeadline(100, hang, { clock, signal: controller.signal });
    controller.abort(new Error("stopped"));
    await expect(working).rejects.toThrow("stopped");
    expect(clock.pending).toBe(0);
  });

  test("is not begun after an abort", async () => {
    const signal = AbortSignal.abort(new Error("stopped"));
    let calls = 0;
    const working = withDeadline(100, async () => calls++, { signal });
    await expect(working).rejects.toThrow("stopped");
    expect(calls).toBe(0);
  });
});

test("a restarted deadline has its full time again", async () => {
  const clock = new FakeClock();
  const deadline = startDeadline(100, { clock });
  clock.advance(60);
  deadline.restart();
  clock.advance(60);
  expect(deadline.signal.aborted).toBe(false);
  clock.advance(40);
  await expect(deadline.reached).rejects.toBeInstanceOf(DeadlineError);
});

test("work is waited for at most the given time, and its error is thrown", async () => {
  const clock = new FakeClock();
  const waiting = waitAtMost(100, hang(), clock);
  clock.advance(100);
  await waiting;
  await expect(waitAtMost(100, Promise.reject(new Error("broken")), clock)).rejects.toThrow("broken");
  expect(clock.pending).toBe(0);
});
