// Exclusive lock: order, failures, and work that begins at once.
import { expect, test } from "bun:test";
import { Lock } from "../../src/runtime/lock.ts";

test("work runs alone, in order of arrival, at once where the lock is free", async () => {
  const lock = new Lock();
  const seen: string[] = [];
  const work = (name: string) =>
    lock.run(async () => {
      seen.push(`${name} begins`);
      await Promise.resolve();
      seen.push(`${name} ends`);
      return name;
    });
  const first = work("a");
  expect(seen).toEqual(["a begins"]);
  expect(await Promise.all([first, work("b"), work("c")])).toEqual(["a", "b", "c"]);
  expect(seen).toEqual(["a begins", "a ends", "b begins", "b ends", "c begins", "c ends"]);
});

test("work that fails lets the next one run", async () => {
  const lock = new Lock();
  const failing = lock.run(() => {
    throw new Error("broken");
  });
  const next = lock.run(() => "next");
  await expect(failing).rejects.toThrow("broken");
  expect(await next).toBe("next");
  expect(await lock.run(() => "later")).toBe("later");
});
