// The due queue, compared with a sorted list.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { DueQueue } from "../../src/runtime/due-queue.ts";

const action = fc.record({
  name: fc.constantFrom("a", "b", "c", "d", "e", "f", "g"),
  at: fc.integer({ min: 0, max: 100 }),
  kind: fc.constantFrom("put", "put", "put", "remove", "take"),
});

test("gives out in order of time whatever was put, moved and removed before", () => {
  fc.assert(
    fc.property(fc.array(action, { maxLength: 100 }), (actions) => {
      const queue = new DueQueue();
      const model = new Map<string, number>();
      for (const { name, at, kind } of actions) {
        if (kind === "put") {
          queue.put(name, at);
          model.set(name, at);
        } else if (kind === "remove") {
          queue.remove(name);
          model.delete(name);
        } else {
          const first = Math.min(Infinity, ...model.values());
          const taken = queue.takeDue(at);
          if (first > at) expect(taken).toBeUndefined();
          else {
            expect(model.get(taken!)).toBe(first);
            model.delete(taken!);
          }
        }
        expect(queue.nextAt ?? Infinity).toBe(Math.min(Infinity, ...model.values()));
      }
    }),
  );
});
