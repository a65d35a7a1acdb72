// Who is due when: the agenda against a plain sorted list, and lanes that keep to themselves.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { BucketLimiter } from "../../src/live/bucket-limiter.ts";
import { DueQueue } from "../../src/live/due-queue.ts";

const action = fc.record({
  name: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"),
  at: fc.integer({ min: 0, max: 100 }),
  kind: fc.constantFrom("put", "put", "put", "remove", "take"),
});

test("gives out in order of time whatever was put, moved and removed before", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 100 }), (actions) => {
      const agenda = new DueQueue();
      const model = new Map<string, number>();
      for (const { name, at, kind } of actions) {
        if (kind === "put") {
          agenda.put(name, at);
          model.set(name, at);
        } else if (kind === "remove") {
          agenda.remove(name);
          model.delete(name);
        } else {
          const first = Math.min(Infinity, ...model.values());
          const taken = agenda.takeDue(at);
          if (first > at) expect(taken).toBeUndefined();
          else {
            expect(model.get(taken!)).toBe(first);
            model.delete(taken!);
          }
        }
        expect(agenda.nextAt ?? Infinity).toBe(Math.min(Infinity, ...model.values()));
      }
    }),
  );
});

test("a lane runs as many side by side as it may, in order of arrival, and holds up no other", async () => {
  const lanes = new BucketLimiter(2);
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const add = (lane: string, name: string) =>
    lanes.add(lane, () => {
      begun.push(name);
      return new Promise((resolve) => ends.push(resolve));
    });
  for (const name of ["a1", "a2", "a3", "a4"]) add("a", name);
  add("b", "b1");
  expect(begun).toEqual(["a1", "a2", "b1"]);
  ends[0]!();
  await Bun.sleep(0);
  expect(begun).toEqual(["a1", "a2", "b1", "a3"]);
  lanes.clear();
  for (const end of ends) end();
  await Bun.sleep(0);
  expect(begun).not.toContain("a4");
});
