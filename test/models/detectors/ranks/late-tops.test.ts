// Late tops: what is a day old is known, what is newer is not; a memory goes on as one pass.
import { expect, test } from "bun:test";
import { LateTops } from "../../../../src/models/detectors/ranks/late-tops.ts";
import type { LateMemory } from "../../../../src/models/detectors/types.ts";

const HOUR = 3_600_000;

test("a greater surprise is known after a day, and a quarter of it at most", () => {
  const tops = new LateTops({ course: 2 });
  tops.add(0, { course: 5 });
  for (let hour = 1; hour < 30; hour++) {
    expect(tops.of("course")).toBe(2);
    tops.add(hour * HOUR, { course: 1 });
  }
  tops.add(30 * HOUR, { course: 1 });
  expect(tops.of("course")).toBe(5);
});

test("what counts as normal from now on is known at once", () => {
  const tops = new LateTops({ course: 2 });
  tops.accept({ course: 6, linear: 9 });
  expect(tops.toMemory()).toEqual({ known: { course: 6 }, parts: [] });
  tops.accept({ course: 4 });
  expect(tops.of("course")).toBe(6);
});

test("detectors that do not raise alone are not kept", () => {
  const tops = new LateTops({ course: 2 });
  tops.add(0, { course: 3, linear: 9 });
  expect(tops.toMemory().parts).toEqual([{ fromAt: 0, tops: { course: 3 } }]);
});

test("a memory goes on as one pass", () => {
  const surprises = Array.from({ length: 80 }, (_, hour) => ({ course: (hour * 7) % 11, still: hour % 5 }));
  const whole = new LateTops({ course: 1, still: 1 });
  let part = new LateTops({ course: 1, still: 1 });
  for (const [hour, own] of surprises.entries()) {
    whole.add(hour * HOUR, own);
    part.add(hour * HOUR, own);
    part = new LateTops({}, JSON.parse(JSON.stringify(part.toMemory())) as LateMemory);
  }
  expect(part.toMemory()).toEqual(whole.toMemory());
});
