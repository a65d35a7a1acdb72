// End of an anomaly: a spike at once, a clear one after two usual values, one that flickers after more, none after long.
import { expect, test } from "bun:test";
import {
  type Ending,
  endingAfter,
  endsWithNext,
  freshEnding,
  stepEnding,
} from "../../../../src/models/detectors/ranks/ending.ts";

const MINUTE = 60_000;
const thresholds = { min: 30, max: 60 };
const [CLEAR, DOUBTFUL, USUAL] = [90, 45, 5];
const endingOf = (scores: readonly number[]): Ending =>
  scores.reduce((ending, score) => stepEnding(ending, score, thresholds), freshEnding);

/** Whether the usual value after these ends the anomaly. */
const endsAfter = (scores: readonly number[], intervalMs = MINUTE) =>
  endsWithNext(endingOf(scores), scores.length, intervalMs);

/** Usual values beyond the first that end it. */
function heldAfter(scores: readonly number[], intervalMs = MINUTE): number {
  for (let held = 0; ; held++)
    if (endsAfter([...scores, ...Array<number>(held).fill(USUAL)], intervalMs)) return held;
}

test("a spike of one or two intervals ends with the first usual value, a clear anomaly with the second", () => {
  expect(heldAfter([CLEAR])).toBe(0);
  expect(heldAfter([CLEAR, CLEAR])).toBe(0);
  expect(heldAfter([CLEAR, CLEAR, CLEAR])).toBe(1);
  expect(heldAfter(Array(50).fill(CLEAR))).toBe(1);
});

test("the more of its recent points are doubtful, the more usual values it takes", () => {
  const mixed = (doubtful: number) =>
    Array.from({ length: 40 }, (_, i) => (i % 4 < doubtful ? DOUBTFUL : CLEAR));
  expect([1, 2, 3, 4].map((doubtful) => heldAfter(mixed(doubtful)))).toEqual([2, 2, 3, 4]);
  expect(heldAfter([CLEAR, ...Array<number>(6).fill(DOUBTFUL)])).toBe(3);
});

test("a clear value begins the count anew, a doubtful one does not", () => {
  const flickers = Array<number>(40).fill(DOUBTFUL);
  expect(endsAfter([...flickers, USUAL, USUAL, USUAL, USUAL])).toBe(true);
  expect(endsAfter([...flickers, USUAL, USUAL, DOUBTFUL, USUAL, USUAL])).toBe(true);
  expect(endsAfter([...flickers, USUAL, USUAL, CLEAR, USUAL])).toBe(false);
});

test("it is held for twenty minutes at most", () => {
  const flickers = Array<number>(40).fill(DOUBTFUL);
  expect([5, 10, 15, 31].map((minutes) => heldAfter(flickers, minutes * MINUTE))).toEqual([4, 2, 1, 0]);
});

/** Usual values that end an anomaly after some points of it, so many usual ones after the one before, and that one. */
function heldAfterGaps(before: number, gap: number, points: number): number {
  const second = endingAfter(freshEnding, before, MINUTE);
  const begun = endingAfter({ ...second, usual: 1 }, gap - 1, MINUTE);
  for (let held = 0; ; held++) {
    const scores = [...Array<number>(points).fill(CLEAR), ...Array<number>(held).fill(USUAL)];
    const ending = scores.reduce((own, score) => stepEnding(own, score, thresholds), begun);
    if (endsWithNext(ending, scores.length, MINUTE)) return held;
  }
}

test("the third of three within an hour of one another takes longer to end than it and the second were apart", () => {
  expect([5, 20, 60].map((gap) => heldAfterGaps(20, gap, 4))).toEqual([8, 30, 90]);
  expect(heldAfterGaps(20, 61, 4)).toBe(1);
  expect(heldAfterGaps(61, 20, 4)).toBe(1);
});

test("two alone, or of gaps that are not alike, end as any other", () => {
  const second = [4, 20, 60].map((gap) => {
    const begun = endingAfter(freshEnding, gap, MINUTE);
    return endsWithNext(stepEnding(begun, CLEAR, thresholds), 1, MINUTE);
  });
  expect(second).toEqual([true, true, true]);
  expect([10, 9].map((before) => heldAfterGaps(before, 40, 4))).toEqual([60, 1]);
});

test("as many points in a row as they were apart make it one of its own", () => {
  expect([20, 21].map((points) => heldAfterGaps(20, 20, points))).toEqual([30, 1]);
});
