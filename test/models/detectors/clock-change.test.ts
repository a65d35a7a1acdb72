// Past of a range across a clock change, by local time: a skipped hour is missing, of a repeated one the second time is known.
import { describe, expect, test } from "bun:test";
import { offsetsOf } from "../../../src/core/time/timezone.ts";
import { layOutByClock, nextClockChange } from "../../../src/models/detectors/clock-change.ts";
import { instantOf, placeOf } from "../../../src/models/detectors/timeline.ts";

const HOUR = 3_600_000;
const offsetAt = offsetsOf("Europe/Berlin")!;
const SPRING = Date.UTC(2026, 2, 29, 1);
const AUTUMN = Date.UTC(2026, 9, 25, 1);

/** Of six hours before a change and four after it. */
const around = (changeAt: number, intervalMs = HOUR) => ({
  ...{ startAt: changeAt - 6 * HOUR, intervalMs, offsetAt },
});
/** Values that name their hour from the change on. */
const column = Float64Array.from({ length: 10 }, (_, i) => i - 6);

describe("in spring", () => {
  const { timeline, layOut } = layOutByClock(around(SPRING), 8);

  test("the hours before lie one earlier, and the skipped one is missing", () => {
    expect(Array.from(layOut(column))).toEqual([-5, -4, -3, -2, -1, Number.NaN, 0, 1, 2, 3]);
  });

  test("places and instants are inverse to one another", () => {
    for (const hour of [-5, -1, 0, 1, 3]) {
      const place = placeOf(timeline, SPRING + hour * HOUR);
      expect(place).toBe(hour < 0 ? hour + 5 : hour + 6);
      expect(instantOf(timeline, place)).toBe(SPRING + hour * HOUR);
    }
  });
});

describe("in autumn", () => {
  test.each([
    ["at the change", 6, [Number.NaN, -6, -5, -4, -3, -2, 0, 1, 2, 3]],
    ["two hours later", 8, [Number.NaN, -6, -5, -4, -3, -2, 0, 1, 2, 3]],
  ])("the hours before lie one later, %s", (_, from, expected) => {
    expect(Array.from(layOutByClock(around(AUTUMN), from).layOut(column))).toEqual(expected);
  });

  test("the offset is that of the range", () => {
    expect(layOutByClock(around(AUTUMN), 8).timeline.offsetAt!(0)).toBe(HOUR);
    expect(layOutByClock(around(AUTUMN), 5).timeline.offsetAt!(0)).toBe(2 * HOUR);
  });
});

test("without a change, or a time zone, or of intervals of two hours, nothing moves", () => {
  expect(layOutByClock(around(SPRING), 3).layOut(column)).toBe(column);
  expect(layOutByClock({ startAt: SPRING, intervalMs: HOUR }, 8).layOut(column)).toBe(column);
  expect(layOutByClock(around(SPRING, 2 * HOUR), 8).layOut(column)).toBe(column);
});

test("a range ends at the next change", () => {
  expect(nextClockChange(around(SPRING), 2, 10)).toBe(6);
  expect(nextClockChange(around(SPRING), 6, 10)).toBeUndefined();
  expect(nextClockChange(around(SPRING), 2, 6)).toBeUndefined();
});
