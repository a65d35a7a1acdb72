// Tasks per key: so many at a time, in order of arrival, without holding up other keys.
import { expect, test } from "bun:test";
import { KeyedLimiter } from "../../src/runtime/keyed-limiter.ts";

/** A limiter of two per key; tasks run until they are ended by name. */
function makeLimiter() {
  const limiter = new KeyedLimiter(2);
  const begun: string[] = [];
  const ended: string[] = [];
  const ends = new Map<string, () => void>();
  const add = (key: string, name: string) => {
    const task = () => {
      begun.push(name);
      return new Promise<void>((resolve) => ends.set(name, resolve));
    };
    void limiter.add(key, task).then(() => ended.push(name));
  };
  const end = async (name: string) => {
    ends.get(name)!();
    await Bun.sleep(0);
  };
  return { limiter, begun, ended, add, end };
}

test("a key runs as many tasks as it may, in order of arrival, and holds up no other", async () => {
  const { limiter, begun, ended, add, end } = makeLimiter();
  for (const name of ["a1", "a2", "a3", "a4"]) add("a", name);
  add("b", "b1");
  expect(begun).toEqual(["a1", "a2", "b1"]);
  expect([limiter.isFull("a"), limiter.isFull("b"), limiter.isFull("c")]).toEqual([true, false, false]);
  expect(limiter.running).toBe(3);
  await end("a1");
  expect([begun, ended]).toEqual([["a1", "a2", "b1", "a3"], ["a1"]]);
});

test("a task ends after its key has room again", async () => {
  const limiter = new KeyedLimiter(1);
  await limiter.add("a", async () => {}).then(() => expect(limiter.isFull("a")).toBe(false));
});

test("tasks that wait are dropped by clear; those that run are waited for", async () => {
  const { limiter, begun, ended, add, end } = makeLimiter();
  for (const name of ["a1", "a2", "a3"]) add("a", name);
  limiter.clear();
  await Bun.sleep(0);
  expect(ended).toEqual(["a3"]);
  let isIdle = false;
  const idle = limiter.idle().then(() => {
    isIdle = true;
  });
  await end("a1");
  expect(isIdle).toBe(false);
  await end("a2");
  await idle;
  expect([begun, limiter.running]).toEqual([["a1", "a2"], 0]);
});

test("work has an outcome; aborted while it waits, it does not start", async () => {
  const limiter = new KeyedLimiter(1);
  const gate = Promise.withResolvers<number>();
  const { signal } = new AbortController();
  const first = limiter.run("a", () => gate.promise, signal);
  const leaving = new AbortController();
  let isStarted = false;
  const start = async () => {
    isStarted = true;
  };
  const second = limiter.run("a", start, leaving.signal);
  const third = limiter.run("a", () => Promise.reject(new Error("no")), signal);
  leaving.abort(new Error("left"));
  await expect(second).rejects.toThrow("left");
  gate.resolve(7);
  expect(await first).toBe(7);
  await expect(third).rejects.toThrow("no");
  expect(isStarted).toBe(false);
});
