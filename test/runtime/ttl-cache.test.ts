// TTL cache: answers by key, for a time, the newest ones.
import { beforeEach, expect, test } from "bun:test";
import { TtlCache } from "../../src/runtime/ttl-cache.ts";

const clock = { at: 0, now: () => clock.at };
let made: string[];
let cache: TtlCache<string>;

beforeEach(() => {
  clock.at = 0;
  made = [];
  cache = new TtlCache<string>(clock, { max: 2, ms: 100 });
});

function ask(key: string): Promise<string | undefined> {
  return cache.getOrMake(key, async () => {
    made.push(key);
    return key === "none" ? undefined : `answer ${key}`;
  });
}

test("a repeated request gets the cache answer until its time is over", async () => {
  expect([await ask("a"), await ask("a")]).toEqual(["answer a", "answer a"]);
  clock.at = 99;
  await ask("a");
  expect(made).toEqual(["a"]);
  clock.at = 100;
  await ask("a");
  expect(made).toEqual(["a", "a"]);
});

test("beyond the number the oldest is dropped", async () => {
  for (const key of ["a", "b", "c", "b", "a"]) await ask(key);
  expect(made).toEqual(["a", "b", "c", "a"]);
});

test("nothing is not cache", async () => {
  expect([await ask("none"), await ask("none")]).toEqual([undefined, undefined]);
  expect(made).toEqual(["none", "none"]);
});
