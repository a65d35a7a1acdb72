// Batch loader: one query for keys asked for at the same time, never one that began before.
import { expect, test } from "bun:test";
import { BatchLoader } from "../../src/runtime/batch-loader.ts";

/** A loader whose queries are answered by hand. */
function load({ most = 10 } = {}) {
  const queries: { keys: readonly string[]; answer: (values?: Record<string, string>) => void }[] = [];
  const failures: ((error: unknown) => void)[] = [];
  const loader = new BatchLoader<string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>();
    const same = () => Object.fromEntries(keys.map((key) => [key, key.toUpperCase()]));
    queries.push({ keys, answer: (values = same()) => resolve(new Map(Object.entries(values))) });
    failures.push(reject);
    return promise;
  }, most);
  const asked = () => queries.map(({ keys }) => keys.join(""));
  return { loader, queries, failures, asked };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test("keys asked for in one turn go into one query, each once", async () => {
  const { loader, queries, asked } = load();
  const values = Promise.all(["a", "b", "a"].map((key) => loader.get(key)));
  await settle();
  expect(asked()).toEqual(["ab"]);
  queries[0]!.answer();
  expect(await values).toEqual(["A", "B", "A"]);
});

test("a key asked for while its query is under way is asked for anew", async () => {
  const { loader, queries, asked } = load();
  const before = loader.get("a");
  await settle();
  const after = loader.get("a");
  await settle();
  queries[0]!.answer({ a: "old" });
  queries[1]!.answer({ a: "new" });
  expect([await before, await after]).toEqual(["old", "new"]);
  expect(asked()).toEqual(["a", "a"]);
});

test("beyond two queries under way the keys wait, and go together", async () => {
  const { loader, queries, asked } = load();
  const values: Promise<string | undefined>[] = [];
  for (const key of ["a", "b", "c", "d"]) {
    values.push(loader.get(key));
    await settle();
  }
  expect(asked()).toEqual(["a", "b"]);
  queries[1]!.answer();
  await settle();
  expect(asked()).toEqual(["a", "b", "cd"]);
  queries[0]!.answer();
  queries[2]!.answer();
  expect(await Promise.all(values)).toEqual(["A", "B", "C", "D"]);
});

test("a query has a bounded number of keys", async () => {
  const { loader, queries, asked } = load({ most: 2 });
  const values = Promise.all(["a", "b", "c"].map((key) => loader.get(key)));
  await settle();
  expect(asked()).toEqual(["ab", "c"]);
  for (const { answer } of queries) answer();
  expect(await values).toEqual(["A", "B", "C"]);
});

test("a key without a value is undefined", async () => {
  const { loader, queries } = load();
  const value = loader.get("a");
  await settle();
  queries[0]!.answer({});
  expect(await value).toBeUndefined();
});

test("a failure reaches those who asked, and the next query is asked", async () => {
  const { loader, queries, failures } = load();
  const failed = loader.get("a");
  await settle();
  failures[0]!(new Error("away"));
  await expect(failed).rejects.toThrow("away");
  const value = loader.get("a");
  await settle();
  queries[1]!.answer();
  expect(await value).toBe("A");
});
