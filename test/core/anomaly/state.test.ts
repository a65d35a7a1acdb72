// Anomaly state machine, as a table: scores in, events out.
import { expect, test } from "bun:test";
import fc from "fast-check";
import {
  type AnomalyRules,
  type AnomalyState,
  normalState,
  stepAnomaly,
} from "../../../src/core/anomaly/state.ts";

const rules = { max: 70, min: 50, gracePeriodMs: 0, minDuration: 1 };
const gap = undefined;

const rows: readonly [string, (number | undefined)[], string, Partial<AnomalyRules>?][] = [
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
  ["notify_after: 2 of 3, in a row", [80, 80, 40], ".se", { notifyAfter: { n: 2, of: 3 } }],
  ["notify_after: 2 of 3, with one between", [80, 60, 80, 40], "..se", { notifyAfter: { n: 2, of: 3 } }],
  ["notify_after: 2 of 4, with two between", [80, 60, 60, 80], "...s", { notifyAfter: { n: 2, of: 4 } }],
  ["notify_after: too far apart", [80, 60, 60, 80, 60, 80], ".....s", { notifyAfter: { n: 2, of: 3 } }],
  ["notify_after: max itself does not count", [80, 70, 70], "...", { notifyAfter: { n: 2, of: 3 } }],
  [
    "notify_after: a gap neither counts nor passes",
    [80, gap, 60, 80],
    "...s",
    { notifyAfter: { n: 2, of: 3 } },
  ],
  ["notify_after: 1 of 60 starts at once", [60, 80], ".s", { notifyAfter: { n: 1, of: 60 } }],
  [
    "notify_after: begins anew after an anomaly",
    [80, 80, 40, 80, 80],
    ".se.s",
    { notifyAfter: { n: 2, of: 5 } },
  ],
  [
    "notify_after: counts within the grace period, and starts at a score above max",
    [80, 80, 40, 80, 80, 60, 60, 80],
    ".se....s",
    { notifyAfter: { n: 2, of: 5 }, gracePeriodMs: 4 },
  ],
];

for (const [name, scores, events, over] of rows) {
  test(name, () => expect(eventsOf(scores, { ...rules, ...over })).toBe(events));
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

/** Events of scores, with the state stored between any two. */
function eventsOf(scores: readonly (number | undefined)[], own: AnomalyRules): string {
  let state: AnomalyState = normalState;
  const events = scores.map((score, at) => {
    const move = stepAnomaly(state, { at, score }, own);
    state = JSON.parse(JSON.stringify(move.state));
    return move.event?.[0] ?? ".";
  });
  return events.join("");
}

test("notify_after k of k is min_duration k", () => {
  const score = fc.oneof(fc.integer({ min: 30, max: 100 }), fc.constant(gap));
  const options = [
    fc.array(score, { maxLength: 80 }),
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom(0, 5),
  ] as const;
  fc.assert(
    fc.property(...options, (scores, k, gracePeriodMs) => {
      const base = { ...rules, gracePeriodMs };
      const expected = eventsOf(scores, { ...base, minDuration: k });
      expect(eventsOf(scores, { ...base, notifyAfter: { n: k, of: k } })).toBe(expected);
    }),
  );
});

test("what other rules have counted is dropped", () => {
  const two = { ...rules, minDuration: 2 };
  const { state } = stepAnomaly(normalState, { at: 0, score: 80 }, two);
  expect(state).toEqual({ active: false, above: 1 });
  const after = stepAnomaly(state, { at: 1, score: 80 }, { ...rules, notifyAfter: { n: 2, of: 3 } });
  expect(after).toEqual({ state: { active: false, recent: "1" } });
  expect(stepAnomaly(after.state, { at: 2, score: 60 }, two)).toEqual({ state: normalState });
});
