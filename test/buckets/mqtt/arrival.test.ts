// Times of arrival: no two messages of a topic have the same.
import { expect, test } from "bun:test";
import { ArrivalTimes } from "../../../src/buckets/mqtt/arrival.ts";

test("messages of one millisecond follow one another; those of another topic do not", () => {
  const times = new ArrivalTimes();
  expect([1000, 1000, 1001, 1005].map((nowAt) => times.take("a", nowAt))).toEqual([1000, 1001, 1002, 1005]);
  expect(times.take("b", 1000)).toBe(1000);
});

test("a clock that was set back by more than a minute counts anew", () => {
  const times = new ArrivalTimes();
  times.take("a", 1_000_000);
  expect(times.take("a", 990_000)).toBe(1_000_001);
  expect(times.take("a", 900_000)).toBe(900_000);
  expect(times.take("a", 900_000)).toBe(900_001);
});

test("a burst of one millisecond keeps a minute of messages apart", () => {
  const times = new ArrivalTimes();
  const taken = Array.from({ length: 60_001 }, () => times.take("a", 5));
  expect(new Set(taken).size).toBe(60_001);
  expect(times.take("a", 5)).toBe(5);
});
