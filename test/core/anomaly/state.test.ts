// Anomaly state machine, as a table: scores in, events out.
import { expect, test } from "bun:test";
import { type AnomalyState, normalState, stepAnomaly } from "../../../src/core/anomaly/state.ts";

const rules = { max: 70, min: 50, gracePeriodMs: 0, minDuration: 1 };
const gap = undefined;

const rows: readonly [string, (number | undefined)[], string, Partial<typeof rules>?][] = [
  ["nothing happens below max", [10, 69, 70], "..."],
  ["starts above max, not at it", [70, 70.1], ".s"],
  ["goes on between min and max", [80, 60, 55], "s.."],
  ["ends below min, not at it", [80, 50, 49.9], "s.e"],
  ["one start and one end per episode", [80, 90, 60, 40, 30, 75, 20], "s..e.se"],
  ["a missing score neither starts nor ends", [gap, 80, gap, 40, gap], ".s.e."],
  ["not a number neither starts nor ends", [80, Number.NaN, 40], "s.e"],
  ["no start within the grace period", [80, 40, 90, 90, 90], "se..s", { gracePeriodMs: 3 }],
  [
    "min_duration: as many windows above max, one after the other",
    [80, 80, 80, 40],
    "..se",
    { minDuration: 3 },
  ],
  [
    "min_duration: one that is not above max begins anew",
    [80, 80, 70, 80, 80, 80],
    ".....s",
    { minDuration: 3 },
  ],
  ["min_duration: a missing score neither counts nor begins anew", [80, gap, 80], "..s", { minDuration: 2 }],
  ["min_duration does not delay the end", [80, 80, 40, 80, 80], ".se.s", { minDuration: 2 }],
  [
    "min_duration counts within the grace period, which holds back the start",
    [80, 80, 40, 80, 80, 80],
    ".se..s",
    { minDuration: 2, gracePeriodMs: 3 },
  ],
];

for (const [name, scores, events, over] of rows) {
  test(name, () => {
    let state: AnomalyState = normalState;
    const seen = scores.map((score, at) => {
      const move = stepAnomaly(state, { at, score }, { ...rules, ...over });
      // A restart between any two steps.
      state = JSON.parse(JSON.stringify(move.state));
      return move.event?.[0] ?? ".";
    });
    expect(seen.join("")).toBe(events);
  });
}

test("promise 17: a grace period that lies ahead, as after a clock that went back, blinds no model", () => {
  const state = { active: false, endedAt: 1000 };
  const grace = { ...rules, gracePeriodMs: 500 };
  expect(stepAnomaly(state, { at: 1200, score: 90 }, grace).event).toBeUndefined();
  expect(stepAnomaly(state, { at: 200, score: 90 }, grace).event).toBe("start");
});

test("a start score in place of the score holds back the start, neither the anomaly nor its end", () => {
  const step = (state: AnomalyState, score: number, startScore?: number) =>
    stepAnomaly(state, { at: 0, score, startScore }, { ...rules, minDuration: 2 });
  const once = step(normalState, 90).state;
  expect(step(once, 90).event).toBe("start");
  expect(step(once, 90, 0)).toEqual({ state: normalState });
  expect(step({ active: true }, 60, 0)).toEqual({ state: { active: true } });
  expect(step({ active: true }, 40, 90).event).toBe("end");
});
