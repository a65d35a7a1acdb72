// Recovery: several usual values in a row end what was unusual at its time of day, one does not.
import { expect, test } from "bun:test";
import {
  freshRecovery,
  isRecovered,
  isUnusualAtItsTime,
  stepRecovery,
} from "../../../../src/models/detectors/ranks/recovery.ts";

const MINUTE = 60_000;
const [UNUSUAL, USUAL] = [5, 0.4];
const after = (rarities: readonly number[]) => rarities.reduce(stepRecovery, freshRecovery);
const points = (count: number, rarity: number) => Array<number>(count).fill(rarity);

test("an anomaly that was unusual at its time is over after seven usual values, however unusual it was", () => {
  for (const rarity of [UNUSUAL, 50]) {
    const anomaly = points(20, rarity);
    expect(isUnusualAtItsTime(after(anomaly))).toBe(true);
    const over = (usual: number) => isRecovered(after([...anomaly, ...points(usual, USUAL)]), 5 * MINUTE);
    expect([0, 1, 4, 6, 7, 8, 50].map(over)).toEqual([false, false, false, false, true, true, true]);
  }
});

test("one unusual value among them takes some more", () => {
  const values = [...points(20, UNUSUAL), ...points(6, USUAL), UNUSUAL, ...points(3, USUAL)];
  expect(isRecovered(after(values), MINUTE)).toBe(false);
  expect(isRecovered(after([...values, ...points(2, USUAL)]), MINUTE)).toBe(true);
});

test("of an anomaly at usual values the time of day tells nothing", () => {
  const stuck = after(points(40, USUAL));
  expect([isUnusualAtItsTime(stuck), isRecovered(stuck, MINUTE)]).toEqual([false, false]);
  expect(isUnusualAtItsTime(after([UNUSUAL, UNUSUAL]))).toBe(false);
});

test("a night of hours is no recovery", () => {
  const night = after([...points(10, UNUSUAL), ...points(12, USUAL)]);
  expect([20, 21, 60].map((minutes) => isRecovered(night, minutes * MINUTE))).toEqual([true, false, false]);
});
