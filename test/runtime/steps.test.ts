// Yielding: results in order, other work runs between steps, an abort stops the rest.
import { expect, test } from "bun:test";
import { abortable } from "../../src/runtime/abortable.ts";
import {
  createYielder,
  finishInSteps,
  listInSteps,
  mapInSteps,
  oneAhead,
  runInSteps,
} from "../../src/runtime/steps.ts";

const { signal } = new AbortController();

test("steps cover all indices in order", async () => {
  const ranges: number[][] = [];
  await runInSteps(10, { part: 4, signal }, (from, to) => ranges.push([from, to]));
  expect(ranges).toEqual([
    [0, 4],
    [4, 8],
    [8, 10],
  ]);
  expect([...(await mapInSteps(9000, (i) => 2 * i, signal))].slice(-2)).toEqual([17_996, 17_998]);
  expect(await listInSteps(3, String, signal)).toEqual(["0", "1", "2"]);
});

test("an abort between two steps stops the rest", async () => {
  const controller = new AbortController();
  let steps = 0;
  setImmediate(() => controller.abort());
  const running = runInSteps(100, { part: 1, signal: controller.signal }, () => {
    steps++;
  });
  expect(running).rejects.toMatchObject({ code: "canceled" });
  await running.catch(() => undefined);
  expect(steps).toBeLessThan(100);
});

test("a yielder yields once its step has lasted, and throws after an abort", async () => {
  const controller = new AbortController();
  const pace = createYielder(controller.signal);
  expect(pace()).toBeUndefined();
  await Bun.sleep(15);
  let others = 0;
  setImmediate(() => others++);
  await pace();
  expect(others).toBe(1);
  controller.abort();
  expect(() => pace()).toThrow("the request was canceled");
});

test("work that ignores its signal is abandoned", async () => {
  const controller = new AbortController();
  const result = abortable(new Promise(() => undefined), controller.signal);
  controller.abort(new Error("stop"));
  expect(result).rejects.toThrow("stop");
  await result.catch(() => undefined);
  expect(await abortable(Promise.resolve(1), signal)).toBe(1);
});

test("a generator runs to its end, and others in between", async () => {
  let others = 0;
  function* count(until: number): Generator<void, number> {
    for (const endsAt = performance.now() + 30; performance.now() < endsAt; ) yield;
    return until;
  }
  const running = finishInSteps(count(7), signal);
  setImmediate(() => others++);
  expect(await running).toBe(7);
  expect(others).toBe(1);
  await expect(finishInSteps(count(7), AbortSignal.abort())).rejects.toThrow("canceled");
});

test("the next item is made while one is used, and its error comes in its place", async () => {
  const made: number[] = [];
  async function* items() {
    for (let k = 1; k <= 3; k++) {
      if (k === 3) throw new Error("third");
      made.push(k);
      yield k;
    }
  }
  const used: [number, number][] = [];
  const whole = (async () => {
    for await (const item of oneAhead(items())) {
      await Promise.resolve();
      used.push([item, made.length]);
    }
  })();
  await expect(whole).rejects.toThrow("third");
  expect(used).toEqual([
    [1, 2],
    [2, 2],
  ]);
});
