// Concurrent work: order of results, concurrency limit, first failure.
import { expect, test } from "bun:test";
import { mapConcurrently } from "./concurrent.ts";

test("results are in the order of the items, never more at once than allowed", async () => {
  let running = 0;
  let most = 0;
  const results = await mapConcurrently([5, 1, 4, 2, 3], 2, async (item) => {
    most = Math.max(most, ++running);
    for (let turn = 0; turn < item; turn++) await Promise.resolve();
    running--;
    return item * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(2);
});

test("after a failure nothing further is begun", async () => {
  const begun: number[] = [];
  const work = mapConcurrently([1, 2, 3, 4, 5, 6], 2, async (item) => {
    begun.push(item);
    await Promise.resolve();
    if (item === 2) throw new Error("two");
  });
  await expect(work).rejects.toThrow("two");
  expect(begun.length).toBeLessThan(6);
});

test("nothing to do", async () => expect(await mapConcurrently([], 3, async () => 1)).toEqual([]));
