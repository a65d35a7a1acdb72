// Cancelling timers one by one and all at once.
import { expect, test } from "bun:test";
import { Timers } from "../../src/runtime/timers.ts";
import { FakeClock } from "../jobs/fakes.ts";

test("a timer calls back once, unless it was cancelled", () => {
  const clock = new FakeClock();
  const timers = new Timers(clock);
  const calls: string[] = [];
  timers.set(10, () => calls.push("first"));
  const cancel = timers.set(20, () => calls.push("second"));
  clock.advance(15);
  cancel();
  clock.advance(15);
  expect(calls).toEqual(["first"]);
});

test("cleared timers stay silent and waits resolve", async () => {
  const clock = new FakeClock();
  const timers = new Timers(clock);
  const calls: string[] = [];
  timers.set(10, () => calls.push("never"));
  const waits = timers.wait(10);
  timers.clear();
  await waits;
  clock.advance(20);
  expect([calls, clock.pending]).toEqual([[], 0]);
});

test("a wait ends after its delay", async () => {
  const clock = new FakeClock();
  const waits = new Timers(clock).wait(10);
  clock.advance(10);
  await waits;
  expect(clock.pending).toBe(0);
});
