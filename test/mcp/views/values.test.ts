// Compact values: five digits, ISO 8601, nothing that is absent.
import { expect, test } from "bun:test";
import { countOf, isoOf, maybeIso, roundAll, withoutNulls } from "../../../src/mcp/views/values.ts";

test("numbers have five significant digits, whole ones stay", () => {
  expect(
    roundAll({ a: [0.123456789, 1769860800, null], b: { c: 98765.4321, d: "1.23456789", e: true } }),
  ).toEqual({
    a: [0.12346, 1769860800, null],
    b: { c: 98765, d: "1.23456789", e: true },
  });
  expect(roundAll(-1.5e-9)).toBe(-1.5e-9);
});

test("instants are ISO 8601, with milliseconds only where there are any", () => {
  expect(isoOf(1769860800)).toBe("2026-01-31T12:00:00Z");
  expect(isoOf(1769860800.25)).toBe("2026-01-31T12:00:00.250Z");
  expect([maybeIso<null>(0), maybeIso(null)]).toEqual(["1970-01-01T00:00:00Z", null]);
});

test("keys without a value are left out, and nouns follow their number", () => {
  expect(withoutNulls({ a: null, b: undefined, c: 0, d: "", e: false })).toEqual({ c: 0, d: "", e: false });
  expect([0, 1, 2].map((count) => countOf(count, "model"))).toEqual(["0 models", "1 model", "2 models"]);
});
