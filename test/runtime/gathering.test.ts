// Gathering of keys: one question for those asked at the same time, never one that began before.
import { expect, test } from "bun:test";
import { Gathering } from "../../src/runtime/gathering.ts";

/** A gathering whose questions are answered by hand. */
function gather({ most = 10 } = {}) {
  const questions: { keys: readonly string[]; answer: (values?: Record<string, string>) => void }[] = [];
  const failures: ((error: unknown) => void)[] = [];
  const gathering = new Gathering<string>((keys) => {
    const { promise, resolve, reject } = Promise.withResolvers<Map<string, string>>();
    const same = () => Object.fromEntries(keys.map((key) => [key, key.toUpperCase()]));
    questions.push({ keys, answer: (values = same()) => resolve(new Map(Object.entries(values))) });
    failures.push(reject);
    return promise;
  }, most);
  const asked = () => questions.map(({ keys }) => keys.join(""));
  return { gathering, questions, failures, asked };
}

const settle = () => new Promise<void>((resolve) => setImmediate(resolve));

test("keys asked for in one turn go into one question, each once", async () => {
  const { gathering, questions, asked } = gather();
  const values = Promise.all(["a", "b", "a"].map((key) => gathering.get(key)));
  await settle();
  expect(asked()).toEqual(["ab"]);
  questions[0]!.answer();
  expect(await values).toEqual(["A", "B", "A"]);
});

test("a key asked for while its question is under way is asked for anew", async () => {
  const { gathering, questions, asked } = gather();
  const before = gathering.get("a");
  await settle();
  const after = gathering.get("a");
  await settle();
  questions[0]!.answer({ a: "old" });
  questions[1]!.answer({ a: "new" });
  expect([await before, await after]).toEqual(["old", "new"]);
  expect(asked()).toEqual(["a", "a"]);
});

test("beyond two questions under way the keys wait, and go together", async () => {
  const { gathering, questions, asked } = gather();
  const values: Promise<string | undefined>[] = [];
  for (const key of ["a", "b", "c", "d"]) {
    values.push(gathering.get(key));
    await settle();
  }
  expect(asked()).toEqual(["a", "b"]);
  questions[1]!.answer();
  await settle();
  expect(asked()).toEqual(["a", "b", "cd"]);
  questions[0]!.answer();
  questions[2]!.answer();
  expect(await Promise.all(values)).toEqual(["A", "B", "C", "D"]);
});

test("a question has a bounded number of keys", async () => {
  const { gathering, questions, asked } = gather({ most: 2 });
  const values = Promise.all(["a", "b", "c"].map((key) => gathering.get(key)));
  await settle();
  expect(asked()).toEqual(["ab", "c"]);
  for (const { answer } of questions) answer();
  expect(await values).toEqual(["A", "B", "C"]);
});

test("a key without a value is undefined", async () => {
  const { gathering, questions } = gather();
  const value = gathering.get("a");
  await settle();
  questions[0]!.answer({});
  expect(await value).toBeUndefined();
});

test("a failure reaches those who asked, and the next question is asked", async () => {
  const { gathering, questions, failures } = gather();
  const failed = gathering.get("a");
  await settle();
  failures[0]!(new Error("away"));
  await expect(failed).rejects.toThrow("away");
  const value = gathering.get("a");
  await settle();
  questions[1]!.answer();
  expect(await value).toBe("A");
});
