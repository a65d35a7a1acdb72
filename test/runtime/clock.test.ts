// Timers of the system clock: cancelling, long delays.
import { expect, test } from "bun:test";
import { systemClock } from "../../src/runtime/clock.ts";

test("a timer calls back, and a cancelled one does not", async () => {
  const calls: string[] = [];
  const cancel = systemClock.setTimer(() => calls.push("never"), 0);
  cancel();
  await new Promise<void>((resolve) => systemClock.setTimer(resolve, 1));
  expect(calls).toEqual([]);
  expect(systemClock.now()).toBeGreaterThan(Date.UTC(2020, 0));
});

test("a delay beyond 32 bits does not fire at once", async () => {
  let fired = false;
  const cancel = systemClock.setTimer(() => {
    fired = true;
  }, 2 ** 33);
  await new Promise<void>((resolve) => systemClock.setTimer(resolve, 5));
  cancel();
  expect(fired).toBe(false);
});
