// Sets of instants: the same as a set, for any order.
import { expect, test } from "bun:test";
import fc from "fast-check";
import { SeenInstants } from "../../../../src/core/formats/csv/seen.ts";

test("an instant is new once", () => {
  const instants = fc.array(fc.integer({ min: 0, max: 40 }), { maxLength: 60 });
  fc.assert(
    fc.property(instants, (list) => {
      const seen = new SeenInstants();
      const known = new Set<number>();
      for (const at of list) {
        expect(seen.add(at)).toBe(!known.has(at));
        known.add(at);
      }
    }),
  );
});

test("runs up and down", () => {
  const up = new SeenInstants();
  const down = new SeenInstants();
  for (let i = 0; i < 1000; i++) expect([up.add(60 * i), down.add(-60 * i)]).toEqual([true, true]);
  expect([up.add(60 * 500), up.add(60 * 500 + 1), up.add(60 * 500 + 1)]).toEqual([false, true, false]);
  expect([down.add(-60 * 500), down.add(1)]).toEqual([false, true]);
});
