// Confidence: both enough points and enough days.
import { expect, test } from "bun:test";
import { confidenceOf } from "../../../src/core/anomaly/confidence.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

test.each([
  [0, MINUTE, "learning"],
  [1439, MINUTE, "learning"],
  [1440, MINUTE, "fair"],
  [14 * 1440 - 1, MINUTE, "fair"],
  [14 * 1440, MINUTE, "good"],
  // Many points of one morning, and few of many days.
  [8639, 10 * SECOND, "learning"],
  [8640, 10 * SECOND, "fair"],
  [499, HOUR, "learning"],
  [500, HOUR, "fair"],
  [1999, HOUR, "fair"],
  [2000, HOUR, "good"],
] as const)("%i points of %i ms: %s", (points, intervalMs, expected) => {
  expect(confidenceOf({ points, intervalMs })).toBe(expected);
});
