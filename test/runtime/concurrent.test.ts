// Bounded concurrency: order of the results, the limit, the end by a failure.
import { expect, test } from "bun:test";
import { mapConcurrently } from "../../src/runtime/concurrent.ts";

test("results are in the order of the items, and no more than the limit run at once", async () => {
  let running = 0;
  let most = 0;
  const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
  const work = async (item: number) => {
    most = Math.max(most, ++running);
    await gates[item]!.promise;
    running--;
    return item * 10;
  };
  const outcome = mapConcurrently([0, 1, 2, 3, 4, 5], 2, work);
  for (const [i] of gates.entries()) gates.at(-1 - i)!.resolve();
  expect(await outcome).toEqual([0, 10, 20, 30, 40, 50]);
  expect(most).toBe(2);
});

test("a failure ends it, once those that run are over", async () => {
  const started: number[] = [];
  const ended: number[] = [];
  const outcome = mapConcurrently([0, 1, 2, 3], 2, async (item) => {
    started.push(item);
    if (item === 0) throw new Error("broken");
    await Promise.resolve();
    ended.push(item);
  });
  expect(outcome).rejects.toThrow("broken");
  await outcome.catch(() => undefined);
  expect([started, ended]).toEqual([[0, 1], [1]]);
});

test("no items, no work", async () => {
  expect(await mapConcurrently([], 3, () => Promise.reject(new Error("called")))).toEqual([]);
});
