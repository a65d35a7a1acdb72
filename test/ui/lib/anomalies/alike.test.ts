// Most similar stretch: before the anomaly, near enough, drawn without the anomaly.
import { expect, test } from "bun:test";
import { shownStretches, stretchLike } from "../../../../src/ui/lib/anomalies/alike.ts";

const START = 100_000;
const MINUTE = 60;
const report = (nearest?: { at: number; distance: number; points: number }) => ({
  load: {
    ...{ type: "high" as const, score: 90, observed: 9, predicted: 1, lower: 0, upper: 2 },
    ...(nearest && { nearest }),
  },
});
const at = (minutes: number, distance = 0.5) => ({ at: START + minutes * MINUTE, distance, points: 12 });
const find = (features: ReturnType<typeof report>, peak: ReturnType<typeof report>) =>
  stretchLike({ start: START, features, peak }, "load", MINUTE);

test("that before the start is found before that of the peak", () => {
  expect(find(report(at(-50)), report(at(-90)))).toEqual({ end: START - 49 * MINUTE, length: 720 });
  expect(find(report(), report(at(-90)))).toEqual({ end: START - 89 * MINUTE, length: 720 });
});

test("a stretch of the anomaly itself is none, however long it lasts", () => {
  expect(find(report(), report(at(30)))).toBeUndefined();
  expect(find(report(), report(at(0)))).toBeUndefined();
  // It ends as the anomaly starts.
  expect(find(report(), report(at(-1)))).toBeDefined();
});

test("where none is near enough there is none", () => {
  expect(find(report(at(-50, 3.1)), report(at(-90, 1)))).toBeUndefined();
  expect(find(report(), report())).toBeUndefined();
  expect(stretchLike({ start: START, features: {}, peak: {} }, "load", MINUTE)).toBeUndefined();
});

test("both pictures are as long, and that of the stretch ends before the anomaly", () => {
  for (const minutes of [-200, -12, -5, -1]) {
    const { own, other, length } = shownStretches(START, find(report(at(minutes)), report())!, MINUTE);
    expect(other + length).toBeLessThanOrEqual(START);
    expect(START + MINUTE - own).toBe(START + (minutes + 1) * MINUTE - other);
  }
});

test("few intervals are shown among more of them", () => {
  const { length } = shownStretches(START, { end: START - 3600, length: 2 * MINUTE }, MINUTE);
  expect(length).toBe(36 * MINUTE);
});
