// Answers that are being read: bytes over all of them, an end for slow readers, nothing held by small ones.
import { expect, test } from "bun:test";
import { OpenAnswers } from "../../../src/resources/promql/open-answers.ts";

const MB = 1024 * 1024;

function world() {
  const timers = new Set<() => void>();
  const setTimer = (callback: () => void) => {
    timers.add(callback);
    return () => void timers.delete(callback);
  };
  const answers = new OpenAnswers({ setTimer });
  let ended = 0;
  function* pieces() {
    yield "a";
    yield "b";
  }
  const open = (bytes: number) => answers.open(pieces(), bytes, () => ended++);
  return { open, timers, ended: () => ended };
}

test("a small answer is made at once, and holds nothing", () => {
  const { open, timers, ended } = world();
  const answer = open(1000);
  expect([ended(), timers.size]).toEqual([1, 0]);
  expect([...answer].join("")).toBe("ab");
});

test.each([
  ["read to its end", (answer: ReturnType<ReturnType<typeof world>["open"]>) => void [...answer]],
  [
    "dropped before it is read",
    (answer: ReturnType<ReturnType<typeof world>["open"]>) => void answer.return(),
  ],
])("a large answer is open until it is %s", (_, end) => {
  const { open, timers, ended } = world();
  const answer = open(200 * MB);
  expect(ended()).toBe(0);
  expect(() => open(100 * MB)).toThrow("answers that are being read exceed 268435456 bytes; try again");
  end(answer);
  answer.return();
  expect([ended(), timers.size]).toEqual([1, 0]);
  open(100 * MB);
});

test("one alone may be larger than all together; after its time it ends with an error, and makes room", () => {
  const { open, timers, ended } = world();
  const answer = open(300 * MB);
  expect(answer.next().value).toBe("a");
  for (const fire of [...timers]) fire();
  expect(ended()).toBe(1);
  expect(() => answer.next()).toThrow("the answer was not read within 60 s");
  open(200 * MB);
});
