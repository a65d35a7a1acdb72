// Retrain guard: which differences between two versions keep the old one.
import { expect, test } from "bun:test";
import {
  findRegression,
  type JudgedVersion,
  judgedIntervals,
} from "../../../src/core/model/retrain-guard.ts";

const MINUTE = 60_000;
const version = (error: number, width: number, alarms = 0): JudgedVersion => ({
  features: { v: { error, width } },
  alarms,
});

test.each([
  ["as good", version(1, 10), version(1, 10), undefined],
  ["a little worse", version(1, 10), version(2.5, 25, 1), undefined],
  ["much better", version(1, 10, 5), version(0.1, 1), undefined],
  ["larger errors", version(1, 10), version(2.6, 10), "its errors of v are 2.6 times as large"],
  ["a wider band", version(1, 10), version(1, 26), "its band of v is 2.6 times as wide"],
  ["a wider band with smaller errors", version(1, 10), version(0.7, 50), undefined],
  ["a wider band, where the old one alarms", version(1, 10, 1), version(1, 50), undefined],
  ["a band after none", version(1, 0), version(1, 50), undefined],
  ["two more alarms", version(1, 10, 1), version(1, 10, 3), "it raises 3 anomalies in place of 1"],
  ["tiny errors of a series without noise", version(0, 10), version(1.2, 10), undefined],
  ["larger errors of a series without noise", version(0, 10), version(1.3, 10), "its errors"],
] as const)("%s", (_, active, fresh, expected) => {
  const found = findRegression(active, fresh);
  if (expected === undefined) expect(found).toBeUndefined();
  else expect(found).toStartWith(expected);
});

test("a feature that the active version lacks is not compared", () => {
  expect(findRegression({ features: {}, alarms: 0 }, version(9, 9))).toBeUndefined();
});

test.each([
  ["a fifth", 100, 60 * MINUTE, 20],
  ["three days", 1000, 60 * MINUTE, 72],
  ["a thousand intervals", 100_000, MINUTE, 1000],
] as const)("judged is the end of the range: %s", (_, length, intervalMs, expected) => {
  expect(judgedIntervals(length, intervalMs)).toBe(expected);
});
