// Model setting `offset`: durations, and auto, which grows up to its bound.
import { expect, test } from "bun:test";
import {
  longestOffset,
  MAX_AUTO_OFFSET_MS,
  nextAutoOffset,
  offsetOf,
} from "../../../src/core/model/offset.ts";

const late = (neededMs: number) => ({ newestAt: 0, lateCount: 3, neededMs });

test("a duration is effective as given, auto as far as it has grown", () => {
  expect([{}, { offset: 30 }, { offset: "2m" }].map((settings) => offsetOf(settings, 70_000))).toEqual([
    0, 30_000, 120_000,
  ]);
  expect([offsetOf({ offset: "auto" }), offsetOf({ offset: "auto" }, 70_000)]).toEqual([0, 70_000]);
  expect(longestOffset({ offset: "auto" })).toBe(MAX_AUTO_OFFSET_MS);
});

test("auto grows to what points need, never shrinks, and ends at an hour", () => {
  expect(nextAutoOffset(0, undefined)).toBe(0);
  expect(nextAutoOffset(0, { ...late(70_000), lateCount: 2 })).toBe(0);
  expect(nextAutoOffset(0, late(70_000))).toBe(70_000);
  expect(nextAutoOffset(90_000, late(70_000))).toBe(90_000);
  expect(nextAutoOffset(0, late(9e9))).toBe(MAX_AUTO_OFFSET_MS);
});
