// Ranges: defaults, order, caps.
import { expect, test } from "bun:test";
import { given, measureRange, parseRange } from "../../../src/resources/shared/range.ts";

const nowAt = 1_000_000;

test("a parameter that is empty, null or inherited is absent", () => {
  expect(given({ a: 0 }, "a")).toBe(0);
  for (const params of [{}, { a: "" }, { a: null }, { a: undefined }])
    expect(given(params, "a")).toBeUndefined();
  expect(given({}, "toString")).toBeUndefined();
});

test("from is required or has a default, to is now or comes from from", () => {
  expect(parseRange({ from: "now-1m" }, { nowAt })).toEqual({ fromAt: 940_000, toAt: nowAt });
  const defaults = { nowAt, fromAt: nowAt, endOf: (at: number) => at + 5 };
  expect(parseRange({}, defaults)).toEqual({ fromAt: nowAt, toAt: nowAt + 5 });
  expect(parseRange({ from: 1, to: 2 }, defaults)).toEqual({ fromAt: 1000, toAt: 2000 });
});

test.each([
  [{}, "from: is required"],
  [{ from: "x" }, "from: must be a date"],
  [{ from: 1, to: "x" }, "to: must be a date"],
  [{ from: 2, to: 1 }, "from: must not be after to"],
  [{ from: "now+1d" }, "from: must not be after to, which is now where it is not given"],
  [{ from: 1, to: 1 }, "to: must be after from"],
])("%j is refused", (params, message) => {
  expect(() => parseRange(params, { nowAt })).toThrow(message);
});

test("intervals are those of the aligned range, and capped with the width", () => {
  const range = { fromAt: 1, toAt: 101 };
  expect(measureRange(range, { intervalMs: 10, width: 2, cap: 22 })).toBe(11);
  expect(() => measureRange(range, { intervalMs: 10, width: 2, cap: 21 })).toThrow(
    "has 11 intervals, at most 10",
  );
});
