// Setting `silence`: fixed ages, and those that `auto` derives from intervals and gaps between points.
import { describe, expect, test } from "bun:test";
import { nextGap, silenceLimit } from "../../../src/core/model/silence.ts";

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

test.each([
  ["a fixed age", { silence: "90s" }, { intervalMs: MINUTE, gapMs: HOUR }, 90_000],
  ["auto: five minutes at least", { silence: "auto" }, { intervalMs: 1000 }, 5 * MINUTE],
  ["auto: three intervals", { silence: "auto" }, { intervalMs: HOUR, gapMs: MINUTE }, 3 * HOUR],
  ["auto: three gaps", { silence: "auto" }, { intervalMs: MINUTE, gapMs: HOUR }, 3 * HOUR],
  ["auto: whole intervals", { silence: "auto" }, { intervalMs: MINUTE, gapMs: 150_000 }, 8 * MINUTE],
  ["no setting: as auto", {}, { intervalMs: 10 * MINUTE }, 30 * MINUTE],
  ["null: as auto", { silence: null }, { intervalMs: 10 * MINUTE }, 30 * MINUTE],
] as const)("%s", (_, settings, spacing, limit) => expect(silenceLimit(settings, spacing)).toBe(limit));

describe("the usual gap", () => {
  test("begins with the first gap, of an hour at most", () => {
    expect(nextGap(undefined, 10 * MINUTE)).toBe(10 * MINUTE);
    expect(nextGap(undefined, 72 * HOUR)).toBe(HOUR);
  });

  test("doubles at most with one outage, and forgets it", () => {
    let gapMs = nextGap(MINUTE, 72 * HOUR);
    expect(gapMs).toBe(2 * MINUTE);
    for (let i = 0; i < 500; i++) gapMs = nextGap(gapMs, MINUTE);
    expect(gapMs).toBeLessThan(1.01 * MINUTE);
  });

  test("covers gaps that differ", () => {
    const gaps = [1, 1, 9, 2, 1, 4, 1, 8, 1, 1, 2];
    let gapMs = nextGap(undefined, MINUTE);
    for (let i = 0; i < 200; i++) gapMs = nextGap(gapMs, gaps[i % gaps.length]! * MINUTE);
    expect(gapMs).toBeGreaterThan(7 * MINUTE);
    expect(gapMs).toBeLessThanOrEqual(9 * MINUTE);
  });
});
