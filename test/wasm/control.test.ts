// Control of a task: cancellation, and throttled progress.
import { expect, test } from "bun:test";
import { createControl } from "../../wasm/control.ts";
import type { TaskProgress } from "../../wasm/protocol.ts";

function makeControl() {
  const [flag, sent] = [new Int32Array(1), [] as TaskProgress[]];
  let at = 5000;
  const control = createControl({ flag, send: (progress) => sent.push(progress), now: () => at });
  const pass = (ms: number, step: number) => {
    at += ms;
    control.report({ step, maxSteps: 9 });
  };
  return { flag, sent, control, pass };
}

test("a short task says nothing, a long one ten times a second at most", () => {
  const { sent, pass } = makeControl();
  pass(0, 0);
  pass(99, 1);
  expect(sent).toEqual([]);
  pass(1, 2);
  pass(50, 3);
  pass(49, 4);
  pass(1, 5);
  expect(sent).toEqual([2, 5].map((step) => ({ step, maxSteps: 9 })));
});

test("a task hears of its end from another thread", () => {
  const { flag, control } = makeControl();
  expect(control.isCanceled()).toBe(false);
  Atomics.store(flag, 0, 1);
  expect(control.isCanceled()).toBe(true);
});
